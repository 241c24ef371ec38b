"""What a long contest is made of: those in it, who faces whom, what was chosen and rolled, what counts."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from rules.sheet import Sheet
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.reckoning import Kept, Modifier, lasting_line
from rules.systems.questworlds.traits import lasting


@dataclass(frozen=True)
class ContestOptions:
    """The campaign's settings as the contest began with them, and the words that open it."""

    base: int = 14
    symbol: str = "M"
    by_value: bool = False  # how consequences and benefits stack
    counts: bool = True  # whether experience is counted
    prize: str = ""
    obstacle: str = ""
    players: tuple[str, ...] = ()  # the player characters
    sides: tuple[str, ...] = ("", "")
    secret: bool = False  # whether the GM's side chooses its tactic in secret, too
    packages: bool = False  # whether what stands in a keyword is an ability of its own (QW-73)
    edges: bool = False  # whether edges and handicaps are used (QW-55)
    older: tuple[str, ...] = ()  # the older options that it began with


@dataclass(frozen=True)
class Part:
    """Somebody's part in it. An NPC has a `resistance`, and `ability` is what it is called.

    A follower is rolled for by its `leader`. Its role is `contestant`, `secondary` or `supporter` (QW-49).
    """

    id: str
    name: str
    side: int
    resistance: int | None = None
    ability: str = ""
    role: str = "contestant"
    leader: str = ""
    binds: tuple[Line, ...] = ()  # of an NPC: what lasted on the sheet as they came, and what it touches
    ruled: bool = False  # whether the GM has said what they resist with: the sheet no longer tells (QW-50)


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
    sources: tuple[str, ...] = ()  # all lines of a sheet that it comes of
    touches: tuple[str, ...] = ()  # the abilities that it counts with, by id and by name; () for whatever is used
    rank: int | None = None  # of what is put together by rank; None counts by its amount (QW-61)
    family: str = ""  # of an augment with one's own: the keyword that it is of, which it does not augment (QW-22)
    said_by: str = ""  # whose player said that it counts; "" where it binds, or the GM did

    @property
    def modifier(self) -> Modifier:
        """It as it is reckoned."""
        return Modifier(self.who, self.kind, self.label, self.amount, self.reason, self.source, self.down,
                        self.sources or (self.source,), self.touches, self.rank, self.said_by)


def line_of(made: Modifier, names: Mapping[str, str] | None = None) -> Line:
    """What was reckoned from a sheet, as a contest keeps it; `names` are those of the abilities that it touches."""
    touches = (*made.touches, *(names[id_] for id_ in made.touches if names and id_ in names))
    return Line(made.who, made.kind, made.label, made.amount, made.reason, made.source, made.down,
                sources=made.sources, touches=touches, rank=made.rank)


def lasts(sheet: Sheet, by_value: bool, edition: Edition) -> tuple[Line, ...]:
    """What lasts on a sheet and touches something that can be used (QW-60)."""
    names = {trait.id: trait.name for trait in sheet.traits}
    made = (lasting_line(sheet, line, by_value, edition) for line in lasting(sheet))
    return tuple(line_of(line, names) for line in made if line.touches)


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
    binds: tuple[Line, ...] = ()  # what lasts on the sheet and touches the ability (QW-60)

    @property
    def unfit(self) -> Choice:
        """The same with no ability that fits (QW-06)."""
        return replace(self, trait="", name="", score=None, family="", binds=())


NO_CHOICE = Choice()
DEAD = "dead"  # how somebody is out whose sheet says so
OWN_AUGMENT, OWN_HINDRANCE, AGAINST_A_FLAW = "own_augment", "own_hindrance", "against_a_flaw"
OF_THEIR_OWN = (OWN_AUGMENT, OWN_HINDRANCE)  # rolls in which nothing of the contest counts but what lasts
AGAINST_A_NUMBER = ("unrelated", "assist", "lend", "gift", "second_chance", AGAINST_A_FLAW)  # which nobody stands at
NO_ACTION = (*OF_THEIR_OWN, AGAINST_A_FLAW)  # rolls that take nobody's turn to act beside the pairs


