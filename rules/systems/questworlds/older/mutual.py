"""Two fumbles in a group contest: the GM may let both suffer a marginal defeat (QW-A1)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules.engine import Act, Event, Sheets, Values, after
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Effect
from rules.systems.questworlds.experience import DEFEAT
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.older.options import DEGREES
from rules.systems.questworlds.simple_contest.resolution import Settled, TookLesson, side_of
from rules.systems.questworlds.simple_contest.state import Phase, Result, State


def offer_to_worsen(state: State, sheets: Sheets) -> Iterator[Offer]:
    """For each who fumbled as what stood against them did."""
    if state.phase is not Phase.AFTER or not state.on(DEGREES) or state.settings.mode != "group":
        return
    both = tuple((outcome.who, state.name_of(outcome.who)) for outcome in state.outcomes
                 if outcome.outcome == "tie" and outcome.ours == outcome.theirs == "fumble")
    if both:
        yield Offer("worsen", "", "Both fumbled: a marginal defeat",
                    "A tie between the two, but worse than how the others do.",
                    (text("whom", "Character", needed=True),), {"whom": both}, now={"whom": both[0][0]})


def worsen(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A tie of two fumbles becomes a marginal defeat, for a rival as well."""
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


WORSEN = Act("worsen", offer_to_worsen, worsen)
