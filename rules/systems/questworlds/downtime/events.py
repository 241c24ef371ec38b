"""What happens in a downtime."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult


@dataclass(frozen=True)
class Rested:
    """A downtime begins, for these; `back` is whether the points come back with it, `points` how many for each."""

    who: tuple[str, ...]
    names: tuple[str, ...]
    back: bool
    points: int


@dataclass(frozen=True)
class Spent:
    """Somebody spends the time so."""

    who: str
    words: str


@dataclass(frozen=True)
class Passed:
    """The time has passed, or it is as if it had never begun."""

    counts: bool


Event = Union[Rested, Spent, Passed]

Result = ActResult[Event]
