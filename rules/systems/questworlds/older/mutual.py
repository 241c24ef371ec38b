"""Two fumbles in a group contest: the GM may let both suffer a marginal defeat (QW-A1)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import reduce
from typing import Any

from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Effect, Sheet
from rules.systems.questworlds.experience import DEFEAT
from rules.systems.questworlds.inputs import text
from rules.systems.questworlds.learning import learned
from rules.systems.questworlds.older.options import DEGREES
from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.evolve import evolve
from rules.systems.questworlds.simple_contest.resolution import side_of
from rules.systems.questworlds.simple_contest.state import State


def offer(state: State) -> Offer | None:
    """For each who fumbled as what stood against them did."""
    if not state.on(DEGREES) or state.settings.mode != "group":
        return None
    both = tuple((each.who, state.name_of(each.who)) for each in state.outcomes
                 if each.outcome == "tie" and each.ours == each.theirs == "fumble")
    help = "A tie between the two, but worse than how the others do."
    return Offer("worsen", "", "Both fumbled: a marginal defeat", help, (text("whom", "For whom", needed=True),),
                 {"whom": both}, now={"whom": both[0][0]}) if both else None


def worsen(
    state: State, sheets: Mapping[str, Sheet], by: str, values: Mapping[str, Any], faces: Sequence[int]
) -> e.Result:
    """A tie of two fumbles becomes a marginal defeat, for a rival as well."""
    rival = state.rival(values["whom"])
    who = (values["whom"], *([rival.id] if rival else []))
    outcomes = tuple(replace(each, outcome="defeat", rank=1, degree=-1) if each.who in who else each
                     for each in state.outcomes)
    events: list[e.Event] = [e.Settled(outcomes, side_of(state, outcomes))]
    names = [state.name_of(each) for each in who]
    steps = [Step("QW-A1", f"Both fumbled: {' and '.join(names)} {'suffers' if len(who) == 1 else 'suffer'} a marginal "
                           "defeat.")]
    effects: list[Effect] = []
    for each in who:
        used = state.entrant(each).chosen
        lesson, why, earned = learned(state, sheets[each], DEFEAT, used.name if used else "", "simple")
        state = reduce(evolve, lesson, state)
        events, steps, effects = [*events, *lesson], [*steps, *why], [*effects, *earned]
    return e.Result(tuple(events), tuple(steps), effects=tuple(effects))
