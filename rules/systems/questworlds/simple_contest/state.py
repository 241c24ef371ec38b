"""What is so in a simple contest at one moment."""
from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property

from rules.engine import Event, Sheets
from rules.moves import Roll
from rules.procedure import ActResult, CampaignContext, Options
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.abilities import combined
from rules.systems.questworlds.after import Gave, Learned
from rules.systems.questworlds.contest import Terms, roll_of
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.policy import Policy
from rules.systems.questworlds.reckoning import (
    LASTING,
    Kept,
    Modifier,
    Party,
    counting,
    counts_with,
    held,
    settle,
    terms,
)
from rules.systems.questworlds.roll import Clash
from rules.systems.questworlds.simple_contest.values import (
    Chosen,
    ContestOptions,
    Mass,
    Opposition,
    Outcome,
    OwnRoll,
)
from rules.systems.questworlds.traits import FLAWS, score_of, usable


class Phase(Enum):
    """What the contest is waiting for."""

    BLANK = "blank"
    FRAME = "frame"  # what is used, and what stands against it
    MODIFY = "modify"  # lines with reasons, augments, hindrances
    ROLL = "roll"
    OWN_POINT = "own_point"  # a story point in the contest that an augment or a flaw has of its own
    POINT = "point"  # story points, after the dice
    AFTER = "after"  # what lasts
    OVER = "over"


@dataclass(frozen=True)
class Entrant:
    """Somebody who contends."""

    id: str
    name: str
    chosen: Chosen | None = None
    accepted: bool = False
    dice: tuple[int, int] | None = None
    point: bool | None = None
    face: int | None = None  # one's own die, where each of two players rolls one

    terms: Kept | None = None  # what was rolled with, once the dice lie

    @property
    def rolled_die(self) -> bool:
        """Whether a die of theirs lies."""
        return self.dice is not None or self.face is not None


@dataclass(frozen=True)
class Proposal:
    """An augment that was offered; `verdict` is "" until the GM answers, `won` until its contest is over."""

    by: str
    whom: str
    trait: str
    name: str
    score: int
    words: str
    helper: str = ""
    verdict: str = ""
    bonus: int = 3
    won: bool | None = None

    @property
    def open(self) -> bool:
        """Whether something is still to be done about it."""
        return not self.verdict or (self.verdict == "roll" and self.won is None)

    @property
    def helps(self) -> bool:
        """Whether it is among what counts."""
        return self.verdict == "assured" or bool(self.won)


