"""What an act of a framed contest leads to."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.moves import Die, Roll, Step
from rules.sheet import Effect
from rules.systems.questworlds.framed import events as e
from rules.values import Value


@dataclass(frozen=True)
class Done:
    """The events of an act, why they came, its numbers, the dice, and what changes."""

    events: tuple[e.Event, ...]
    steps: tuple[Step, ...]
    effects: tuple[Effect, ...] = ()
    dice: tuple[Die, ...] = ()
    result: Mapping[str, Value] = field(default_factory=dict)
    sealed: bool = False
    rolls: tuple[Roll, ...] = ()


def end(words: str) -> str:
    """Words that end as a sentence does."""
    return words if words[-1:] in ".!?…" else f"{words}."
