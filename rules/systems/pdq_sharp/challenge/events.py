"""What happens in a challenge, as it is kept."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult
from rules.systems.pdq_sharp.challenge.state import Cast, ContestOptions, Entrant, Help


@dataclass(frozen=True)
class Begun:
    """Somebody is challenged, by a task or by somebody. `target` is 0 while the GM has not set it."""

    settings: ContestOptions
    entrants: tuple[Entrant, ...]
    target: int = 0


@dataclass(frozen=True)
class DifficultySet:
    """The GM set the target number, and whether failing hurts."""

    target: int
    harm: str


@dataclass(frozen=True)
class Helped:
    """Somebody's fortes count with the one who rolls (PS-15)."""

    help: Help


@dataclass(frozen=True)
class Thrown:
    """The dice fell (PS-10)."""

    who: str
    cast: Cast


@dataclass(frozen=True)
class Added:
    """A die, or +1, after the dice (PS-17); `technique` is its id, "" for a style die."""

    who: str
    face: int
    technique: str = ""


@dataclass(frozen=True)
class Stood:
    """Somebody lets it stand."""

    who: str


@dataclass(frozen=True)
class Settled:
    """It stands: what came of it, and who has how many ranks of which kind to place."""

    outcome: str
    who: str = ""
    ranks: int = 0
    kind: str = ""


@dataclass(frozen=True)
class HarmRuled:
    """The GM said whether it hurts, and how."""

    kind: str


@dataclass(frozen=True)
class Suffered:
    """The ranks were placed."""

    who: str
    losses: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class CalledOff:
    """The GM let it go."""


Event = Union[Begun, DifficultySet, Helped, Thrown, Added, Stood, Settled, HarmRuled, Suffered, CalledOff]
Result = ActResult[Event]
