"""What an action came to, before what follows by itself is added; and small things that every action needs."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.moves import Die, Roll, Step
from rules.sheet import Effect
from rules.systems.pdq.conflict.events import Event, TurnBegan
from rules.systems.pdq.conflict.state import Applied, State
from rules.values import BadMove, Value


@dataclass(frozen=True)
class Done:
    """The events of an action, why they came, its numbers, the dice, what changes on sheets, and its rolls."""

    events: tuple[Event, ...]
    steps: tuple[Step, ...] = ()
    result: Mapping[str, Value] = field(default_factory=dict)
    dice: tuple[Die, ...] = ()
    effects: tuple[Effect, ...] = ()
    rolls: tuple[Roll, ...] = ()


def names(state: State, ids: Sequence[str]) -> str:
    """The names of these contestants, as a person lists them."""
    named = [state.contestant(each).name for each in ids]
    return named[0] if len(named) == 1 else f"{', '.join(named[:-1])} and {named[-1]}"


def stepping_in(state: State, by: str) -> tuple[Event, ...]:
    """Who acts from hold comes between the others: that is a turn of its own (PQ-11)."""
    return () if by in state.acting else (TurnBegan((by,)),)


def team(state: State, by: str, values: Mapping[str, Any]) -> tuple[tuple[Applied, ...], tuple[Step, ...]]:
    """Every quality in use, those of the helpers that are taken too (PQ-08)."""
    own = tuple(Applied(by, trait) for trait in values["qualities"])
    helped: list[Applied] = []
    for helper in values["helpers"]:
        pledge = state.contestant(helper).pledge
        helped += pledge.qualities if pledge else ()
    if not values["helpers"]:
        return own, ()
    helps = "helps" if len(values["helpers"]) == 1 else "help"
    told = (f"{names(state, values['helpers'])} {helps} {state.contestant(by).name}, "
            "at the cost of a turn of this round.")
    return (*own, *helped), (Step("PQ-08", told),)


def leading(values: Mapping[str, Any]) -> int | None:
    """Where the named lead is among the qualities; None where none is named. Raises `BadMove` (PQ-03)."""
    if not values["lead"]:
        return None
    if values["lead"] not in values["qualities"]:
        raise BadMove("Let one of the qualities that you apply lead.", "lead")
    return int(values["qualities"].index(values["lead"]))


def quote(words: str) -> str:
    """How a sentence ends: with what a person typed (`: “words”.`), or just so."""
    if not words:
        return "."
    return f": “{words}”" if words[-1] in ".!?…" else f": “{words}”."
