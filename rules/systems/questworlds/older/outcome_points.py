"""Group simple contests by outcome points: the table, the degree of the difference, boosts, chances (QW-A2)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Choice
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import SpendShared
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.options import OUTCOME_POINTS
from rules.systems.questworlds.roll import Result
from rules.systems.questworlds.simple_contest.state import Phase, State
from rules.systems.questworlds.simple_contest.state import Result as SimpleResult
from rules.systems.questworlds.simple_contest.values import Outcome
from rules.wording import percent

POOL = "story_points"
BY_LEVELS = (1, 2, 3, 5)  # for the winner, by how many levels the results differ
DEGREES = ((5, 4), (3, 3), (2, 2), (1, 1))  # from which difference on, which degree
COMPLETE = 4
PCS_A_POINT = 3
WORDS: Mapping[str, Result] = {result.word: result for result in Result}


def points_of(ours: Result, theirs: Result) -> int:
    """What the winner of such results scores; two fumbles score nothing."""
    return 0 if ours is theirs is Result.FUMBLE else BY_LEVELS[abs(ours - theirs)]


def degree_by(difference: int) -> int:
    """The degree of so many points more, below 0 of so many fewer."""
    size = next((degree for least, degree in DEGREES if abs(difference) >= least), 0)
    return size if difference > 0 else -size


def boost_cost(pcs: int) -> int:
    """The story points that a boost costs so many player characters; a double boost costs twice that."""
    return -(-pcs // PCS_A_POINT)


def used(state: State) -> bool:
    """Whether this contest is counted so."""
    return state.settings.mode == "group" and state.on(OUTCOME_POINTS)


def counted(state: State, outcomes: Iterable[Outcome]) -> tuple[int, int]:
    """The outcome points of the group, and of what stands against it: each contest counts once."""
    totals = {"victory": 0, "defeat": 0}
    for outcome in outcomes:
        if outcome.outcome in totals and not state.others_side(outcome.who):
            # A victory that is assured is scored as the least of them: nothing was rolled against it.
            totals[outcome.outcome] += (
                points_of(WORDS[outcome.ours], WORDS[outcome.theirs]) if outcome.ours else BY_LEVELS[0])
    return totals["victory"], totals["defeat"]


def group_degree(state: State) -> int:
    """How far the group has won, or lost, with its boost."""
    ours, theirs = counted(state, state.outcomes)
    ties_won = bool(state.oppositions) and all(against.tie_to_player for against in state.oppositions)
    number = degree_by(ours - theirs) or int(ties_won)
    return min(COMPLETE, number + state.boost)


def steps(state: State, outcomes: Sequence[Outcome]) -> tuple[Step, ...]:
    """How the points came, and what they amount to."""
    if not used(state):
        return ()
    told = []
    for outcome in outcomes:
        if outcome.ours and outcome.outcome != "tie" and not state.others_side(outcome.who):
            many = points_of(WORDS[outcome.ours], WORDS[outcome.theirs])
            whose = state.name_of(outcome.who) if outcome.outcome == "victory" else "the other side"
            told.append(Step("QW-A2", f"A {outcome.ours} against a {outcome.theirs}: {many} for {whose}."))
    ours, theirs = counted(state, outcomes)
    text = f"Outcome points: {ours} to {theirs}, which is a {in_words(degree_by(ours - theirs))}."
    return (*told, Step("QW-A2", text))


@dataclass(frozen=True)
class Boosted(Event[State]):
    """Story points made the group's outcome clearer, by one step or two (QW-A2)."""

    by: str
    steps: int

    def after(self, state: State) -> State:
        return replace(state, boost=self.steps, side="victory")


def offer_boost(state: State, sheets: Sheets) -> Iterator[Offer]:
    """A boost, for any of the players, once: a clearer victory for story points."""
    if state.phase is not Phase.AFTER or not used(state) or state.boost or state.side not in ("victory", "tie"):
        return
    now, pool, cost = group_degree(state), state.context.pool(POOL), cost_of(state)
    choices = tuple(
        (str(steps), f"{word}, {many} story point{'' if many == 1 else 's'}: {in_words(min(COMPLETE, now + steps))}")
        for steps, word in ((1, "A boost"), (2, "A double boost"))
        if (many := steps * cost) <= pool and now + steps <= COMPLETE)
    if choices:
        for entrant in state.entrants:
            if entrant.id in state.settings.players and not state.others_side(entrant.id):
                yield Offer("boost", entrant.id, "Boost the outcome",
                            f"It is a {in_words(now)} of the group. The points are gone either way.",
                            (Choice(name="steps", label="How far", options=choices),), {})


def cost_of(state: State) -> int:
    """What a boost costs this group."""
    return boost_cost(sum(entrant.id in state.settings.players and not state.others_side(entrant.id)
                          for entrant in state.entrants))


def boost(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> SimpleResult:
    """The group's victory is one step clearer, or two."""
    steps = int(values["steps"])
    many = steps * cost_of(state)
    degree = min(COMPLETE, group_degree(state) + steps)
    text = (f"{sheets[by].name} spends {many} story point{'' if many == 1 else 's'} on a "
            f"{'boost' if steps == 1 else 'double boost'}: the group has a {in_words(degree)}.")
    return SimpleResult((Boosted(by, steps),), (Step("QW-A2", text),), {"degree": degree},
                    effects=(SpendShared(POOL, -many),))


def chances(state: State) -> tuple[str, ...]:
    """The chance of each degree for the whole group, before any die fell."""
    if not used(state) or not state.framed or any(entrant.dice for entrant in state.entrants):
        return ()
    sums: Counter[int] = Counter({0: 1})
    whole = 1
    for entrant in state.entrants:
        if state.others_side(entrant.id):
            continue
        one: Counter[int] = Counter()
        if state.assured(entrant.id):
            one[BY_LEVELS[0]] = 1
        else:
            for ours, theirs, ways in state.clash(entrant.id, (1, 1)).throws():
                clash = state.clash(entrant.id, (ours, theirs))
                won = {"victory": 1, "defeat": -1}.get(clash.outcome, 0)
                one[won * points_of(*clash.results)] += ways
        whole *= sum(one.values())
        after: Counter[int] = Counter()
        for had, ways in sums.items():
            for more, others in one.items():
                after[had + more] += ways * others
        sums = after
    by_degree: Counter[int] = Counter()
    for difference, ways in sums.items():
        by_degree[degree_by(difference)] += ways
    return tuple(f"{percent(Fraction(ways, whole))} {in_words(degree)}"
                 for degree, ways in sorted(by_degree.items(), reverse=True))


BOOST = Act("boost", offer_boost, boost)
EVENTS = (Boosted,)
