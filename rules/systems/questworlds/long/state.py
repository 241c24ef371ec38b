"""What is so in a long contest at one moment."""
from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from enum import Enum

from rules.procedure import CampaignContext
from rules.systems.questworlds.chained import penalty
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.long.events import (
    Bid,
    Choice,
    ContestOptions,
    Gave,
    Learned,
    Line,
    Out,
    Part,
    Resolved,
    Ruled,
    Thrown,
)
from rules.systems.questworlds.older.options import LONG_TABLES
from rules.systems.questworlds.roll import Clash

POOL = "story_points"
NO_CHOICE = Choice()
NOBODY = -1  # in the place of the side that has won


class Phase(Enum):
    """Where it is."""

    BLANK = "blank"
    ROUNDS = "rounds"
    RESTS = "rests"  # to be gone on with at another time (QW-59)
    AFTER = "after"  # a side has nobody left in it
    OVER = "over"


@dataclass(frozen=True)
class Contestant:
    """Somebody in it, or who was."""

    part: Part
    status: str = "in"  # or how they went: `beaten`, `left`, `conceded`, `removed`
    using: Choice | None = None  # what they used last
    hurts: tuple[tuple[int, str], ...] = ()  # consequences of this contest: rank, name (QW-57)
    points: int = 0  # on a follower: taken over (QW-49)
    fell: Out | None = None
    fell_round: int = 0
    shot_at: bool = False  # whether a parting shot was tried since
    acted: int = 0  # the last round in which they did something beside the bouts
    start: int = 0  # advantage points that they began with (QW-51)
    ap: int = 0
    armed: bool = False  # whether they have a first ability, and the points of it
    moved: bool = False  # whether some of them have moved since
    asked: bool = False  # whether the total is told (QW-52)
    edge: int = 0
    chance_taken: bool = False

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
    def most_bid(self) -> int:
        """The most that a player stakes for them: all they have, or as many as they began with (QW-52)."""
        return max(self.start, self.ap)


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


