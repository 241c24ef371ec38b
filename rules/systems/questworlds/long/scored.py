"""A scored contest: points of a round, assists, parting shots, what followers carry (QW-43, QW-45, QW-48, QW-49)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import lru_cache
from typing import Any, ClassVar, Self, cast

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice as ChoiceField
from rules.fields import text
from rules.moves import Need, Step
from rules.procedure import Offer, Options
from rules.sheet import Sheet
from rules.systems.questworlds.contest import leads
from rules.systems.questworlds.edition import ScoredRule
from rules.systems.questworlds.long.beside import decider, helper, with_helper
from rules.systems.questworlds.long.chances import of_roll
from rules.systems.questworlds.long.dice import (
    Settled,
    both,
    comes_of,
    fall,
    laid,
    terms_of,
    two,
)
from rules.systems.questworlds.long.pairs import Returned, WentOut, gms, own, pair_name
from rules.systems.questworlds.long.parting import PartingMade, a_shot, asked, odds_of_asked, why_of_asked
from rules.systems.questworlds.long.rounds import aimed, mover
from rules.systems.questworlds.long.state import IN_THE_BACKGROUND, Result, State
from rules.systems.questworlds.long.values import Bout, Choice, Contestant, Judged, Throw, Thrown
from rules.systems.questworlds.long.why import of_roll as why_of
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older import long_tables as tables
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.roll import Clash
from rules.systems.questworlds.scored import Score, added, adds_by, outcome_of, round_steps, to_win
from rules.wording import sentence

ROLES = (("contestant", "A contestant: out when 3 points fall in one round"),
         ("secondary", "At your side: takes points over, out at 3"), IN_THE_BACKGROUND)
Ways = tuple[tuple[tuple[int, int], int], ...]  # which side leads by which rank, in how many throws
FOLLOWER_FALLS = 3  # points in one round that put a follower out, and as many that it may carry for its leader (QW-49)


@dataclass(frozen=True)
class ScoredContestant(Contestant):
    """Somebody in a scored contest."""

    points: int = 0  # on a follower: taken over (QW-49)


@dataclass(frozen=True)
class ScoredState(State):
    """A scored contest at one moment; the points stand at its pairs."""

    form: ClassVar[str] = "scored"
    rule: ClassVar[str] = "QW-43"
    contestant_kind: ClassVar[type[Contestant]] = ScoredContestant
    tactics: ClassVar[bool] = True
    shot: ClassVar[str] = "parting"
    tables_rule: ClassVar[str] = "QW-A3"

    contestants: tuple[ScoredContestant, ...] = ()
    tries: tuple[tuple[str, int], ...] = ()  # how often somebody was assisted (QW-48)
    assists_from: int = 0  # the rank that assists begin with, as the GM says (QW-48)

    def contestant(self, who: str) -> ScoredContestant | None:
        return cast("ScoredContestant | None", super().contestant(who))

    def entrant(self, who: str) -> ScoredContestant:
        return cast(ScoredContestant, super().entrant(who))

    def thrown(self, dice: Thrown) -> Self:
        state = super().thrown(dice)
        if dice.kind != "assist":
            return state
        tries = dict(state.tries)
        return replace(state, tries=tuple({**tries, dice.whom: tries.get(dice.whom, 0) + 1}.items()))

    def comes_to(self, sheets: Sheets, throw: Throw, clash: Clash) -> str:
        lies = throw.thrown
        hers = lies.choice if clash.lead > 0 else lies.other
        if lies.kind == "parting" and clash.lead < 0:
            return self._back(lies.whom, clash.rank)
        if lies.kind != "round" or not clash.lead or hers.aim:
            return ""
        winner, loser = (lies.first, lies.second) if clash.lead > 0 else (lies.second, lies.first)
        gets, bout = scores(lies, clash, self.edition.scored), self.bout(lies.bout)
        falls = bout.points[bout.place(winner)] + gets >= self.edition.scored.to_win or self.follower_falls(loser, gets)
        out = f", {self.name_of(loser)} is out" if falls else ""
        return f"{self.name_of(winner)} +{gets}{out}"

    def to_win(self, bout: Bout, first: str, choice: Choice) -> Callable[[str, str], Fraction | None]:
        """Points only grow, so that the chance of each score follows from later ones."""
        rule, place = self.edition.scored, bout.place(first)
        start = bout.points[place], bout.points[1 - place]
        followers = bool(self.entrant(first).part.leader), bool(self.entrant(bout.other(first)).part.leader)
        ways = tuple(leads(terms_of(self, bout, first, choice)).items())
        return lambda mine, theirs: chance_of(ways, (mine, theirs), start, followers, rule)

    def follower_falls(self, who: str, gets: int) -> bool:
        """Whether somebody is a follower whom so many points in one round put out (QW-49)."""
        return bool(self.entrant(who).part.leader) and gets >= FOLLOWER_FALLS

    def roles(self, who: Contestant) -> Options:
        return ROLES

    @property
    def by_tables(self) -> bool:
        return self.policy.tables_of_scored

    def judged(self, who: Contestant, arc: str) -> Judged:
        """By the last opponent whom they faced; at a climax by the points of all of them (QW-A3)."""
        bouts = self.bouts_had(who.id)
        place = bouts[-1].place(who.id)
        ours, theirs = bouts[-1].points[place], bouts[-1].points[1 - place]
        let_go = self._let_go(who, bouts[-1], ours - theirs)
        row = None if let_go else tables.rising(ours - theirs)
        won = ours > theirs
        degree = let_go or ((row.degree if won else -row.degree) if row else 0)
        given = ", and the prize was given up" if let_go else ""
        text = f"{ours} to {theirs}{given}, a {in_words(degree)}"
        if arc != "climax":
            return Judged(degree, ((row.winner if won else -row.loser),) if row else (), f"{text}.")
        # Whoever lost counts one more: for one opponent that is what rising action has for as many points against one.
        against = sum(bout.points[1 - bout.place(who.id)] for bout in bouts) + (degree < 0)
        state = tables.climax(against)
        gains = (row.winner,) if row and won and row.winner > 0 else ()
        counted = f"{against} against them{', one of it for the defeat' if degree < 0 else ''}"
        return Judged(degree, (*gains, *((-state,) if state else ())), f"{text}; at the climax {counted}.")

    def _back(self, who: str, rank: int) -> str:
        """What a parting shot that was lost does for the one who fell."""
        fallen = self.entrant(who)
        if fallen.fell is None or fallen.fell.bout < 0:
            return ""
        bout = self.bout(fallen.fell.bout)
        left = bout.points[1 - bout.place(who)] - min(rank, fallen.fell.points)
        return f"{fallen.name} is {'back' if left < self.edition.scored.to_win else 'still out'}, {left} against"

    def _let_go(self, who: Contestant, bout: Bout, ahead: int) -> int:
        """The degree where the prize was let go of against the points; 0 where the points say it.

        *Ruling*: conceding or getting away is the loss of the prize, marginal where the points were even or better.
        """
        if who.gave_up and ahead >= 0:
            return -tables.MARGINAL
        left = who.status == "in" and self.entrant(bout.other(who.id)).gave_up
        return tables.MARGINAL if left and ahead <= 0 else 0


@dataclass(frozen=True)
class Scored(Event[ScoredState]):
    """Points of a pair change: those of both sides, by so much (QW-43). Below 0 they were taken back (QW-48)."""

    bout: int
    ours: int
    theirs: int

    def after(self, state: ScoredState) -> ScoredState:
        before = state.bout(self.bout).points
        return state.with_bout(self.bout, points=(max(0, before[0] + self.ours), max(0, before[1] + self.theirs)))


@dataclass(frozen=True)
class AssistsFrom(Event[ScoredState]):
    """The GM says with which rank assists begin (QW-48)."""

    rank: int

    def after(self, state: ScoredState) -> ScoredState:
        return replace(state, assists_from=self.rank)


@dataclass(frozen=True)
class InitiativeSaid(Event[ScoredState]):
    """The GM says who of a pair has the initiative, and says first what they do, until it is said otherwise (QW-43)."""

    bout: int
    who: str

    def after(self, state: ScoredState) -> ScoredState:
        return state.with_bout(self.bout, initiative=self.who)


def scores(lies: Thrown, clash: Clash, rule: ScoredRule) -> int:
    """What the winner of a round scores, where the prize is what they are after."""
    return sum(added(clash.lead, clash.rank, tactics_of(lies), rule))


def tactics_of(lies: Thrown) -> tuple[str, str]:
    """How both went about a round."""
    return lies.choice.tactic, lies.other.tactic


@lru_cache(maxsize=512)
def chance_of(
    ways: Ways, tactics: tuple[str, str], start: Score, followers: tuple[bool, bool], rule: ScoredRule
) -> Fraction:
    """The first side's chance to win from a score, with this round by these tactics and the later ones normal.

    In: which side leads by which rank in how many throws, and who of the two is a follower.
    """
    wins = wins_from(ways, followers, rule)
    adds = adds_by(dict(ways), tactics, rule)
    return sum((wins((start[0] + more[0], start[1] + more[1]), more) * times for more, times in adds.items()),
               Fraction(0)) / sum(adds.values())


@lru_cache(maxsize=128)
def wins_from(
    ways: Ways, followers: tuple[bool, bool], rule: ScoredRule
) -> Callable[[Score, Score], Fraction]:
    """Answers the same from a score, of which so much was just added."""
    def over(score: Score, more: Score) -> str | None:
        """As points have it; a follower falls by what one round brings (QW-49)."""
        fallen = [who for who in (0, 1) if followers[who] and more[1 - who] >= FOLLOWER_FALLS]
        return outcome_of(score, rule) or (("defeat", "victory")[fallen[0]] if fallen else None)
    return to_win(adds_by(dict(ways), ("normal", "normal"), rule), over)


@comes_of("round", ScoredState, victory="wins", defeat="loses", tie="ties")
def scored_round(state: ScoredState, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Settled:
    """The winner scores the rank, as tactics have it; at five the loser is out."""
    lies, rule = throw.thrown, state.edition.scored
    if not clash.lead:
        return (), round_steps(clash, tactics_of(lies), rule, ("", "")), "Nothing changes.", ()
    won = clash.lead > 0
    winner, loser = (lies.first, lies.second) if won else (lies.second, lies.first)
    hers = lies.choice if won else lies.other
    if hers.aim:
        aims, because, words = aimed(state, lies.bout, winner, hers)
        return tuple(aims), because, words, ()
    gets = scores(lies, clash, rule)
    bout = state.bout(lies.bout)
    place = bout.place(winner)
    total = bout.points[place] + gets
    score = [*bout.points]
    score[place] = total
    events: list[Event[Any]] = [Scored(bout.number, *((gets, 0) if not place else (0, gets)))] if gets else []
    text = f"{state.name_of(winner)} +{gets}, {score[0]} to {score[1]}."
    steps = round_steps(clash, tactics_of(lies), rule, (state.name_of(lies.first), state.name_of(lies.second)),
                        so_far=f": the score is {score[0]} to {score[1]}")
    if total >= rule.to_win or state.follower_falls(loser, gets):
        events.append(WentOut(loser, "beaten", bout.number, gets))
    return tuple(events), steps, text, ()


def assist_resistance(state: ScoredState, whom: str) -> int:
    """What an assist for somebody faces: the base, and a rank more for each try before, whoever made it (QW-48)."""
    steps, difficulty = state.edition.modifiers, state.edition.difficulty
    tries = dict(state.tries).get(whom, 0) + state.assists_from
    base = state.settings.base or difficulty.base
    return max(difficulty.least, base + steps.of_rank(steps.held(tries)))


@comes_of("assist", ScoredState, victory="helps", defeat="makes it worse", tie="changes nothing")
def assisted(state: ScoredState, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Settled:
    """Points against whom one helps go down by the rank, or up; never below 0, and five are five (QW-48)."""
    lies = throw.thrown
    if not clash.lead:
        return (), (), "Nothing changes.", ()
    bout, whom = state.bout(lies.bout), lies.whom
    place = 1 - bout.place(whom)
    before = bout.points[place]
    after = max(0, before - clash.lead * clash.rank)
    by = after - before
    events: list[Event[Any]] = [Scored(bout.number, *((by, 0) if not place else (0, by)))] if by else []
    if after >= state.edition.scored.to_win:
        events.append(WentOut(whom, "beaten", bout.number, by))
    text = f"{after} points are against {state.name_of(whom)}, {before} before."
    return tuple(events), (Step("QW-48", text), Step("QW-80", "An assist earns no experience.")), text, ()


@comes_of("parting", ScoredState, victory="has the last word", defeat="overreaches", tie="changes nothing")
def parted_with(state: ScoredState, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Settled:
    """A parting shot: the further prize is won, or points are taken back, and who fell may return (QW-45)."""
    lies, rule = throw.thrown, state.edition.scored
    events: list[Event[Any]] = [PartingMade(lies.whom)]
    prize = sentence(lies.choice.words) if lies.choice.words else ""
    if clash.lead > 0:
        return tuple(events), (Step("QW-45", f"The further prize is won. {prize}".rstrip()),), prize, ()
    if not clash.lead:
        return tuple(events), (), "Nothing changes.", ()
    fallen = state.entrant(lies.whom)
    if fallen.fell is None or fallen.fell.bout < 0:
        return tuple(events), (), "", ()
    bout = state.bout(fallen.fell.bout)
    place = 1 - bout.place(lies.whom)
    back = min(clash.rank, fallen.fell.points)
    left = bout.points[place] - back
    events.append(Scored(bout.number, *((-back, 0) if not place else (0, -back))))
    text = f"{back} points are taken back: {left} are against {fallen.name}."
    steps = [Step("QW-45", text)]
    if left < rule.to_win:
        events.append(Returned(lies.whom, "parting", bout.number))
        steps.append(Step("QW-45", f"That is under {rule.to_win}: {fallen.name} is back in it."))
        text = f"{fallen.name} is back, with {left} points against."
    return tuple(events), tuple(steps), text, ()


def assist(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Help for somebody who is pressed: points against them go down, or up (QW-48)."""
    dice = two(faces)
    if dice is None:
        return both(faces)
    who, name, choice = helper(state, sheets, by, values)
    bout = state.bout(int(values["bout"]))
    contestant = state.contestant(who)
    whom = bout.theirs if contestant and contestant.part.side == 1 else bout.ours
    return fall(state, sheets, laid(
        state, "assist", who, choice, dice, name=name, second_name="the resistance to helping", bout=bout.number,
        resistance=assist_resistance(state, whom), deciders=(decider(state, sheets, who), ""), whom=whom,
        step=dict(state.tries).get(whom, 0)))


