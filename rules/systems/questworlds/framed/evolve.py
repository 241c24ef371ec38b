"""The state after an event."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.systems.questworlds.framed import events as e
from rules.systems.questworlds.framed.state import Entrant, Proposal, State


def evolve(state: State, event: e.Event) -> State:
    """Total: raises nothing for an event that was once given."""
    match event:
        case e.Begun(settings, entrants):
            return State(settings=settings, entrants=tuple(Entrant(id_, name) for id_, name in entrants))
        case e.Chose(who, chosen):
            return state.with_(who, chosen=chosen)
        case e.SentBack(who):
            return state.with_(who, chosen=None)
        case e.Massed():
            return replace(state, mass=event)
        case e.Opposed(opposition):
            kept = tuple(each for each in state.oppositions if each.who != opposition.who)
            return replace(state, oppositions=(*kept, opposition))
        case e.Accepted(who):
            return state.with_(who, accepted=True)
        case e.Modified(modifier):
            return replace(state, modifiers=(*state.modifiers, modifier))
        case e.TookBack(place):
            return replace(state, modifiers=(*state.modifiers[:place], *state.modifiers[place + 1:]))
        case e.Proposed(by, whom, trait, name, score, words):
            return replace(state, proposals=(*state.proposals, Proposal(by, whom, trait, name, score, words)))
        case e.Answered(place, verdict, bonus):
            return _answered(state, place, verdict=verdict, bonus=bonus)
        case e.AugmentRolled(place, won):
            return _answered(state, place, won=won)
        case e.Set():
            return replace(state, frame_stands=True)
        case e.Reopened():
            return replace(state, frame_stands=False)
        case e.Rolled(who, ours, theirs):
            rival = state.rival(who)
            state = state.with_(who, dice=(ours, theirs))
            return state.with_(rival.id, dice=(theirs, ours)) if rival else state
        case e.Decided(who, spend):
            return state.with_(who, point=spend)
        case e.Settled(outcomes, side):
            return replace(state, outcomes=outcomes, side=side)
        case e.Learned():
            return replace(state, learned=(*state.learned, event))
        case e.ChoseGoal(who, goal):
            return replace(state, goals=(*state.goals, (who, goal)))
        case e.Gave():
            return replace(state, gave=(*state.gave, event))
        case e.Ended(how):
            return replace(state, ended=how)
        case _:
            assert_never(event)


def _answered(state: State, place: int, **changes: object) -> State:
    return replace(state, proposals=tuple(
        replace(each, **changes) if number == place else each  # type: ignore[arg-type]
        for number, each in enumerate(state.proposals)))
