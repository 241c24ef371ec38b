"""What happened in a fight. Ids are those of sheets; names are looked up in the state."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult
from rules.systems.pnc.factors import Weight
from rules.systems.pnc.fight.state import Combatant, ContestOptions, Fallen


@dataclass(frozen=True)
class Started:
    """The fight begins; with a d6 for the order the places are known already."""

    settings: ContestOptions
    combatants: tuple[Combatant, ...]


@dataclass(frozen=True)
class InitiativeRolled:
    """A roll for the order: a standard roll, or with `dice` None one d6, which the score holds (PN-07)."""

    who: str
    weights: tuple[Weight, ...]
    dice: Fallen | None
    score: int


@dataclass(frozen=True)
class Placed:
    """An initiative roll stands."""

    who: str


@dataclass(frozen=True)
class OrderReopened:
    """Somebody rolled for a place again before anybody acted: the first round begins anew (PN-09)."""


@dataclass(frozen=True)
class RoundBegan:
    """Everybody who can act has a turn to come."""

    round: int


@dataclass(frozen=True)
class TurnBegan:
    """The turn of all of one place; `losing` are those who lose it."""

    who: tuple[str, ...]
    losing: tuple[str, ...]


@dataclass(frozen=True)
class Attacked:
    """An attack is declared; a free one costs no turn (PN-06)."""

    who: str
    target: str
    words: str
    weights: tuple[Weight, ...]
    free: bool


@dataclass(frozen=True)
class Judged:
    """The GM put factors down for the attack."""

    weights: tuple[Weight, ...]


@dataclass(frozen=True)
class Struckout:
    """The GM took a factor off the attack."""

    place: int


@dataclass(frozen=True)
class Defended:
    """The defender's part: factors, and the six-sided dice."""

    who: str
    weights: tuple[Weight, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Struck:
    """The attacker's part: the d20, and what followed an open one."""

    who: str
    first: int
    second: int | None


@dataclass(frozen=True)
class Thrown6:
    """The defender rolled their part again."""

    who: str
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Stood:
    """Somebody lets both parts stand."""

    who: str


@dataclass(frozen=True)
class WasRead:
    """Both parts are read. `pending` says whether a wound or a ruling may follow."""

    pending: bool


@dataclass(frozen=True)
class AttackReopened:
    """A part of the attack that was read last falls again (PN-09)."""


@dataclass(frozen=True)
class Wounded:
    """What a hit does, in words; "" where it leaves no mark. What the GM rules is final: no part falls again."""

    who: str
    words: str
    standing: str
    final: bool = False


@dataclass(frozen=True)
class Backfired:
    """What a great failure did: `nothing`, `wound`, `place`, `turn` or `free`."""

    who: str
    what: str
    words: str
    against: str


@dataclass(frozen=True)
class Acted:
    """Something else was done than attacking."""

    who: str
    words: str


@dataclass(frozen=True)
class Held:
    """A turn is held until the next time round (PN-07)."""

    who: str


@dataclass(frozen=True)
class Skipped:
    """A turn went by."""

    who: str


@dataclass(frozen=True)
class Stands:
    """Somebody stands differently now: out of the fight, or in it again (PN-11)."""

    who: str
    standing: str
    words: str


@dataclass(frozen=True)
class Readied:
    """Somebody who was caught off guard can act now."""

    who: str


@dataclass(frozen=True)
class Ended:
    """The fight is over. `winner` is the one side that is left, or ""."""

    winner: str
    words: str


Event = Union[
    Started, InitiativeRolled, Placed, OrderReopened, RoundBegan, TurnBegan, Attacked, Judged, Struckout, Defended,
    Struck, Thrown6, Stood, WasRead, AttackReopened, Wounded, Backfired, Acted, Held, Skipped, Stands, Readied, Ended,
]

Result = ActResult[Event]