@dataclass(frozen=True)
class Thrown:
    """Dice lie. `first` rolls, `second` is against them; what each rolls with is in it.

    `kind` is `round`, or what else it is for: `assist`, `unrelated`, `parting`, `remove`, `exchange`, `gift`, `lend`,
    `second_chance`, `own_augment`, `own_hindrance`, `against_a_flaw`. `deciders` may spend a story point. `whom` is
    whom it is about, or which flaw; `step` how often it was tried, the place of an augment, or what a hindrance takes.
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
    degrees: bool = False  # whether it comes out by degrees (QW-A8)

    @property
    def kept(self) -> Kept:
        """What was rolled with, as it stands with these dice."""
        return Kept(self.choice.score, self.modifiers, self.resistance, self.resistance_modifiers, False, self.down,
                    self.degrees, (False, False))


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
class Out:
    """Somebody is out: `beaten`, `left` without harm, `conceded`, or `removed`. `points` of that round beat them."""

    who: str
    how: str
    bout: int = -1
    points: int = 0


@dataclass(frozen=True)
class Ruled:
    """The outcomes were counted by the tables: which of them, the group's degree, that of each (QW-A3 to QW-A5)."""

    arc: str
    group: int
    outcomes: tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Contestant:
    """Somebody in it, or who was."""

    part: Part
    status: str = "in"  # or how they went: `beaten`, `left`, `conceded`, `removed`, `dead`
    using: Choice | None = None  # what they used last
    fell: Out | None = None
    fell_round: int = 0
    shot_at: bool = False  # whether a parting shot was tried since
    acted: int = 0  # the last round in which they did something beside the bouts

    @property
    def id(self) -> str:
        """The id of the sheet, or one of its own."""
        return self.part.id

    @property
    def name(self) -> str:
        """What they are called."""
        return self.part.name

    @property
    def fights(self) -> bool:
        """Whether they stand in it as a contestant: one who helps a leader does not (QW-49)."""
        return self.status == "in" and self.part.role == "contestant"

    @property
    def out(self) -> bool:
        """Whether they are out of it: who got away is not, and may do what a bystander may."""
        return self.status not in ("in", "left")

    @property
    def gave_up(self) -> bool:
        """Whether they let go of the prize, by conceding, by getting away, or by dying."""
        return self.status in ("conceded", "left", DEAD)

    @property
    def away(self) -> bool:
        """Whether they got away, so that they may do what a bystander may, and come back (QW-46)."""
        return self.status == "left"


@dataclass(frozen=True)
class Bout:
    """Two who face each other. `points` are those that each has scored, our side's first."""

    number: int
    ours: str
    theirs: str
    points: tuple[int, int] = (0, 0)
    played: int = 0  # the last round that it had
    closed: bool = False
    why: str = ""
    chosen: tuple[tuple[str, Choice], ...] = ()
    faces: tuple[tuple[str, int], ...] = ()
    rounds: tuple[Resolved, ...] = ()
    initiative: str = ""  # who says first what they do, as the GM said; "" for the player's side (QW-43)

    def other(self, who: str) -> str:
        """Whoever faces this one."""
        return self.theirs if who == self.ours else self.ours

    def place(self, who: str) -> int:
        """0 for our side, 1 for the other."""
        return int(who == self.theirs)

    def choice(self, who: str) -> Choice | None:
        """What one has chosen for this round."""
        return dict(self.chosen).get(who)


@dataclass(frozen=True)
class Throw:
    """Dice that lie and wait for story points; `decided` are those who have said so, and what."""

    thrown: Thrown
    decided: tuple[tuple[str, bool], ...] = ()

    def spends(self, place: int) -> bool:
        """Whether the first (0) or the second (1) spends a story point."""
        return dict(self.decided).get(self.thrown.deciders[place], False) if self.thrown.deciders[place] else False


@dataclass(frozen=True)
class Shot:
    """A parting shot that was asked for: with which ability, for which further prize, for how many points (QW-45)."""

    by: str
    whom: str
    ability: str
    words: str
    bid: int = 0
    agreed: bool = False


@dataclass(frozen=True)
class Proposal:
    """An augment that was offered; `verdict` is "" until the GM answers."""

    by: str
    helper: str
    whom: str
    trait: str
    name: str
    score: int
    words: str
    verdict: str = ""
    bonus: int = 3
    won: bool | None = None  # how its own contest came out, where it is rolled for


@dataclass(frozen=True, slots=True)
class Judged:
    """How it came out for one by the tables: the degree, what of it lasts (adversity below 0), and why."""

    degree: int
    states: tuple[int, ...]
    why: str
