"""How a challenge goes on from event to event."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.systems.pdq_sharp.challenge import events as e
from rules.systems.pdq_sharp.challenge.state import NONE, State


def evolve(state: State, event: e.Event) -> State:
    """The state after an event. Total."""
    match event:
        case e.Begun(settings, entrants, target):
            return State(settings, entrants, target, context=state.context)
        case e.DifficultySet(target, harm):
            return replace(state, target=target, settings=replace(state.settings, harm=harm))
        case e.Helped(help):
            return replace(state, helps=(*(each for each in state.helps if each.who != help.who), help))
        case e.Thrown(who, cast):
            return state.with_(who, cast=cast)
        case e.Added(who, face, technique):
            before = state.entrant(who).cast
            if before is None:
                return state
            more = replace(before, faces=(*before.faces, face) if face else before.faces,
                           flat=before.flat + (not face), used=(*before.used, technique) if technique else before.used)
            return replace(state.with_(who, cast=more), stood=())
        case e.Stood(who):
            return replace(state, stood=(*state.stood, who))
        case e.Settled(outcome, who, ranks, kind):
            return replace(state, outcome=outcome, hurt=(who, ranks, kind))
        case e.HarmRuled(kind):
            who, ranks, _ = state.hurt
            return replace(state, hurt=("", 0, "") if kind == NONE else (who, ranks, kind))
        case e.Suffered():
            return replace(state, hurt=("", 0, ""))
        case e.CalledOff():
            return replace(state, outcome="called off", hurt=("", 0, ""))
        case _:
            assert_never(event)
