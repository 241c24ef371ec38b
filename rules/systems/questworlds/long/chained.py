"""A chained contest: a consequence at once, who has to concede, and followers who take a defeat (QW-57)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, ClassVar, cast

from rules.engine import Act, Event, Sheets, Values
from rules.fields import text
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Effect, Gain, Lose, Sheet
from rules.systems.questworlds.chained import Harm, worn
from rules.systems.questworlds.long.dice import Settled, comes_of, fitting, terms_of, with_ability
from rules.systems.questworlds.long.pairs import Parted, WentOut, gms, of_a_pair, own
from rules.systems.questworlds.long.rounds import aimed
from rules.systems.questworlds.long.state import Result, State
from rules.systems.questworlds.long.values import NO_ACTION, NO_CHOICE, Bout, Choice, Contestant, Judged, Throw
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older import long_tables as tables
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.states import worth
from rules.systems.questworlds.roll import Clash
from rules.systems.questworlds.traits import ADVERSITY, CONSEQUENCE

UNCOUNTED = "This may never end: neither falls below 0 by what a defeat can do here. One of you can concede."
TOO_HIGH = "Scores this high are too many to count. It ends when one falls below 0, or concedes."


@dataclass(frozen=True)
class ChainedContestant(Contestant):
    """Somebody in a chained contest."""

    hurts: tuple[tuple[int, str], ...] = ()  # consequences of this contest: rank, name


@dataclass(frozen=True)
class ChainedState(State):
    """A chained contest at one moment; what it did stands at those in it."""

    form: ClassVar[str] = "chained"
    rule: ClassVar[str] = "QW-57"
    contestant_kind: ClassVar[type[Contestant]] = ChainedContestant
    hurts_at_once: ClassVar[bool] = True

    contestants: tuple[ChainedContestant, ...] = ()

    def contestant(self, who: str) -> ChainedContestant | None:
        return cast("ChainedContestant | None", super().contestant(who))

    def entrant(self, who: str) -> ChainedContestant:
        return cast(ChainedContestant, super().entrant(who))

    def penalty(self, who: str, more: int = 0) -> int:
        contestant = self.contestant(who)
        had = contestant.hurts if contestant else ()
        return self.harm.penalty((*(rank for rank, _ in had), *([more] if more else [])))

    @property
    def harm(self) -> Harm:
        """What a defeat comes to here."""
        return self.policy.harm(self.settings.by_value, self.edition)

    def to_win(self, bout: Bout, first: str, choice: Choice) -> Callable[[str, str], Fraction | None]:
        """Both go on with what they have until one has to concede (QW-57)."""
        mine, theirs = (tuple(rank for rank, _ in self.entrant(who).hurts) for who in (first, bout.other(first)))
        terms = worn(terms_of(self, bout, first, choice), -self.harm.penalty(mine), -self.harm.penalty(theirs))
        chance = self.harm.to_win(terms, mine, theirs)
        return lambda mine, theirs: chance

    @property
    def uncounted(self) -> str:
        """By rank what a defeat takes has an end, by value it has none."""
        return TOO_HIGH if self.harm.by_value else UNCOUNTED

    @property
    def consequences(self) -> frozenset[str]:
        return frozenset(name for contestant in self.contestants for _, name in contestant.hurts)

    def comes_to(self, sheets: Sheets, throw: Throw, clash: Clash) -> str:
        lies, pair = throw.thrown, (throw.thrown.first, throw.thrown.second)
        if lies.kind != "round" or self.policy.kind_of(CONSEQUENCE) == ADVERSITY:  # which has short words of its own
            return ""
        hurt = self.harm.hurt(clash, [[rank for rank, _ in self.entrant(who).hurts] for who in pair])
        if hurt is None or (lies.choice if hurt[0] else lies.other).aim:
            return ""
        place, rank = hurt
        loser = pair[place]
        out = self.harm.ends(rank) or best_left(self, sheets.get(loser), loser, rank) < 0
        at = signed(self.penalty(loser, rank), self.settings.symbol)
        return f"{self.name_of(loser)} at {at}{' and out' if out else ''}"

    def can_use(self, who: str, choice: Choice) -> bool:
        return self.target(who, choice) >= 0

    def judged(self, who: Contestant, arc: str) -> Judged:
        foe = self.entrant(self.bouts_had(who.id)[-1].other(who.id))
        hurt = self.entrant(who.id) if who.status != "in" else foe
        worst = max((rank for rank, _ in hurt.hurts), default=0)
        degree = min(tables.COMPLETE, worst) * (1 if who.status == "in" else -1)
        return Judged(degree, (), f"by the worst of the states, a {in_words(degree)}.")


@dataclass(frozen=True)
class Hurt(Event[ChainedState]):
    """A consequence lands at once."""

    who: str
    rank: int
    name: str

    def after(self, state: ChainedState) -> ChainedState:
        return state.with_(self.who, hurts=(*state.entrant(self.who).hurts, (self.rank, self.name)))


@dataclass(frozen=True)
class PassedOn(Event[ChainedState]):
    """A follower takes the latest consequence of its leader, of this rank by now."""

    who: str
    follower: str
    rank: int

    def after(self, state: ChainedState) -> ChainedState:
        *kept, (_, name) = state.entrant(self.who).hurts
        state = state.with_(self.who, hurts=tuple(kept))
        return state.with_(self.follower, hurts=(*state.entrant(self.follower).hurts, (self.rank, name)))


@comes_of("round", ChainedState, victory="wins", defeat="loses", tie="ties")
def chained_round(state: ChainedState, sheets: Mapping[str, Sheet], throw: Throw, clash: Clash) -> Settled:
    """The loser has a consequence of the outcome's rank at once; penalties below 0 make them concede."""
    lies = throw.thrown
    pair, harm = (lies.first, lies.second), state.harm
    hurt = harm.hurt(clash, [[rank for rank, _ in state.entrant(who).hurts] for who in pair])
    if hurt is None:
        return (), (harm.unhurt(clash),), "Nobody suffers.", ()
    place, rank = hurt
    winner, loser, hers = pair[1 - place], pair[place], lies.choice if place else lies.other
    if hers.aim:
        aims, because, words = aimed(state, lies.bout, winner, hers)
        return tuple(aims), because, words, ()
    symbol, kind = state.settings.symbol, state.policy.kind_of(CONSEQUENCE)
    contestant, name = state.entrant(loser), f"Setback of round {state.round}"
    all_of_it = state.penalty(loser, rank)
    # The contract tells of ranks (`chained.py`), here one lands on a sheet: other sentences with the same numbers.
    what = worth(kind, rank, symbol, state.edition)
    text = f"{contestant.name} is {what}." if kind == ADVERSITY else f"{contestant.name} has a consequence, {what}."
    steps = [*harm.because(clash, contestant.name, rank),
             Step("QW-57", f"It counts at once: {contestant.name} is at {signed(all_of_it, symbol)} in all.")]
    events: list[Event[Any]] = [Hurt(loser, rank, name)]
    effects: tuple[Effect, ...] = ()
    if loser in sheets:
        effects = (Gain(loser, kind, name, rank, f"From: {state.settings.prize}"),)
    if harm.ends(rank):
        return (*events, WentOut(loser, "beaten", lies.bout)), tuple(steps), text, effects
    target = best_left(state, sheets.get(loser), loser, rank)
    if target < 0:
        steps.append(Step("QW-57", f"With {notation(target, symbol)} {contestant.name} has to concede."))
        events.append(WentOut(loser, "conceded", lies.bout))
    return tuple(events), tuple(steps), text, effects


