"""How a group came out: its outcome points, a boost, two fumbles that the GM lets both suffer (QW-42, QW-A1, QW-A2)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values, after
from rules.fields import Choice
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Effect, SpendShared
from rules.systems.questworlds.experience import DEFEAT
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.older import outcome_points
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.outcome_points import BY_LEVELS, COMPLETE, degree_by, points_of
from rules.systems.questworlds.simple_contest.resolution import POOL, Settled, TookLesson, score, side_of
from rules.systems.questworlds.simple_contest.state import Entrant, Phase, Result, State
from rules.wording import percent


@dataclass(frozen=True)
class Boosted(Event[State]):
    """Story points made the group's outcome clearer, by one step or two (QW-A2)."""

    by: str
    steps: int

    def after(self, state: State) -> State:
        return replace(state, boost=self.steps, side="victory")


def degree(state: State) -> int:
    """How far the group has won, or lost, with its boost."""
    ours, theirs = score(state, state.outcomes)
    ties_won = bool(state.oppositions) and all(against.tie_to_player for against in state.oppositions)
    return min(COMPLETE, (degree_by(ours - theirs) or int(ties_won)) + state.boost)


def _group(state: State) -> Iterator[Entrant]:
    """The player characters of the group."""
    return (entrant for entrant in state.entrants
            if entrant.id in state.settings.players and not state.others_side(entrant.id))


def _cost(state: State) -> int:
    """What a boost costs this group."""
    return outcome_points.boost_cost(len([*_group(state)]))


def offer_boost(state: State, sheets: Sheets) -> Iterator[Offer]:
    """A boost, for any of the players, once: a clearer victory for story points."""
    if state.phase is not Phase.AFTER or not state.in_points or state.boost or state.side not in ("victory", "tie"):
        return
    now, pool, cost = degree(state), state.context.pool(POOL), _cost(state)
    choices = tuple(
        (str(steps), f"{word}, {many} story point{'' if many == 1 else 's'}: {in_words(min(COMPLETE, now + steps))}")
        for steps, word in ((1, "A boost"), (2, "A double boost"))
        if (many := steps * cost) <= pool and now + steps <= COMPLETE)
    if choices:
        for entrant in _group(state):
            yield Offer("boost", entrant.id, "Boost the outcome",
                        f"It is a {in_words(now)} of the group. The points are gone either way.",
                        (Choice(name="steps", label="How far", options=choices),), {})


def boost(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The group's victory is one step clearer, or two."""
    steps = int(values["steps"])
    many = steps * _cost(state)
    came = min(COMPLETE, degree(state) + steps)
    said = (f"{sheets[by].name} spends {many} story point{'' if many == 1 else 's'} on a "
            f"{'boost' if steps == 1 else 'double boost'}: the group has a {in_words(came)}.")
    return Result((Boosted(by, steps),), (Step("QW-A2", said),), {"degree": came}, effects=(SpendShared(POOL, -many),))


def offer_to_worsen(state: State, sheets: Sheets) -> Iterator[Offer]:
    """For each who fumbled as what stood against them did."""
    if state.phase is not Phase.AFTER or not state.policy.degrees or state.settings.mode != "group":
        return
    both = tuple((outcome.who, state.name_of(outcome.who)) for outcome in state.outcomes
                 if outcome.outcome == "tie" and outcome.ours == outcome.theirs == "fumble")
    if both:
        yield Offer("worsen", "", "Rule a marginal defeat: both fumbled",
                    "A tie between the two, but worse than how the others do.",
                    (text("whom", "Character", needed=True),), {"whom": both}, now={"whom": both[0][0]})


def worsen(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A tie of two fumbles becomes a marginal defeat, for a rival as well (QW-A1)."""
    rival = state.rival(values["whom"])
    who = (values["whom"], *([rival.id] if rival else []))
    outcomes = tuple(replace(outcome, outcome="defeat", rank=1, degree=-1) if outcome.who in who else outcome
                     for outcome in state.outcomes)
    events: list[Event[State]] = [Settled(outcomes, side_of(state, outcomes))]
    names = [state.name_of(entrant) for entrant in who]
    steps = [Step("QW-A1", f"Both fumbled: {' and '.join(names)} {'suffers' if len(who) == 1 else 'suffer'} a marginal "
                           "defeat.")]
    effects: list[Effect] = []
    for entrant in who:
        used = state.entrant(entrant).chosen
        lesson, why, earned = learned(state, sheets[entrant], DEFEAT, used.name if used else "", "simple")
        lessons = [TookLesson.of(taught) for taught in lesson]
        state = after(state, lessons)
        events, steps, effects = [*events, *lessons], [*steps, *why], [*effects, *earned]
    return Result(tuple(events), tuple(steps), effects=tuple(effects))


def chances(state: State) -> tuple[str, ...]:
    """The chance of each degree for the whole group, before any die fell."""
    if not state.in_points or not state.framed or any(entrant.dice for entrant in state.entrants):
        return ()
    fights = (_points(state, entrant.id) for entrant in state.entrants if not state.others_side(entrant.id))
    return tuple(f"{percent(likely)} {in_words(came)}" for came, likely in outcome_points.chances(fights))


def _points(state: State, who: str) -> Mapping[int, int]:
    """In how many throws one's contest comes to how many points; below 0 those of the other side."""
    if state.assured(who):
        return {BY_LEVELS[0]: 1}
    ways_to: Counter[int] = Counter()
    for ours, theirs, ways in state.clash(who, (1, 1)).throws():
        clash = state.clash(who, (ours, theirs))
        ways_to[{"victory": 1, "defeat": -1}.get(clash.outcome, 0) * points_of(*clash.results)] += ways
    return ways_to


BOOST = Act("boost", offer_boost, boost)
WORSEN = Act("worsen", offer_to_worsen, worsen)
EVENTS = (Boosted,)
