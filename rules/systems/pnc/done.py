"""What an action of a contest came to, and small things that every contest needs."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from rules.contests import Offer
from rules.fields import REQUIRED, read_all
from rules.moves import Die, Roll, Step
from rules.sheet import Effect
from rules.values import BadMove, Value

E = TypeVar("E")


@dataclass(frozen=True)
class Done(Generic[E]):
    """The events of an action, why they came, its numbers, the dice, what changes on sheets, its rolls."""

    events: tuple[E, ...]
    steps: tuple[Step, ...] = ()
    result: Mapping[str, Value] = field(default_factory=dict)
    dice: tuple[Die, ...] = ()
    effects: tuple[Effect, ...] = ()
    rolls: tuple[Roll, ...] = ()


def check(offer: Offer, given: Mapping[str, Value]) -> dict[str, Any]:
    """The fields of an offer, read; raises `BadMove` for an id that is not among its options, or is there twice."""
    values = read_all(offer.fields, given)
    for name, options in (offer.options or {}).items():
        if name not in values or values[name] == "":
            continue
        known = dict(options)
        named = [values[name]] if isinstance(values[name], str) else list(values[name])
        for each in named:
            if each not in known:
                listed = ", ".join(known.values()) or "there is nothing to choose now"
                raise BadMove(f"Choose from these: {listed}.", name)
            if named.count(each) > 1:
                raise BadMove(f"{known[each]} is chosen twice. Choose it once.", name)
    for each_field in offer.fields:
        if each_field.default is REQUIRED and values[each_field.name] == "":
            raise BadMove("Say this in a few words.", each_field.name)
    return values


def listed(names: Sequence[str]) -> str:
    """Names, as a person lists them."""
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "nobody"


def quote(words: str) -> str:
    """What a person typed, at the end of a sentence: `: “words”`, or nothing."""
    return f": “{words}”" if words else ""