def best_left(state: ChainedState, sheet: Sheet | None, who: str, more: int = 0) -> int:
    """The best target number that somebody has left, with another consequence of rank `more` (QW-57)."""
    ways = [NO_CHOICE]
    if state.entrant(who).part.resistance is None and sheet is not None:
        ways += [with_ability(state, sheet, trait) for _, trait in fitting(state, sheet)]
    best = max(state.target(who, choice) for choice in ways)
    return best - state.penalty(who) + state.penalty(who, more)


def pass_on(state: ChainedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A follower takes a defeat, one rank worse, and leaves (QW-57)."""
    follower = state.entrant(values["follower"])
    rank, name = state.entrant(by).hurts[-1]
    lines = [trait for trait in sheets[by].traits
             if (trait.kind, trait.name, trait.value) == (state.policy.kind_of(CONSEQUENCE), name, rank)]
    worse = state.edition.modifiers.held(rank + 1)
    step = Step("QW-57", f"{follower.name} takes the defeat of {sheets[by].name}, one rank worse, which is rank "
                         f"{worse}, and leaves.")
    return Result((PassedOn(by, follower.id, worse), WentOut(follower.id, "removed")), (step,),
                  effects=tuple(Lose(line.id) for line in lines[-1:]))


def part_ways(state: ChainedState, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Both of a pair wish to leave: they do (QW-57)."""
    bout = state.bout(int(values["bout"]))
    names = f"{state.name_of(bout.ours)} and {state.name_of(bout.theirs)}"
    outs = tuple(WentOut(who, "left") for who in (bout.ours, bout.theirs) if len(state.bouts_of(who)) == 1)
    parted = Parted(bout.number, "parted")
    return Result((parted, *outs), (Step("QW-57", f"{names} both leave it."),))


def can_pass_on(state: ChainedState, sheet: Sheet) -> Offer | None:
    """In a chained contest a follower may take the defeat of the latest round (QW-57)."""
    me = state.contestant(sheet.id)
    if me is None or me.status != "in" or not me.hurts:
        return None
    latest = next((met for _, met in reversed(state.record)
                   if sheet.id in (met.first, met.second) and met.kind not in NO_ACTION), None)
    lost = latest is not None and latest.outcome == ("defeat" if latest.first == sheet.id else "victory")
    mine = tuple((follower.id, follower.name)
                 for follower in state.own(sheet.id) if follower.part.leader and follower.status == "in")
    if not lost or not mine:
        return None
    return Offer("pass_on", sheet.id, "Let a follower take the defeat", "One rank worse, and the follower leaves.",
                 (text("follower", "Follower", needed=True),), {"follower": mine}, now={"follower": mine[0][0]})


def can_part_ways(state: ChainedState, sheets: Sheets) -> Offer | None:
    """Both of a pair wish to go."""
    return of_a_pair(state, "part_ways", "Both leave", "Both of a pair wish to go: nobody wins it.")


EVENTS = (Hurt, PassedOn)
PASS_ON: Act[Any] = Act("pass_on", own(can_pass_on, after=True), pass_on)
PART_WAYS: Act[Any] = Act("part_ways", gms(can_part_ways), part_ways)
