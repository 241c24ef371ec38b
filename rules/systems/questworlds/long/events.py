"""What may happen in a long contest. Whatever was once written is always read."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Union

from rules.procedure import ActResult
from rules.systems.questworlds.after import Gave as Gave
from rules.systems.questworlds.after import Learned as Learned


@dataclass(frozen=True)
class ContestOptions:
    """The campaign's settings as the contest began with them, and the words that open it."""

    base: int = 14
    symbol: str = "M"
    by_value: bool = False  # how consequences and benefits stack
    counts: bool = True  # whether experience is counted
    prize: str = ""
    obstacle: str = ""
    players: tuple[str, ...] = ()  # those whom somebody plays
    sides: tuple[str, ...] = ("", "")
    secret: bool = False  # whether the GM's side chooses its tactic in secret, too
    packages: bool = False  # whether what stands in a keyword is an ability of its own (QW-73)
    edges: bool = False  # whether edges and handicaps are used (QW-55)
    older: tuple[str, ...] = ()  # the older options that it began with


@dataclass(frozen=True)
class Part:
    """Somebody's part in it. Whom nobody plays has a `resistance`, and `ability` is what it is called.

    A follower is rolled for by its `leader`. Its role is `contestant`, `secondary` or `supporter` (QW-49).
    """

    id: str
    name: str
    side: int
    resistance: int | None = None
    ability: str = ""
    role: str = "contestant"
    leader: str = ""


@dataclass(frozen=True)
class Begun:
    """The contest is opened."""

    settings: ContestOptions
    parts: tuple[Part, ...]


@dataclass(frozen=True)
class Joined:
    """Somebody joins while it goes on; a `player` is somebody whom a person plays (QW-47)."""

    part: Part
    player: bool = False


@dataclass(frozen=True)
class Paired:
    """Two face each other, with a score of their own from nothing (QW-47)."""

    bout: int
    ours: str
    theirs: str


@dataclass(frozen=True)
class Parted:
    """A pair is no longer one: it was broken up, or one of them is out."""

    bout: int
    why: str = ""


@dataclass(frozen=True)
class RoundBegan:
    """The next round."""

    number: int


@dataclass(frozen=True)
class Choice:
    """What somebody does in a round. `score` is None where no ability fits (QW-06).

    `aim` is "" for the prize, `else` for something else, `augment` for help (to `whom`), `leave` to get away (QW-46).
    """

    trait: str = ""
    name: str = ""
    score: int | None = None
    family: str = ""
    tactic: str = "normal"
    aim: str = ""
    words: str = ""
    whom: str = ""
    bid: int = 0


@dataclass(frozen=True)
class Chose:
    """Somebody says what they do in this round, in secret where both sides choose."""

    bout: int
    who: str
    choice: Choice


@dataclass(frozen=True)
class Fell:
    """One of two players rolls their own die."""

    bout: int
    who: str
    face: int


@dataclass(frozen=True)
class Thrown:
    """Dice lie. `first` rolls, `second` is against them; what each rolls with is in it.

    `kind` is `round`, or what else it is for: `assist`, `unrelated`, `parting`, `remove`, `exchange`, `gift`, `lend`,
    `second_chance`. `deciders` may spend a story point. `whom` is whom it is about, `step` how often it was tried.
    """

    kind: str
    bout: int
    first: str
    first_name: str
    second: str
    second_name: str
    choice: Choice
    other: Choice
    modifiers: tuple[int, ...]
    resistance: int
    resistance_modifiers: tuple[int, ...]
    down: tuple[int, int]
    dice: tuple[int, int]
    deciders: tuple[str, ...] = ()
    whom: str = ""
    step: int = 0


@dataclass(frozen=True)
class Decided:
    """Somebody spends a story point, or lets it stand."""

    who: str
    spend: bool


@dataclass(frozen=True)
class Resolved:
    """What was thrown by `first` came out so; `told` is what it did, in a few words."""

    kind: str
    bout: int
    first: str
    second: str
    names: tuple[str, str]
    abilities: tuple[str, str]
    tactics: tuple[str, str]
    dice: tuple[int, int]
    results: tuple[str, str]
    outcome: str
    rank: int
    told: str = ""
    whom: str = ""
    aim: str = ""


@dataclass(frozen=True)
class Scored:
    """Points of a bout change: those of both sides, by so much (QW-43). Below 0 they were taken back (QW-48)."""

    bout: int
    ours: int
    theirs: int


