"""What happens in a conflict, as it is kept: each event holds all that replaying it needs."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult
from rules.systems.pdq.conflict.state import Applied, Contestant, ContestOptions
from rules.systems.pdq.roll import Shift


@dataclass(frozen=True)
class Started:
    """The conflict begins with these contestants, their order settled."""

    settings: ContestOptions
    contestants: tuple[Contestant, ...]


@dataclass(frozen=True)
class IntentStated:
    """A player said whether they kill or put out of action (PQ-17)."""

    who: str
    intent: str


@dataclass(frozen=True)
class RoundBegan:
    """A round begins; round 0 is the free one against the unaware (PQ-11)."""

    round: int


@dataclass(frozen=True)
class TurnBegan:
    """The turn of these contestants begins: their strategies end, and they are no longer unaware."""

    who: tuple[str, ...]


@dataclass(frozen=True)
class Attacked:
    """An attack is declared (PQ-12)."""

    who: str
    targets: tuple[str, ...]
    qualities: tuple[Applied, ...]
    lead: int | None
    shifts: tuple[Shift, ...]
    weapon: bool
    strategy: str
    helpers: tuple[str, ...]
    words: str


@dataclass(frozen=True)
class Defended:
    """A target answers the attack (PQ-13)."""

    who: str
    qualities: tuple[Applied, ...]
    lead: int | None
    shifts: tuple[Shift, ...]
    weakness: bool
    words: str


@dataclass(frozen=True)
class Hit:
    """What an attack came to for one target (PQ-14). `rolled`: the target's own dice fell."""

    target: str
    to_attacker: int
    to_defender: int
    rolled: bool


@dataclass(frozen=True)
class Struck:
    """The dice of an attack fell, or it failed without any; the damage is known."""

    who: str
    hits: tuple[Hit, ...]


@dataclass(frozen=True)
class Acted:
    """Something else was done than attacking. `rolled`: it was a test, which uses up what the GM granted."""

    who: str
    words: str
    strategy: str
    helpers: tuple[str, ...]
    rolled: bool


@dataclass(frozen=True)
class Held:
    """An action is held for later in the round (PQ-11)."""

    who: str


@dataclass(frozen=True)
class Passed:
    """A turn went by: passed on, let go from hold, or skipped by the GM."""

    who: str
    strategy: str = ""


@dataclass(frozen=True)
class Pledged:
    """Help was promised; it costs the helper's turn when it is taken (PQ-08)."""

    who: str
    to: str
    qualities: tuple[Applied, ...]


@dataclass(frozen=True)
class Withdrew:
    """Help was taken back."""

    who: str


@dataclass(frozen=True)
class Killed:
    """One who was out of action before the turn began was killed (PQ-17)."""

    who: str
    target: str


@dataclass(frozen=True)
class Suffered:
    """Damage was placed: so many ranks of each trait (PQ-16)."""

    who: str
    losses: tuple[tuple[str, int], ...]
    out: bool
    killed: bool


@dataclass(frozen=True)
class TookOnTheChin:
    """1 damage to this trait instead of the whole (PQ-15)."""

    who: str
    trait: str


@dataclass(frozen=True)
class Moved:
    """Somebody moved on their turn, or as a reaction (PQ-20)."""

    who: str
    to: int
    reaction: bool


@dataclass(frozen=True)
class Granted:
    """The GM granted an upshift for the next roll, and why (PQ-05)."""

    who: str
    reason: str


@dataclass(frozen=True)
class WeaknessCalled:
    """The GM said that a weakness of this target bears on the attack (PQ-14)."""

    who: str


@dataclass(frozen=True)
class TakenOut:
    """The GM took somebody out of action."""

    who: str
    words: str


@dataclass(frozen=True)
class BroughtBack:
    """The GM brought somebody back who was out of action (PQ-16)."""

    who: str
    words: str


@dataclass(frozen=True)
class Placed:
    """The GM put somebody elsewhere (PQ-20)."""

    who: str
    to: int


@dataclass(frozen=True)
class Ended:
    """The conflict is over. `winner` is the one side that still stands, or ""."""

    winner: str
    words: str


Event = Union[
    Started, IntentStated, RoundBegan, TurnBegan, Attacked, Defended, Struck, Acted, Held, Passed, Pledged, Withdrew,
    Killed, Suffered, TookOnTheChin, Moved, Granted, WeaknessCalled, TakenOut, BroughtBack, Placed, Ended,
]

Result = ActResult[Event]