@dataclass(frozen=True)
class State:
    """A long contest at one moment. `context` is what the campaign holds beside it; it is in no event."""

    form: str = "scored"  # or `extended`, `chained`
    settings: ContestOptions = field(default_factory=ContestOptions)
    contestants: tuple[Contestant, ...] = ()
    bouts: tuple[Bout, ...] = ()
    round: int = 0
    throws: tuple[Throw, ...] = ()
    lines: tuple[Line, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    record: tuple[tuple[int, Resolved], ...] = ()  # all that was rolled: round, what came of it
    bids: tuple[Bid, ...] = ()  # of this round
    deferred: tuple[str, ...] = ()
    done: tuple[str, ...] = ()  # who has had their exchange in this round
    tries: tuple[tuple[str, int], ...] = ()  # how often somebody was assisted (QW-48)
    assists_from: int = 0  # the rank that assists begin with, as the GM says (QW-48)
    paused: bool = False
    scene: str = ""  # where it went on last; "" for where it began
    gave: tuple[Gave, ...] = ()
    ruled: Ruled | None = None
    learned: tuple[Learned, ...] = ()
    ended: str = ""
    context: CampaignContext = field(default_factory=CampaignContext)
    edition: Edition = FIRST

    @property
    def phase(self) -> Phase:
        """What is waited for."""
        if not self.contestants:
            return Phase.BLANK
        if self.ended:
            return Phase.OVER
        if self.won_by is not None:
            return Phase.AFTER
        return Phase.RESTS if self.rests else Phase.ROUNDS

    @property
    def rests(self) -> bool:
        """Whether it waits for another time: it was paused, or its scene is not the one that is on (QW-59)."""
        now = self.context.open_scene
        return self.paused or bool(now is not None and (self.scene or self.context.scene) != now)

    @property
    def runs(self) -> bool:
        """Whether it is going on just now, so that those in it are in no other (QW-58)."""
        return self.phase is Phase.ROUNDS

    @property
    def won_by(self) -> int | None:
        """The side that has the prize, as no other has anybody left; `NOBODY` where none has. None while several do."""
        standing = {each.part.side for each in self.contestants if each.fights}
        if len(standing) > 1:
            return None
        return standing.pop() if standing else NOBODY

    def in_order(self, one: str, other: str) -> tuple[str, str]:
        """Two who face each other, the one of the earlier side first."""
        first, second = sorted((one, other), key=lambda who: self.entrant(who).part.side)
        return first, second

    def side(self, place: int) -> tuple[Contestant, ...]:
        """Everybody of a side, whether still in it or not."""
        return tuple(each for each in self.contestants if each.part.side == place)

    def contestant(self, who: str) -> Contestant | None:
        """The one of this id; None for who is not in it."""
        return next((each for each in self.contestants if each.id == who), None)

    def entrant(self, who: str) -> Contestant:
        """The one of this id; raises `KeyError`."""
        if (found := self.contestant(who)) is None:
            raise KeyError(who)
        return found

    def name_of(self, who: str) -> str:
        """The name of somebody in it; "" for anybody else."""
        found = self.contestant(who)
        return found.name if found else ""

    def keeper(self, who: str) -> str:
        """The id of whose player rolls for one: a follower's leader's, else one's own; "" where nobody plays them."""
        found = self.contestant(who)
        if found is None:
            return ""
        id_ = found.part.leader or who
        return id_ if id_ in self.settings.players else ""

    def own(self, by: str) -> tuple[Contestant, ...]:
        """Whom this sheet's player rolls for."""
        return tuple(each for each in self.contestants if self.keeper(each.id) == by) if by else ()

    @property
    def open_bouts(self) -> tuple[Bout, ...]:
        """The pairs that go on."""
        return tuple(each for each in self.bouts if not each.closed)

    def bouts_of(self, who: str) -> tuple[Bout, ...]:
        """The pairs that somebody is in now."""
        return tuple(each for each in self.open_bouts if who in (each.ours, each.theirs))

    def free(self, who: str) -> bool:
        """Whether somebody stands in it and faces nobody."""
        found = self.contestant(who)
        return bool(found and found.fights and not self.bouts_of(who))

    def busy(self, who: str) -> bool:
        """Whether somebody's dice wait for a story point, as one of two who rolled or who decide."""
        return any(who in (each.thrown.first, each.thrown.second, *each.thrown.deciders) for each in self.throws)

    def score_of(self, who: str, choice: Choice | None = None) -> int | None:
        """What somebody rolls with before modifiers; None where no ability fits."""
        found = self.entrant(who)
        if found.part.resistance is not None:
            return found.part.resistance
        used = choice or found.using
        return used.score if used else None

    def modifiers(self, who: str) -> tuple[int, ...]:
        """What counts for or against somebody now: lines, and the consequences of this contest (QW-57)."""
        found = self.contestant(who)
        own = tuple(each.amount for each in self.lines if each.who == who and each.amount)
        penalty = self.penalty(found) if found else 0
        return (*own, penalty) if penalty else own

    def penalty(self, who: Contestant, more: int = 0) -> int:
        """What the consequences of this contest come to, with another one of rank `more` (QW-57, QW-61)."""
        ranks = (*(rank for rank, _ in who.hurts), *([more] if more else []))
        return penalty(ranks, self.settings.by_value or self.on(LONG_TABLES), self.edition)

    def on(self, option: str) -> bool:
        """Whether an older option is turned on."""
        return option in self.settings.older

    def down(self, who: str) -> int:
        """Bumps down from a stretch."""
        return sum(each.down for each in self.lines if each.who == who)

    def target(self, who: str, choice: Choice | None = None) -> int:
        """The target number that somebody rolls with."""
        score = self.score_of(who, choice)
        return (self.edition.resolution.no_ability if score is None else score) + sum(self.modifiers(who))

    def terms(self, throw: Throw) -> Terms:
        """What was rolled with."""
        lies = throw.thrown
        return Terms(lies.choice.score, lies.modifiers, lies.resistance, lies.resistance_modifiers,
                     (throw.spends(0), throw.spends(1)), down=lies.down, edition=self.edition)

    def clash(self, throw: Throw) -> Clash:
        """How dice lie, with the story points that were spent so far."""
        return self.terms(throw).clash(throw.thrown.dice)

    def may_spend(self, throw: Throw, place: int) -> bool:
        """Whether a story point may be offered: not on a critical, not from an empty pool, and once (QW-12)."""
        who = throw.thrown.deciders[place]
        if not who or who in dict(throw.decided) or not self.context.pool(POOL):
            return False
        return self.clash(throw).improvable[place]

    def waits(self, throw: Throw) -> bool:
        """Whether somebody has a story point to think of."""
        return any(self.may_spend(throw, place) for place in (0, 1))

    def with_(self, who: str, **changes: object) -> State:
        """The state with these facts of one contestant changed."""
        return replace(self, contestants=tuple(
            replace(each, **changes) if each.id == who else each  # type: ignore[arg-type]
            for each in self.contestants))

    def with_bout(self, number: int, **changes: object) -> State:
        """The state with these facts of one pair changed."""
        return replace(self, bouts=tuple(
            replace(each, **changes) if each.number == number else each  # type: ignore[arg-type]
            for each in self.bouts))

    def bout(self, number: int) -> Bout:
        """The pair of this number; raises `KeyError`."""
        for each in self.bouts:
            if each.number == number:
                return each
        raise KeyError(number)

    @property
    def fighters(self) -> tuple[Contestant, ...]:
        """Everybody who stands in it."""
        return tuple(each for each in self.contestants if each.fights)

    def bid_of(self, who: str) -> Bid | None:
        """What somebody has bid in this round; None where whoever it was against is out by now (QW-56)."""
        found = next((each for each in reversed(self.bids) if each.who == who), None)
        against = self.contestant(found.whom) if found else None
        return found if against and against.fights else None

    @property
    def turn(self) -> str:
        """Whose exchange is next in an extended contest; "" while bids are missing, or all have had theirs.

        One against one: whom somebody plays goes first. In a group the highest bid does, and who defers comes last.
        """
        left = [each for each in self.fighters if each.id not in self.done]
        if len(self.fighters) == 2:
            return min(left, key=lambda each: (not self.keeper(each.id), each.part.side)).id if left else ""
        bids = {each.id: bid.choice.bid for each in left if (bid := self.bid_of(each.id))}
        if len(bids) < len(left) or not bids:
            return ""
        return min(bids, key=lambda who: (who in self.deferred, -bids[who]))

    @property
    def answered(self) -> bool:
        """Whether a bid waits for the other player's answer: two players alone, each with an ability of their own."""
        return len(self.fighters) == 2 and all(self.keeper(each.id) for each in self.fighters)

    def foes(self, who: str) -> Iterator[Contestant]:
        """Who stands on the other side of somebody."""
        side = self.entrant(who).part.side
        return (each for each in self.contestants if each.fights and each.part.side != side)