@dataclass(frozen=True)
class Hurt:
    """A consequence lands at once (QW-57)."""

    who: str
    rank: int
    name: str


@dataclass(frozen=True)
class PassedOn:
    """A follower takes the latest consequence of its leader, of this rank by now (QW-57)."""

    who: str
    follower: str
    rank: int


@dataclass(frozen=True)
class Out:
    """Somebody is out: `beaten`, `left` without harm, `conceded`, or `removed`. `points` of that round beat them."""

    who: str
    how: str
    bout: int = -1
    points: int = 0


@dataclass(frozen=True)
class Returned:
    """Somebody is in it again, `how` says why (QW-45, QW-53, QW-56)."""

    who: str
    how: str
    bout: int = -1


@dataclass(frozen=True)
class PartingMade:
    """A parting shot was tried at somebody who fell; there is one for each fall (QW-45)."""

    whom: str


@dataclass(frozen=True)
class Shifted:
    """Points of a leader's bout go onto a follower (QW-49)."""

    bout: int
    follower: str
    points: int


@dataclass(frozen=True)
class Advantage:
    """Somebody begins with so many advantage points, or with so many more, from followers (QW-51)."""

    who: str
    points: int
    first: bool = False


@dataclass(frozen=True)
class Moved:
    """Advantage points are lost, won, or given (QW-51, QW-54)."""

    who: str
    by: int


@dataclass(frozen=True)
class Asked:
    """Somebody's total is told: some of it has moved (QW-52)."""

    who: str


@dataclass(frozen=True)
class Bid:
    """Somebody says whom they act against, how, and for how many points (QW-51)."""

    who: str
    whom: str
    choice: Choice


@dataclass(frozen=True)
class Deferred:
    """Somebody waits, to act later in the round (QW-56)."""

    who: str


@dataclass(frozen=True)
class Acted:
    """Somebody has had their action in this round."""

    who: str


@dataclass(frozen=True)
class Edged:
    """An edge, or a handicap below 0 (QW-55)."""

    who: str
    edge: int


@dataclass(frozen=True)
class ChanceTaken:
    """Somebody has used the second chance that there is (QW-56)."""

    who: str


@dataclass(frozen=True)
class Line:
    """Something that counts for somebody, with its reason; for one round (`once`) or the whole contest."""

    who: str
    kind: str
    label: str
    amount: int
    reason: str = ""
    source: str = ""
    down: int = 0
    once: bool = False


@dataclass(frozen=True)
class Added:
    """A line is added."""

    line: Line


@dataclass(frozen=True)
class Removed:
    """A line goes, by its place."""

    place: int


@dataclass(frozen=True)
class Proposed:
    """Somebody offers an augment with a line of their sheet (QW-22)."""

    by: str
    helper: str
    whom: str
    trait: str
    name: str
    score: int
    words: str


@dataclass(frozen=True)
class Answered:
    """The GM's answer: `refused`, `assured`, or `roll`, and for how much."""

    place: int
    verdict: str
    bonus: int


@dataclass(frozen=True)
class Resisted:
    """The GM changes what stands against them (QW-50)."""

    who: str
    resistance: int
    ability: str = ""


@dataclass(frozen=True)
class AssistsFrom:
    """The GM says with which rank assists begin (QW-48)."""

    rank: int


@dataclass(frozen=True)
class Paused:
    """It rests, to be gone on with at another time (QW-59)."""


@dataclass(frozen=True)
class Resumed:
    """It goes on, in the scene of this id."""

    scene: str


@dataclass(frozen=True)
class Ruled:
    """The outcomes were counted by the tables: which of them, the group's degree, that of each (QW-A3 to QW-A5)."""

    arc: str
    group: int
    outcomes: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Ended:
    """The contest is over: `done` or `called off`."""

    how: str


Event = Union[
    Begun, Joined, Paired, Parted, RoundBegan, Chose, Fell, Thrown, Decided, Resolved, Scored, Hurt, PassedOn, Out,
    Returned, PartingMade, Shifted, Added, Removed, Proposed, Answered, Resisted, AssistsFrom, Gave,
    Advantage, Moved, Asked, Bid, Deferred, Acted, Edged, ChanceTaken, Learned, Paused, Resumed, Ruled, Ended,
]

Result = ActResult[Event]