@dataclass(frozen=True)
class State:
    """A simple contest at one moment. `context` is what the campaign holds beside it; it is in no event."""

    settings: ContestOptions = field(default_factory=ContestOptions)
    entrants: tuple[Entrant, ...] = ()
    oppositions: tuple[Opposition, ...] = ()
    modifiers: tuple[Modifier, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    waived: tuple[str, ...] = ()  # what the GM took off: lines of sheets that count here no more by themselves
    overcome: tuple[str, ...] = ()  # the flaws that were no hindrance here, by line
    own_roll: OwnRoll | None = None  # the contest of its own that waits for a story point
    decided: tuple[str, ...] = ()  # who has said whether they spend a story point, in that order
    mass: Mass | None = None
    frame_stands: bool = False
    outcomes: tuple[Outcome, ...] = ()
    side: str = ""
    boost: int = 0  # by how many steps story points made the group's outcome clearer (QW-A2)
    learned: tuple[Learned, ...] = ()
    taught: tuple[Learned, ...] = ()  # what had been learned before the outcome was known
    goals: tuple[tuple[str, str], ...] = ()
    gave: tuple[Gave, ...] = ()
    ended: str = ""
    context: CampaignContext = field(default_factory=CampaignContext)
    edition: Edition = FIRST

    @cached_property
    def phase(self) -> Phase:
        """What is waited for."""
        if not self.entrants:
            return Phase.BLANK
        if self.ended:
            return Phase.OVER
        if self.outcomes:
            return Phase.AFTER
        if not self.framed:
            return Phase.FRAME
        if self.own_roll:
            return Phase.OWN_POINT
        if not self.frame_stands:
            return Phase.MODIFY
        return Phase.ROLL if any(entrant.dice is None for entrant in self.entrants) else Phase.POINT

    @property
    def flaw_waits(self) -> bool:
        """Whether a flaw has come up, and neither its owner nor the GM has answered it (QW-24)."""
        return self.phase is Phase.FRAME and self.settings.mode == "flaw" and not self.oppositions

    @property
    def framing(self) -> bool:
        """Whether the frame is open: what is used, what is against it, and what counts."""
        return self.phase in (Phase.FRAME, Phase.MODIFY) and not self.flaw_waits

    @property
    def waiting(self) -> tuple[Proposal, ...]:
        """The augments that are not decided."""
        return tuple(proposal for proposal in self.proposals if proposal.open)

    @property
    def pair(self) -> bool:
        """Whether two characters stand against each other."""
        return self.settings.mode == "pair"

    def each_rolls(self, who: str) -> bool:
        """Whether two players stand against each other, so that each rolls their own die."""
        rival = self.rival(who)
        return rival is not None and {who, rival.id} <= {*self.settings.players}

    @property
    def unannounced(self) -> State:
        """The contest as players know it: what is assured is theirs to know when the GM says so, or after (QW-40)."""
        return replace(self, oppositions=tuple(
            against if against.announced else replace(against, assured="") for against in self.oppositions))

    @property
    def lent(self) -> bool:
        """Whether a force's number is rolled in the place of an ability (QW-29)."""
        return self.mass is not None and self.mass.role == "contributes"

    @property
    def framed(self) -> bool:
        """Whether all have said what they use, and what stands against them is known."""
        return all(entrant.chosen and (self.rival(entrant.id) or self.against(entrant.id)) for entrant in self.entrants)

    @property
    def open_choices(self) -> bool:
        """Whether what each uses may be seen: against each other, only when both have chosen."""
        return not self.pair or all(entrant.chosen for entrant in self.entrants)

    def entrant(self, who: str) -> Entrant:
        """The entrant of this id; raises `KeyError`."""
        for entrant in self.entrants:
            if entrant.id == who:
                return entrant
        raise KeyError(who)

    def name_of(self, who: str) -> str:
        """The name of an entrant; "" for somebody else."""
        return next((entrant.name for entrant in self.entrants if entrant.id == who), "")

    def against(self, who: str) -> Opposition | None:
        """What stands against one: their own, else everybody's; None for whoever is somebody's rival."""
        if self.others_side(who):
            return None
        own = [against for against in self.oppositions if against.who in (who, "")]
        return max(own, key=lambda against: against.who, default=None)

    def rival(self, who: str) -> Entrant | None:
        """The one who contends on the other side; None where a resistance stands against them."""
        if self.pair:
            return next(entrant for entrant in self.entrants if entrant.id != who)
        for against in self.oppositions:
            if against.rival and who in (against.who, against.rival):
                return self.entrant(against.rival if who == against.who else against.who)
        return None

    def others_side(self, who: str) -> bool:
        """Whether one contends against the group, as somebody's rival (QW-42)."""
        return any(against.rival == who for against in self.oppositions)

    def foe(self, who: str) -> str:
        """What stands against one, by name."""
        rival, against = self.rival(who), self.against(who)
        return rival.name if rival else against.name if against else "the resistance"

    def foe_sheet(self, who: str) -> str:
        """The id of the sheet whose numbers stand against one; "" where it is nobody's."""
        rival, against = self.rival(who), self.against(who)
        return rival.id if rival else against.npc if against else ""

    def goal_open(self, who: str) -> bool:
        """Whether one has won one of two goals and has not said which (QW-27)."""
        outcome = self.outcome(who)
        if not self.second_goal(who) or not outcome or outcome.outcome != "victory":
            return False
        if self.assured(who):
            return False
        return outcome.ours == outcome.theirs and not any(entrant == who for entrant, _ in self.goals)

    def second_goal(self, who: str) -> str:
        """A second goal of one's own, or the one that the GM has named; "" where there is none (QW-27)."""
        against, chosen = self.against(who), self.entrant(who).chosen
        return (chosen.goal if chosen else "") or (against.second_prize if against else "")

    def score(self, who: str) -> int | None:
        """The ability's score before modifiers; None where none fits."""
        chosen = self.entrant(who).chosen
        if chosen is None or chosen.score is None:
            return None
        return combined(chosen.score, chosen.second_score) if chosen.second_score is not None else chosen.score

    def lines(self, who: str) -> tuple[Modifier, ...]:
        """What counts for one with what they use, as it is reckoned."""
        return counting(self._laid(who), self.used(who), self.edition)

    @property
    def laid(self) -> tuple[Modifier, ...]:
        """What counts in it, for anybody."""
        return self.modifiers

    def used(self, who: str) -> tuple[str, ...]:
        """What one uses, by line."""
        chosen = self.entrant(who).chosen
        return chosen.used if chosen else ()

    def counted(self, who: str) -> set[str]:
        """The lines of one's sheet that count with what they use."""
        used = self.used(who)
        return {source for line in self._laid(who) if counts_with(line, used)
                for source in (line.source, *line.sources)}

    def _laid(self, who: str) -> tuple[Modifier, ...]:
        """What was laid on one; of an NPC on the other side never so much that they are under the least (QW-03)."""
        lines, players = tuple(line for line in self.modifiers if line.who == who), self.settings.players
        score = self.score(who) if players and who not in players and self.rival(who) else None
        if score is None:
            return lines
        lasting = [line for line in lines if line.kind == LASTING]
        return (*(line for line in lines if line.kind != LASTING), *held(lasting, score, self.used(who), self.edition))

    @cached_property
    def policy(self) -> Policy:
        """What the older options that it began with make of it."""
        return Policy(self.settings.older)

    @property
    def in_points(self) -> bool:
        """Whether a group's outcome is counted in outcome points (QW-A2)."""
        return self.settings.mode == "group" and self.policy.points

    def stretched(self, who: str) -> bool:
        """Whether what one uses is a stretch."""
        return any(line.kind == "stretch" for line in self.lines(who))

    def terms(self, who: str, *extra: int, points: tuple[bool, bool] = (False, False)) -> Terms:
        """What one rolls with, or has rolled with. `extra` are modifiers that are only thought of."""
        if kept := self.entrant(who).terms:
            return kept.terms(points, self.edition)
        rival, against = self.rival(who), self.against(who)
        ours = self._party(who, points[0], *extra)
        if rival:
            return terms(ours, self._party(rival.id, points[1]), degrees=self.policy.degrees, edition=self.edition)
        resistance = against.resistance if against else self.settings.base
        ties = against.tie_to_player if against else self.settings.tie_to_player
        return terms(ours, Party(resistance, point=points[1]), tie_to_player=ties, degrees=self.policy.degrees,
                     edition=self.edition)

    def _party(self, who: str, point: bool, *extra: int) -> Party:
        thought_of = (Modifier(who, "", "", amount) for amount in extra)
        return Party(self.score(who), self.used(who), (*self._laid(who), *thought_of), point, self.stretched(who))

    def clash(self, who: str, dice: tuple[int, int], *extra: int, points: tuple[bool, bool] = (False, False)) -> Clash:
        """Both sides with these dice, with bumps down from a stretch, and up from a resistance below 1."""
        return settle(self.terms(who, *extra, points=points), dice, assured=self.assured(who))

    def assured(self, who: str) -> bool:
        """Whether one's victory is no question, and the dice say what else comes of it (QW-40)."""
        against = self.against(who)
        return self.rival(who) is None and against is not None and bool(against.assured)

    def points(self, who: str) -> tuple[bool, bool]:
        """Whose story point is spent, as far as it is known."""
        rival = self.rival(who)
        return bool(self.entrant(who).point), bool(rival and rival.point)

    def rolled(self, who: str) -> Clash | None:
        """How one's dice lie now, with the story points that were spent; None before they fell."""
        dice = self.entrant(who).dice
        return None if dice is None else self.clash(who, dice, points=self.points(who))

    def roll(self, who: str) -> Roll | None:
        """The same for whoever resolves it anew."""
        dice = self.entrant(who).dice
        if dice is None:
            return None
        return roll_of(self.terms(who, points=self.points(who)), dice, assured=self.assured(who))

    def may_spend(self, who: str) -> bool:
        """Whether a story point may be offered: after the dice, not on a critical, not from an empty pool (QW-12).

        The pool is the players': an NPC has no part in it (QW-90).
        """
        entrant, clash = self.entrant(who), self.rolled(who)
        if who not in self.settings.players:
            return False
        if clash is None or entrant.point is not None or not self.context.pool("story_points"):
            return False
        return clash.improvable[0]

    def outcome(self, who: str) -> Outcome | None:
        """How it came out for one; None before that."""
        return next((outcome for outcome in self.outcomes if outcome.who == who), None)

    def with_(self, who: str, **changes: object) -> State:
        """The state with these facts of one entrant changed."""
        return replace(self, entrants=tuple(
            replace(entrant, **changes) if entrant.id == who else entrant for entrant in self.entrants))  # type: ignore[arg-type]

    def with_proposal(self, place: int, **changes: object) -> State:
        """The state with these facts of one augment changed, by its place."""
        return replace(self, proposals=tuple(
            replace(proposal, **changes) if number == place else proposal  # type: ignore[arg-type]
            for number, proposal in enumerate(self.proposals)))


Result = ActResult[Event[State]]


def plain(words: str) -> str:
    """Words as they are compared: without case, blanks, or what they end in."""
    return " ".join(words.casefold().split()).strip(".!?… ")


def named(state: State, sheet: Sheet, trait: Trait) -> str:
    """A line as a list shows it: `Detective · 17`."""
    score = score_of(trait, sheet)
    return f"{trait.name} · {notation(score, state.settings.symbol)}" if score is not None else trait.name


def abilities(state: State, sheet: Sheet) -> Options:
    """What a contest can be framed with."""
    return tuple((trait.id, named(state, sheet, trait)) for trait in usable(sheet))


def entrants(state: State) -> Options:
    """Who contends."""
    return tuple((entrant.id, entrant.name) for entrant in state.entrants)


def of_entrants(state: State, sheets: Sheets, kinds: Iterable[str]) -> Options:
    """Lines of these kinds, of all who contend."""
    wanted = set(kinds)
    return tuple(
        (trait.id, f"{sheets[entrant.id].name}: {named(state, sheets[entrant.id], trait)}")
        for entrant in state.entrants if entrant.id in sheets
        for trait in sorted(sheets[entrant.id].traits, key=lambda one: one.kind not in FLAWS) if trait.kind in wanted
    )