def assists_from(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Where assists begin (QW-48)."""
    words = {-1: "one rank under the base", 0: "at the base", 1: "one rank over the base"}[int(values["rank"])]
    return Result((AssistsFrom(int(values["rank"])),), (Step("QW-48", f"Assists begin {words}."),))


def initiative(state: ScoredState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Who of a pair says first what they do (QW-43)."""
    number, _, who = values["whose"].partition(":")
    other = state.name_of(state.bout(int(number)).other(who))
    text = f"{state.name_of(who)} has the initiative against {other}, and says first what they do."
    return Result((InitiativeSaid(int(number), who),), (Step("QW-43", text),))


def can_say_who_has_the_initiative(state: ScoredState, sheets: Sheets) -> Offer | None:
    """Each of a pair; whose it is now is not asked for again. Unsaid it is the side's that a player is on."""
    options = tuple((f"{bout.number}:{who}", f"{state.name_of(who)}, against {state.name_of(bout.other(who))}")
                    for bout in state.open_bouts for who in (bout.theirs, bout.ours)
                    if who != (bout.initiative or mover(state, bout)))
    if not options:
        return None
    return Offer("initiative", "", "Set the initiative", "They say first what they do, until you say "
                 "otherwise.", (text("whose", "Character", needed=True),), {"whose": options},
                 now={"whose": options[0][0]})


def can_assist(state: ScoredState, sheet: Sheet) -> Offer | None:
    side = state.side_of(sheet.id)
    bouts = []
    for bout in state.open_bouts:
        whom = (bout.ours, bout.theirs)[side]
        if not state.busy(whom) and sheet.id != whom:
            faces = notation(assist_resistance(state, whom), state.settings.symbol)
            bouts.append((str(bout.number), f"{pair_name(state, bout)}: against {faces}"))
    return with_helper(state, sheet, "assist", "Assist someone",
                        "Takes points away from those against them by the outcome’s rank. A defeat adds them.",
                        (("bout", "In which pair", tuple(bouts)),), "How you help")


def can_part_with_a_shot(state: ScoredState, sheet: Sheet) -> Offer | None:
    """At whoever fell in this round or the one before, by one who is free; once for each fall (QW-45)."""
    me = state.contestant(sheet.id)
    if me is None or not me.fights or any(bout.played < state.round for bout in state.bouts_of(sheet.id)):
        return None
    return a_shot(state, sheet, "parting",
                  "For a further prize that the GM agrees to. If you lose, points are taken back, and they may return.")


def can_say_where_assists_begin(state: ScoredState, sheets: Sheets) -> Offer | None:
    """With which rank assists begin."""
    return Offer("assists_from", "", "Set where assists begin", "", (ChoiceField(
        name="rank", label="Assists begin", options=(("-1", "One rank under the base"), ("0", "At the base"),
                                                     ("1", "One rank over the base")), default="0"),))


EVENTS = (Scored, InitiativeSaid, AssistsFrom)
ASSIST: Act[Any] = Act("assist", own(can_assist), assist, odds=of_roll(assist), why=why_of(assist))
PARTING: Act[Any] = Act("parting", own(can_part_with_a_shot, after=True), asked, odds=odds_of_asked, why=why_of_asked)
INITIATIVE: Act[Any] = Act("initiative", gms(can_say_who_has_the_initiative), initiative)
ASSISTS_FROM: Act[Any] = Act("assists_from", gms(can_say_where_assists_begin), assists_from)
