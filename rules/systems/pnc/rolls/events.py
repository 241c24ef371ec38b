"""What happens while standard rolls are made, as it is kept."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult
from rules.systems.pnc.factors import Weight


@dataclass(frozen=True)
class Seated:
    """Somebody who rolls: a player's character or not."""

    id: str
    name: str
    player: bool


@dataclass(frozen=True)
class Meaning:
    """What the GM wrote that a band means here."""

    band: str
    words: str


@dataclass(frozen=True)
class Started:
    """The question is on the table."""

    open_ended: bool
    swing: bool
    seats: tuple[Seated, ...]


@dataclass(frozen=True)
class Weighed:
    """Factors were put down for somebody's roll (PN-05)."""

    who: str
    weights: tuple[Weight, ...]


@dataclass(frozen=True)
class Dropped:
    """A factor was taken off again."""

    who: str
    place: int


@dataclass(frozen=True)
class Meant:
    """The GM said what the degrees mean, all of them at once."""

    meanings: tuple[Meaning, ...]


@dataclass(frozen=True)
class Rolled:
    """Dice fell: the d20, what followed an open one, and the six-sided dice."""

    who: str
    first: int
    second: int | None
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Stood:
    """Somebody lets the roll stand."""

    who: str


@dataclass(frozen=True)
class Settled:
    """The story decides; nobody rolls (PN-01)."""

    verdict: str
    words: str


@dataclass(frozen=True)
class Ended:
    """The result was read."""


Event = Union[Started, Weighed, Dropped, Meant, Rolled, Stood, Settled, Ended]

Result = ActResult[Event]
