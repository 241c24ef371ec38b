"""What happens in a plot edit."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult


@dataclass(frozen=True)
class Proposed:
    """A player wants the story to be so."""

    who: str
    name: str
    fact: str
    level: str


@dataclass(frozen=True)
class Answered:
    """It is so, or it is not."""

    accepted: bool


Event = Union[Proposed, Answered]

Result = ActResult[Event]
