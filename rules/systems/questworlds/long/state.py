"""What is so in a long contest at one moment, whichever kind it is, and the values that it is made of."""
from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from enum import Enum
from fractions import Fraction
from functools import cached_property
from typing import Any, ClassVar, Self

from rules.engine import Event, Sheets
from rules.procedure import ActResult, CampaignContext, Options
from rules.systems.questworlds.after import Defeat, Gave, Learned
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.long.values import (
    NO_ACTION,
    NO_CHOICE,
    Bout,
    Choice,
    Contestant,
    ContestOptions,
    Judged,
    Line,
    Proposal,
    Resolved,
    Ruled,
    Shot,
    Throw,
    Thrown,
)
from rules.systems.questworlds.older.policy import Policy
from rules.systems.questworlds.reckoning import Modifier, Party, held, settle, terms
from rules.systems.questworlds.roll import Clash

POOL = "story_points"
IN_THE_BACKGROUND = ("supporter", "In the background: assists")
NOBODY = -1  # in the place of the side that has won


class Phase(Enum):
    """Where it is."""

    BLANK = "blank"
    ROUNDS = "rounds"
    RESTS = "rests"  # to be gone on with at another time (QW-59)
    AFTER = "after"  # a side has nobody left in it
    OVER = "over"


@dataclass(frozen=True)
class State:
    """A contest of pairs at one moment: sides, who is in it, who faces whom, what was rolled, what counts, what came.

    Each kind holds its own part, and says what is its own way. `context` is what else the campaign holds: in no event.
    """

    form: ClassVar[str] = ""
    rule: ClassVar[str] = ""  # the rule that a round of it follows
    contestant_kind: ClassVar[type[Contestant]] = Contestant
    tables_rule: ClassVar[str] = "QW-A5"  # that of its tables, with the older options
    hurts_at_once: ClassVar[bool] = False  # whether a lost round leaves a consequence (QW-57)
    tactics: ClassVar[bool] = False  # whether a round is chosen with a tactic (QW-44)
    shot: ClassVar[str] = ""  # the kind of roll that a parting shot is; "" where there are none
    hides_totals: ClassVar[bool] = False  # whether nobody reads from a roll what somebody has left (QW-52)

    settings: ContestOptions = field(default_factory=ContestOptions)
    contestants: tuple[Contestant, ...] = ()
    bouts: tuple[Bout, ...] = ()
    round: int = 0
    throws: tuple[Throw, ...] = ()
    unread: tuple[Self, Thrown] | None = None  # before the last dice in which somebody's word counts, and these
    lines: tuple[Line, ...] = ()
    unfit: tuple[tuple[str, str], ...] = ()  # whose abilities, by id, do not count here, as the GM said
    proposals: tuple[Proposal, ...] = ()
    overcome: tuple[str, ...] = ()  # the flaws that were no hindrance here, by line (QW-23)
    met: tuple[tuple[int, str], ...] = ()  # flaws that came up, by round and line (QW-24)
    shots: tuple[Shot, ...] = ()  # parting shots that were asked for
    record: tuple[tuple[int, Resolved], ...] = ()  # all that was rolled: round, what came of it
    paused: bool = False
    scene: str = ""  # where it went on last; "" for where it began
    gave: tuple[Gave, ...] = ()
    ruled: Ruled | None = None
    learned: tuple[Learned, ...] = ()
    ended: str = ""
    heirs: int = NOBODY  # the side that had won when the last of it died
    context: CampaignContext = field(default_factory=CampaignContext)
    edition: Edition = FIRST

    # What each kind has its own way in.

    def unsaid(self, line: Line) -> Self:
        """What else changes where a line that somebody said is struck."""
        return self

    def without_ability(self, who: str, trait: str, *, lie: bool) -> Self:
        """What somebody uses counts no more from now on, nor a stretch of it: until they choose another, none fits.
        They choose again what they have not rolled with; where dice `lie`, they have rolled with none."""
        bouts = tuple(replace(bout, chosen=tuple(
            (chooser, choice.unfit if (chooser, choice.trait) == (who, trait) else choice)
            for chooser, choice in bout.chosen if lie or bout.faces or (chooser, choice.trait) != (who, trait)))
            for bout in self.bouts)
        lines = tuple(line for line in self.lines if (line.who, line.kind) != (who, "stretch"))
        state = replace(self, bouts=bouts, lines=lines, unfit=(*self.unfit, (who, trait)))
        using = state.entrant(who).using
        return state.with_(who, using=using.unfit) if using and using.trait == trait else state

    def staked(self, dice: Thrown) -> int:
        """What dice that are read again count by, beside what is rolled with."""
        return dice.step

    @property
    def round_over(self) -> bool:
        """Whether everybody has had this round."""
        bouts = self.open_bouts
        return bool(bouts) and all(bout.played >= self.round for bout in bouts)

    def next_round(self, number: int) -> Self:
        """The state at the beginning of a round."""
        return replace(self, round=number, lines=tuple(line for line in self.lines if not line.once))

    def thrown(self, dice: Thrown) -> Self:
        """Dice lie. Whoever rolled in a pair has used what they chose; a helper has acted."""
        state = replace(self, throws=(*self.throws, Throw(dice)))
        if dice.kind in NO_ACTION:
            return state
        if dice.kind != "round":
            return state.with_(dice.first, acted=state.round)
        for who, choice in ((dice.first, dice.choice), (dice.second, dice.other)):
            if state.entrant(who).part.resistance is None:
                state = state.with_(who, using=choice)
        return state.with_bout(dice.bout, chosen=(), faces=())

    def penalty(self, who: str, more: int = 0) -> int:
        """What this contest itself takes off somebody, with another consequence of rank `more` (QW-57)."""
        return 0

    def comes_to(self, sheets: Sheets, throw: Throw, clash: Clash) -> str:
        """What dice would move, in a few words for whoever decides on a story point; "" for what settling says."""
        return ""

    def roles(self, who: Contestant) -> Options:
        """What a follower of somebody may be here."""
        return (IN_THE_BACKGROUND,)

    @property
    def consequences(self) -> frozenset[str]:
        """The names of those that came of this contest, and count in it by themselves."""
        return frozenset()

    def can_use(self, who: str, choice: Choice) -> bool:
        """Whether somebody may roll with an ability."""
        return True

    def to_win(self, bout: Bout, first: str, choice: Choice) -> Callable[[str, str], Fraction | None]:
        """Answers the chance to win a pair by both sides' tactics in this round, later ones normal, with the abilities
        of now; None where it may go on for ever."""
        raise NotImplementedError

    @property
    def uncounted(self) -> str:
        """Why there may be no such chance to be told."""
        return ""

    @property
    def by_tables(self) -> bool:
        """Whether the end of it gives states by a table of the older options (QW-A3, QW-A5)."""
        return False

    def judged(self, who: Contestant, arc: str) -> Judged:
        """How it came out for one who had a round, by the tables."""
        raise NotImplementedError

    # What they share.

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
        standing = {contestant.part.side for contestant in self.contestants if contestant.fights}
        if len(standing) > 1:
            return None
        return standing.pop() if standing else self.heirs

    def in_order(self, one: str, other: str) -> tuple[str, str]:
        """Two who face each other, the one of the earlier side first."""
        first, second = sorted((one, other), key=lambda who: self.entrant(who).part.side)
        return first, second

    def side(self, place: int) -> tuple[Contestant, ...]:
        """Everybody of a side, whether still in it or not."""
        return tuple(contestant for contestant in self.contestants if contestant.part.side == place)

    def side_of(self, who: str) -> int:
        """The side that somebody is on; the first for who is not in it."""
        contestant = self.contestant(who)
        return contestant.part.side if contestant else 0

    def contestant(self, who: str) -> Contestant | None:
        """The one of this id; None for who is not in it."""
        return self._by_id.get(who)

    @cached_property
    def _by_id(self) -> Mapping[str, Contestant]:
        return {contestant.id: contestant for contestant in self.contestants}  # asked for hundreds of times a page

    def entrant(self, who: str) -> Contestant:
        """The one of this id; raises `KeyError`."""
        if (contestant := self.contestant(who)) is None:
            raise KeyError(who)
        return contestant

    def name_of(self, who: str) -> str:
        """The name of somebody in it; "" for anybody else."""
        contestant = self.contestant(who)
        return contestant.name if contestant else ""

    def keeper(self, who: str) -> str:
        """The id of whose player rolls for one: a follower's leader's, else one's own; "" for an NPC."""
        contestant = self.contestant(who)
        if contestant is None:
            return ""
        id_ = contestant.part.leader or who
        return id_ if id_ in self.settings.players else ""

    def own(self, by: str) -> tuple[Contestant, ...]:
        """Whom this sheet's player rolls for."""
        return tuple(contestant for contestant in self.contestants if self.keeper(contestant.id) == by) if by else ()

    @property
    def open_bouts(self) -> tuple[Bout, ...]:
        """The pairs that go on: nobody faces somebody who is out, whatever has brought either of them back."""
        return tuple(bout for bout in self.bouts if not bout.closed and self.stand(bout))

    def stand(self, bout: Bout) -> bool:
        """Whether both of a pair stand in it."""
        return all(self.entrant(who).fights for who in (bout.ours, bout.theirs))

    def bouts_of(self, who: str) -> tuple[Bout, ...]:
        """The pairs that somebody is in now."""
        return tuple(open_bout for open_bout in self.open_bouts if who in (open_bout.ours, open_bout.theirs))

    def bouts_had(self, who: str) -> tuple[Bout, ...]:
        """The pairs in which somebody has had a round, whether they go on or not."""
        return tuple(bout for bout in self.bouts if who in (bout.ours, bout.theirs) and bout.rounds)

    def defeat_of(self, who: str) -> Defeat | None:
        """What somebody lost against, with what, once it is done (QW-25)."""
        contestant, bouts = self.contestant(who), self.bouts_had(who)
        if self.ended != "done" or contestant is None or not bouts or contestant.status == "in":
            return None
        used = {came.abilities[came.second == who]: None for bout in bouts for came in bout.rounds}
        foes = tuple(self.name_of(bout.other(who)) for bout in bouts)
        return Defeat(self.settings.obstacle, foes, tuple(used))

    def free(self, who: str) -> bool:
        """Whether somebody stands in it and faces nobody."""
        contestant = self.contestant(who)
        return bool(contestant and contestant.fights and not self.bouts_of(who))

    def may_take_on(self, who: str) -> bool:
        """Whether somebody may choose whom they face: nobody presses them, or they got away (QW-46, QW-47)."""
        contestant = self.contestant(who)
        return self.free(who) or bool(contestant and contestant.away)

    def at_hand(self, who: str) -> bool:
        """Whether somebody may act beside the pairs: as those who may choose, or from the background (QW-48)."""
        contestant = self.contestant(who)
        helps = bool(contestant and contestant.status == "in" and contestant.part.role == "supporter")
        return self.may_take_on(who) or helps

    def busy(self, who: str) -> bool:
        """Whether somebody's dice wait for a story point, as one of two who rolled or who decide."""
        return any(who in (throw.thrown.first, throw.thrown.second, *throw.thrown.deciders) for throw in self.throws)

    def shot_of(self, by: str) -> Shot | None:
        """The parting shot that somebody asked for, as long as both are as they were (QW-45)."""
        parting = next((shot for shot in self.shots if shot.by == by), None)
        holds = parting and self.entrant(by).fights and self.entrant(parting.whom).status == "beaten"
        return parting if holds else None

    def score_of(self, who: str, choice: Choice | None = None) -> int | None:
        """What somebody rolls with before modifiers; None where no ability fits."""
        contestant = self.entrant(who)
        if contestant.part.resistance is not None:
            return contestant.part.resistance
        used = choice or contestant.using
        return used.score if used else None

    def party(self, who: str, choice: Choice | None = None) -> Party:
        """One side of a roll: the ability (the one used last, where none is said), and what counts with that."""
        contestant = self.contestant(who)
        used = choice or (contestant.using if contestant else None) or NO_CHOICE
        score = self.score_of(who, choice) if contestant else used.score
        name = contestant.part.ability if contestant and contestant.part.resistance is not None else used.name
        return Party(score, tuple(filter(None, (used.trait, name))), self.counts(who, used))

    def counts(self, who: str, used: Choice) -> tuple[Modifier, ...]:
        """What there is for or against somebody: lines, what binds by itself, consequences of this contest (QW-57)."""
        lines = [line for line in self.lines if line.who == who and not self.of_itself(line, used)]
        there = {source for line in lines for source in (line.source, *line.sources)}
        contestant = self.contestant(who)
        part = contestant.part if contestant else None
        binds = [line.modifier for line in (*used.binds, *(part.binds if part else ())) if line.source not in there]
        if part and part.resistance is not None:
            binds = [*held(binds, part.resistance, (part.ability,), self.edition)]
        penalty = self.penalty(who)
        return (*(line.modifier for line in lines), *binds,
                *([Modifier(who, "this contest", "This contest", penalty)] if penalty else []))

    @property
    def laid(self) -> tuple[Line, ...]:
        """What counts in it, for anybody."""
        return self.lines

    def of_itself(self, line: Line, used: Choice) -> bool:
        """Whether an augment is what is used, or of its keyword, whichever was chosen first (QW-22)."""
        if line.kind != "augment" or not used.trait:
            return False
        near = used.trait == line.family or used.family == line.source
        akin = bool(line.family) and line.family == used.family and (near or not self.settings.packages)
        return line.source == used.trait or akin

    @cached_property
    def policy(self) -> Policy:
        """What the older options that it began with make of it."""
        return Policy(self.settings.older)

    def target(self, who: str, choice: Choice | None = None) -> int:
        """The target number that somebody rolls with."""
        return terms(self.party(who, choice), Party(None), edition=self.edition).score

    def terms(self, throw: Throw) -> Terms:
        """What was rolled with, with the story points that were spent so far."""
        return throw.thrown.kept.terms((throw.spends(0), throw.spends(1)), self.edition)

    def clash(self, throw: Throw) -> Clash:
        """How dice lie."""
        return settle(self.terms(throw), throw.thrown.dice)

    def may_spend(self, throw: Throw, place: int) -> bool:
        """Whether a story point may be offered: not on a critical, not from an empty pool, and once (QW-12)."""
        who = throw.thrown.deciders[place]
        if not who or who in dict(throw.decided) or not self.context.pool(POOL):
            return False
        return self.clash(throw).improvable[place]

    def waits(self, throw: Throw) -> bool:
        """Whether somebody has a story point to think of."""
        return any(self.may_spend(throw, place) for place in (0, 1))

    def with_(self, who: str, **changes: object) -> Self:
        """The state with these facts of one contestant changed."""
        return replace(self, contestants=tuple(
            replace(contestant, **changes) if contestant.id == who else contestant  # type: ignore[arg-type]
            for contestant in self.contestants))

    def with_bout(self, number: int, **changes: object) -> Self:
        """The state with these facts of one pair changed."""
        return replace(self, bouts=tuple(
            replace(bout, **changes) if bout.number == number else bout  # type: ignore[arg-type]
            for bout in self.bouts))

    def bout(self, number: int) -> Bout:
        """The pair of this number; raises `KeyError`."""
        return {bout.number: bout for bout in self.bouts}[number]

    @property
    def fighters(self) -> tuple[Contestant, ...]:
        """Everybody who stands in it."""
        return tuple(contestant for contestant in self.contestants if contestant.fights)

    def foes(self, who: str) -> Iterator[Contestant]:
        """Who stands on the other side of somebody."""
        side = self.entrant(who).part.side
        return (contestant for contestant in self.fighters if contestant.part.side != side)


Result = ActResult[Event[Any]]
