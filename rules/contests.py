"""A contest of several rounds, as a state machine that can be replayed.

    state = kind.start(setup)
    for event in events:
        state = kind.evolve(state, event)        # total: what was once written is always read

Acting is the other half: `kind.act(state, sheets, action, faces)` checks that the action is legal now, wants dice or
answers the events that follow, the steps that explain them and the effects on sheets. Only events are replayed.
"""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from rules.fields import Field
from rules.moves import Need, Outcome
from rules.sheet import Effect, Sheet
from rules.tables import Reckoned
from rules.values import Value

S = TypeVar("S")
E = TypeVar("E")


@dataclass(frozen=True)
class Offer:
    """A legal move: what may be done now, by whom, and what it asks for.

    `by` is the id of the sheet that would act, "" for the GM alone. `options` gives the ids that a field of the action
    may name (`{"targets": (...), "qualities": (...)}`), each with the words that a person reads.
    """

    action: str
    by: str
    title: str
    help: str = ""
    fields: tuple[Field, ...] = ()
    options: Mapping[str, tuple[tuple[str, str], ...]] | None = None
    rolls: bool = False  # whether dice may follow, so that a page asks for a forecast
    personal: bool = False  # whether it is only for whoever plays that character, and not for the GM in their place
    now: Mapping[str, Value] | None = None  # what stands in a field already, so that a form opens with it


@dataclass(frozen=True)
class Turn(Generic[E]):
    """What an action led to: events to keep, effects to apply, the outcome that explains it."""

    events: tuple[E, ...]
    outcome: Outcome
    effects: tuple[Effect, ...] = ()
    sealed: bool = False  # a choice in secret: only whoever made it reads the entry


@dataclass(frozen=True)
class Past:
    """An earlier contest: its number in the chronicle, its title, whether it was in this session, its state."""

    seq: int
    title: str
    now: bool
    state: Any


@dataclass(frozen=True)
class Around:
    """What a campaign holds beside a contest: shared pools, earlier contests, the session, what the GM has prepared.

    It is never part of an event. `session` is the one that is open, or the latest. What is prepared
    (id, name, fields) is for offers that the GM alone gets.
    """

    pools: tuple[tuple[str, int], ...] = ()
    past: tuple[Past, ...] = ()
    prepared: tuple[tuple[str, str, Mapping[str, Any]], ...] = ()
    session: str = ""

    def pool(self, name: str) -> int:
        """What is in a pool of the campaign."""
        return dict(self.pools).get(name, 0)


@dataclass(frozen=True, slots=True)
class Seat:
    """Somebody's place in the order of a contest, as a page draws it."""

    id: str
    name: str
    side: str
    current: bool = False
    out: bool = False
    held: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Board:
    """A contest at one moment, as a page draws it: those of one group act together. `waits` says what for."""

    heading: str
    waits: str
    groups: tuple[tuple[Seat, ...], ...]
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Teaches:
    """That a kind of contest teaches those in it: the pool that a lesson adds a point to, the most in a session."""

    pool: str
    most: int


@dataclass(frozen=True, slots=True)
class Lesson:
    """Something that was learned, or was not: `what` happened, about which line of the sheet, and why it (not) counts.

    `about` names the line as the rules tell lines apart, which may be in small letters.
    """

    who: str
    what: str
    about: str
    counts: bool
    why: str


@dataclass(frozen=True, slots=True)
class Keeps:
    """That a kind of contest makes facts of the campaign: by which actions, and what its page says while empty."""

    by: tuple[str, ...]
    help: str


@dataclass(frozen=True, slots=True)
class Fact:
    """Something that is so in the story, or would be: its weight and price in words, and whose it is."""

    fact: str
    told: str
    who: str
    stands: bool


class ContestKind(ABC, Generic[S, E]):
    """A kind of long contest of one game system."""

    name: str  # `pdq.conflict`
    title: str
    fields: tuple[Field, ...] = ()  # what `start` asks for
    seats: str = "sides"  # who is in it: `sides` against each other, `many` without sides, or `one` alone
    open_to_players: bool = False  # whether a player may start one with their own character
    exclusive: bool = True  # whether a scene holds one at a time, and can't close before it is over
    needs_scene: bool = True
    everybody: bool = False  # with seats for many: all whom somebody plays, wherever they are
    carries: tuple[str, ...] = ()  # kinds of line: whoever has one is among them, and the session begins with it
    beside: str = ""  # with seats for one: what a second character may be in it for ("Who is helped"), "" for none
    onlookers: bool = False  # whether those who are in the scene with them may do something in it too
    remembers: tuple[str, ...] = ()  # the kinds of contest whose earlier ones it is told of, see `placed`
    title_label: str = "What it is about"  # what its title says
    teaches: Teaches | None = None  # with `lessons`
    keeps: Keeps | None = None  # with `kept`
    title_now: str = ""  # what its title is, unless somebody says otherwise

    @property
    def slug(self) -> str:
        """The kind's name in an address: what follows the system's."""
        return self.name.rpartition(".")[2].replace("_", "-")

    @property
    def deed(self) -> str:
        """What the button that starts one says."""
        return f"Start a {self.title.lower()}"

    @abstractmethod
    def start(
        self, setup: Mapping[str, Value], sheets: Mapping[str, Sheet], faces: Sequence[int] = ()
    ) -> Turn[E] | Need:
        """The first events of a contest, from what the GM set up, or the dice it wants; raises `BadMove`."""

    @abstractmethod
    def offers(self, state: S, sheets: Mapping[str, Sheet]) -> tuple[Offer, ...]:
        """Every legal move now; nothing else is accepted by `act`."""

    @abstractmethod
    def act(
        self, state: S, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value],
        faces: Sequence[int] = (),
    ) -> Turn[E] | Need:
        """What an action leads to; raises `BadMove` with a sentence where it is not legal now."""

    @abstractmethod
    def blank(self) -> S:
        """The state before the first event."""

    @abstractmethod
    def evolve(self, state: S, event: E) -> S:
        """The state after an event. Total: raises nothing for an event that `act` or `start` once gave."""

    def placed(self, state: S, around: Around) -> S:
        """The state with what the campaign holds beside it; kinds that `remember` keep it for offers and acts."""
        return state

    @abstractmethod
    def write(self, event: E) -> Value:
        """The event as it is stored."""

    @abstractmethod
    def read(self, stored: Value) -> E:
        """The event that was stored; raises `Unreadable` for what is not known."""

    @abstractmethod
    def is_over(self, state: S) -> bool:
        """Whether nothing more can happen."""

    @abstractmethod
    def board(self, state: S, sheets: Mapping[str, Sheet]) -> Board:
        """The contest as a page draws it."""

    def forecast(
        self, state: S, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value]
    ) -> tuple[tuple[str, Reckoned], ...]:
        """The odds of an action before it is done, as (against whom, odds); raises `BadMove`."""
        return ()

    def picture(self, state: S, sheets: Mapping[str, Sheet]) -> Any:
        """What the kind's own page draws beside the board; None where there is none."""
        return None

    def lessons(self, state: S) -> tuple[Lesson, ...]:
        """What was learned in it or was not, in the order in which it came: what is told once keeps its place."""
        return ()

    def kept(self, state: S) -> tuple[Fact, ...]:
        """The facts that it made, and those that are asked for; what stands keeps its place."""
        return ()

    def taking_part(self, setup: Mapping[str, Any]) -> tuple[str, ...]:
        """The ids of the sheets in a setup."""
        return tuple(str(each["sheet"]) for each in setup["contestants"])
