"""What happens in a duel, as it is kept: each event holds all that replaying it needs."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult
from rules.systems.pdq_sharp.duel.state import (
    Bonus,
    Choice,
    ContestOptions,
    Fencer,
    LullSide,
    Resisting,
    Sting,
    Throw,
    Wound,
)


@dataclass(frozen=True)
class Begun:
    """The duel begins between these."""

    settings: ContestOptions
    fencers: tuple[Fencer, ...]


@dataclass(frozen=True)
class TurnBegan:
    """A turn begins with this initiative, as (who, place); those who still face each other stay engaged (PS-20)."""

    turn: int
    places: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Ceded:
    """Initiative was ceded: these places hold from now on in this turn (PS-20)."""

    places: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Engaged:
    """Somebody engaged one foe, or two (PS-21)."""

    who: str
    foes: tuple[str, ...]


@dataclass(frozen=True)
class BackedUp:
    """Somebody backs a friend with these fortes: a gang, in which one rolls (PS-26)."""

    who: str
    whom: str
    fortes: tuple[str, ...]


@dataclass(frozen=True)
class HeldBack:
    """Somebody stays out of it this turn."""

    who: str


@dataclass(frozen=True)
class BrokeOff:
    """Somebody left their foes, or the friend they backed, to look for another place."""

    who: str


@dataclass(frozen=True)
class Chose:
    """Somebody divided their dice, in secret (PS-22). `paid` says that a starred tweak cost a style die."""

    choice: Choice
    paid: bool = False


@dataclass(frozen=True)
class Thrown:
    """All had chosen: the splits are shown, and all dice fall (PS-22)."""

    throws: tuple[Throw, ...]


@dataclass(frozen=True)
class Added:
    """Something was added after the dice: a technique (its id), or a style die (PS-17)."""

    who: str
    bonus: Bonus
    technique: str = ""


@dataclass(frozen=True)
class DiePlaced:
    """A bonus die was put somewhere: the number of it, and where (PS-22)."""

    who: str
    number: int
    to: str


@dataclass(frozen=True)
class Stood:
    """Somebody lets the dice stand as they are."""

    who: str


@dataclass(frozen=True)
class Carried:
    """What a feint or a parry leaves for somebody's next turn (PS-27)."""

    who: str
    attack: int = 0
    defence: int = 0


@dataclass(frozen=True)
class Disarmed:
    """Somebody lost a weapon, and the forte that goes with it (PS-27)."""

    who: str
    forte: str


@dataclass(frozen=True)
class Clashed:
    """The dice of a pair or a trio were compared (PS-23)."""

    who: tuple[str, ...]
    wounds: tuple[Wound, ...]
    carried: tuple[Carried, ...] = ()
    disarmed: tuple[Disarmed, ...] = ()
    rearmed: tuple[str, ...] = ()
    stings: tuple[Sting, ...] = ()
    spent: tuple[str, ...] = ()  # whose one dose of poison did its work


@dataclass(frozen=True)
class Suffered:
    """Ranks were placed (PS-30); `out` is how somebody went out, "" for who stands."""

    who: str
    losses: tuple[tuple[str, int], ...]
    out: str = ""


@dataclass(frozen=True)
class Lulled:
    """An impasse: a flashy challenge between turns, called by one who may have paid for it (PS-27, PS-28)."""

    who: str
    foe: str
    wounds: tuple[Wound, ...]


@dataclass(frozen=True)
class LullBegan:
    """The dice of an impasse fell: of the one who called it, then of the foe. They do not stand yet (PS-17)."""

    sides: tuple[LullSide, ...]


@dataclass(frozen=True)
class LullAdded:
    """Something was added to an impasse: a die with this face, or +1 for 0; a technique (its id), or a style die."""

    who: str
    face: int = 0
    technique: str = ""


@dataclass(frozen=True)
class LullStood:
    """Somebody lets the dice of an impasse stand."""

    who: str


@dataclass(frozen=True)
class Envenomed:
    """The GM said that somebody's blade is poisoned, and whether beyond one dose (PS-49)."""

    who: str
    rank: int
    lasting: bool = False


@dataclass(frozen=True)
class PoisonMet:
    """The dice against a poison that kills fell. They do not stand yet (PS-17)."""

    roll: Resisting


@dataclass(frozen=True)
class PoisonAdded:
    """Something was added to a roll against a poison: a die with this face, or +1 for 0; by a technique (its id)."""

    who: str
    face: int
    technique: str


@dataclass(frozen=True)
class Withstood:
    """Somebody met a poison that kills; `out` is how they fell to it, "" for who stands.

    `by` is whose blade it was on; "", as it was once kept, for all that they had to withstand.
    """

    who: str
    out: str = ""
    by: str = ""


@dataclass(frozen=True)
class TermsOffered:
    """Somebody would surrender, on these terms (PS-27)."""

    who: str
    terms: str


@dataclass(frozen=True)
class TermsAnswered:
    """A foe took the surrender, or would not have it."""

    who: str
    by: str
    accepted: bool


@dataclass(frozen=True)
class KillAnnounced:
    """Somebody says that they kill a helpless foe, and is asked again (PS-32)."""

    who: str
    target: str


@dataclass(frozen=True)
class KillAnswered:
    """They meant it, or they did not."""

    killed: bool


@dataclass(frozen=True)
class Rearmed:
    """Somebody has a weapon again."""

    who: str


@dataclass(frozen=True)
class HarmRuled:
    """The GM said what damage is from now on (PS-30)."""

    harm: str


@dataclass(frozen=True)
class TakenOut:
    """Somebody left the duel."""

    who: str
    how: str


@dataclass(frozen=True)
class BroughtBack:
    """Somebody is in it again."""

    who: str


@dataclass(frozen=True)
class Ended:
    """The duel is over. `winner` is the one side that still stands, or ""."""

    winner: str
    words: str = ""


Event = Union[
    Begun, TurnBegan, Ceded, Engaged, BackedUp, HeldBack, BrokeOff, Chose, Thrown, Added, DiePlaced, Stood, Clashed,
    Suffered, LullBegan, LullAdded, LullStood, Lulled, Envenomed, PoisonMet, PoisonAdded, Withstood,
    TermsOffered, TermsAnswered, KillAnnounced, KillAnswered, Rearmed, HarmRuled, TakenOut, BroughtBack, Ended,
]

Result = ActResult[Event]
