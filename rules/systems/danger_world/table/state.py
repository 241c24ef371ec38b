"""What is so in a check at one moment, and the events that made it so."""
from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum
from typing import Union, assert_never

from rules.stored import StoredEvents
from rules.systems.danger_world.challenge import Modifier, Rated, rate
from rules.systems.danger_world.pool import ROUNDS, Pool, sets_in


class Phase(Enum):
    """What the check is waiting for."""

    BLANK = "blank"
    POOL = "pool"  # the pool is being put together
    REROLL = "reroll"  # the dice lie; some may be rolled again
    CHOOSE = "choose"  # a set is to be chosen
    HEAL = "heal"  # the healer says which box opens
    COSTS = "costs"  # the GM spends botches
    OVER = "over"


@dataclass(frozen=True)
class Invoked:
    """Story points on an aspect. A new one has no id yet: `name`, and the id of its parent ("new" for a primary)."""

    aspect: str
    points: int
    name: str = ""
    under: str = ""


@dataclass(frozen=True)
class Proposal:
    """What a player wants to throw, by ids of the sheet's lines."""

    stats: tuple[str, str]
    bonus: tuple[str, ...] = ()
    invoked: tuple[Invoked, ...] = ()
    danger: int = 0
    undoes: str = ""


@dataclass(frozen=True)
class Complication:
    """Threat dice with their reason; `trait` is the line of a sheet that they come from, "" for none."""

    reason: str
    dice: int
    trait: str = ""


@dataclass(frozen=True)
class Began:
    who: str
    beside: str
    title: str
    difficulty: int
    move: str
    own: tuple[str, ...]
    keywords: tuple[str, ...]
    complications: tuple[Complication, ...]
    agree: bool
    hint: bool


@dataclass(frozen=True)
class RatedAs:
    difficulty: int
    helps: tuple[str, ...]
    hinders: tuple[str, ...]


@dataclass(frozen=True)
class Complicated:
    complication: Complication


@dataclass(frozen=True)
class Proposed:
    proposal: Proposal


@dataclass(frozen=True)
class Agreed:
    pass


@dataclass(frozen=True)
class Rolled:
    action: int
    danger: int
    threat: int
    faces: tuple[int, ...]
    difficulty: int


@dataclass(frozen=True)
class Rerolled:
    dice: tuple[int, ...]
    faces: tuple[int, ...]


@dataclass(frozen=True)
class Stood:
    pass


@dataclass(frozen=True)
class Used:
    height: int
    botches: int
    heals: bool


@dataclass(frozen=True)
class Healed:
    zone: str


@dataclass(frozen=True)
class Paid:
    botches: int
    sort: str


@dataclass(frozen=True)
class Drew:
    botches: int


@dataclass(frozen=True)
class LetGo:
    kept: bool


@dataclass(frozen=True)
class Ended:
    words: str


Event = Union[
    Began, RatedAs, Complicated, Proposed, Agreed, Rolled, Rerolled, Stood, Used, Healed, Paid, Drew, LetGo, Ended
]
EVENTS: StoredEvents[Event] = StoredEvents(Event)


@dataclass(frozen=True)
class State:
    """A check at one moment. What its character is and holds stays on the sheet."""

    who: str = ""
    beside: str = ""
    title: str = ""
    base: int = 0
    move: str = ""
    own: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    helps: tuple[str, ...] = ()
    hinders: tuple[str, ...] = ()
    complications: tuple[Complication, ...] = ()
    agree: bool = False
    hint: bool = True
    proposal: Proposal | None = None
    agreed: bool = False
    pool: Pool | None = None
    difficulty: int = 0  # as it was when the dice fell
    faces: tuple[int, ...] = ()  # as they lie
    thrown: tuple[int, ...] = ()  # as they fell, one round after the other
    again: tuple[tuple[int, ...], ...] = ()  # which dice were rolled again, round by round
    stood: bool = False
    height: int | None = None  # of the set that was used, 0 for none
    heals: bool = False
    botches: int = 0  # that the GM has left
    over: bool = False
    ending: str = ""

    @property
    def phase(self) -> Phase:
        """What is waited for."""
        if self.over:
            return Phase.OVER
        if not self.who:
            return Phase.BLANK
        if self.pool is None:
            return Phase.POOL
        if self.height is None:
            return Phase.CHOOSE if self.stood or self.rounds == ROUNDS else Phase.REROLL
        if self.heals:
            return Phase.HEAL
        return Phase.COSTS if self.botches else Phase.OVER

    @property
    def rounds(self) -> int:
        """How many rounds of re-rolls there were."""
        return len(self.again)

    @property
    def ready(self) -> bool:
        """Whether the dice may fall."""
        return self.phase is Phase.POOL and self.proposal is not None and (self.agreed or not self.agree)

    @property
    def rated(self) -> Rated:
        """The difficulty as it is now, with its keywords (DW-09)."""
        told = (*(Modifier(each, True) for each in self.helps), *(Modifier(each, False) for each in self.hinders))
        return rate(self.base, told)

    @property
    def own_faces(self) -> tuple[int, ...]:
        """The faces of the action and danger dice."""
        return self.faces[: self.pool.own] if self.pool else ()

    @property
    def sets(self) -> tuple[int, ...]:
        """The heights of the sets that lie there."""
        return sets_in(self.own_faces)


def evolve(state: State, event: Event) -> State:
    """The state after an event."""
    match event:
        case Began():
            return State(
                who=event.who, beside=event.beside, title=event.title, base=event.difficulty, move=event.move,
                own=event.own, keywords=event.keywords, complications=event.complications, agree=event.agree,
                hint=event.hint,
            )
        case RatedAs():
            return replace(state, base=event.difficulty, helps=event.helps, hinders=event.hinders)
        case Complicated():
            return replace(state, complications=(*state.complications, event.complication))
        case Proposed():
            return replace(state, proposal=event.proposal, agreed=False)
        case Agreed():
            return replace(state, agreed=True)
        case Rolled():
            pool = Pool(event.action, event.danger, event.threat)
            return replace(state, pool=pool, faces=event.faces, thrown=event.faces, difficulty=event.difficulty)
        case Rerolled():
            lying = list(state.faces)
            for index, face in zip(event.dice, event.faces, strict=True):
                lying[index] = face
            thrown, again = (*state.thrown, *event.faces), (*state.again, event.dice)
            return replace(state, faces=tuple(lying), thrown=thrown, again=again)
        case Stood():
            return replace(state, stood=True)
        case Used():
            return replace(state, height=event.height, botches=event.botches, heals=event.heals)
        case Healed():
            return replace(state, heals=False)
        case Paid():
            return replace(state, botches=state.botches - event.botches)
        case Drew():
            return replace(state, botches=state.botches + event.botches)
        case LetGo():
            return replace(state, botches=0)
        case Ended():
            return replace(state, over=True, ending=event.words)
        case _:
            assert_never(event)


