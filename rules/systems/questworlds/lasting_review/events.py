"""What happens in a review of lasting effects."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult


@dataclass(frozen=True)
class Opened:
    """The review begins, of those whose sheets are gone through."""

    who: tuple[str, ...]
    symbol: str
    base: int  # the base resistance of a new season, 0 where it stays


@dataclass(frozen=True)
class Looked:
    """One line was reviewed."""

    trait: str


@dataclass(frozen=True)
class Cleared:
    """Everything that nobody had reviewed is over."""

    traits: tuple[str, ...]


@dataclass(frozen=True)
class Finished:
    """The review is over."""

    done: bool


Event = Union[Opened, Looked, Cleared, Finished]

Result = ActResult[Event]
