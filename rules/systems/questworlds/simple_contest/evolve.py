"""The state after an event."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.state import Entrant, Proposal, State

OF_AN_APPROACH = ("stretch", "hindrance")  # kinds of modifier that were for one approach, and for no other


def evolve(state: State, event: e.Event) -> State:
    """Total: raises nothing for an event that was once given."""
    match event:
        case e.Begun(settings, entrants):
            return replace(state, settings=settings, entrants=tuple(Entrant(id_, name) for id_, name in entrants))
        case e.Chose(who, chosen):
            return state.with_(who, chosen=chosen)
        case e.SentBack(who):
            return _sent_back(state, who)
        case e.Massed():
            return replace(state, mass=event)
        case e.Opposed(opposition):
            return _opposed(state, opposition)
        case e.Left(who):
            return _without(state, who)
        case e.Accepted(who):
            return state.with_(who, accepted=True)
        case e.Modified(modifier):
            return replace(state, modifiers=(*state.modifiers, modifier))
        case e.TookBack(place):
            return replace(state, modifiers=(*state.modifiers[:place], *state.modifiers[place + 1:]))
        case e.Proposed(by, whom, trait, name, score, words, helper):
            return replace(state, proposals=(*state.proposals, Proposal(by, whom, trait, name, score, words, helper)))
        case e.Answered(place, verdict, bonus):
            return _answered(state, place, verdict=verdict, bonus=bonus)
        case e.AugmentRolled(place, won):
            return _answered(state, place, won=won)
        case e.FlawOvercome(_, trait):
            return replace(state, overcome=(*state.overcome, trait))
        case e.Set():
            return replace(state, frame_stands=True)
        case e.Reopened():
            return replace(state, frame_stands=False)
        case e.Rolled(who, ours, theirs):
            return _rolled(state, who, (ours, theirs))
        case e.RolledOwn(who, face):
            return _with_face(state.with_(who, face=face), who)
        case e.OwnRolled():
            return replace(state, own_roll=event)
        case e.OwnDecided():
            return replace(state, own_roll=None)
        case e.Decided(who, spend):
            return replace(state.with_(who, point=spend), decided=(*state.decided, who))
        case e.Settled(outcomes, side):
            return replace(state, outcomes=outcomes, side=side)
        case e.Boosted(_, steps):
            return replace(state, boost=steps, side="victory")
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


def _sent_back(state: State, who: str) -> State:
    """With no approach of one's own any more; what was laid upon it goes with it."""
    kept = tuple(each for each in state.modifiers if each.who != who or each.kind not in OF_AN_APPROACH)
    return replace(state.with_(who, chosen=None), modifiers=kept)


def _opposed(state: State, opposition: e.Opposition) -> State:
    """With what stands against one, or all. What was accepted was the frame as it stood: it is accepted anew."""
    kept = tuple(each for each in state.oppositions if each.who != opposition.who)
    waiting = tuple(replace(each, accepted=each.accepted and opposition.who not in ("", each.id))
                    for each in state.entrants)
    return replace(state, oppositions=(*kept, opposition), entrants=waiting)


def _rolled(state: State, who: str, dice: tuple[int, int]) -> State:
    """With both dice, for both where two stand against each other."""
    rival = state.rival(who)
    state = state.with_(who, dice=dice)
    return state.with_(rival.id, dice=dice[::-1]) if rival else state


def _with_face(state: State, who: str) -> State:
    """With both dice for both, once each of the two has rolled."""
    rival, face = state.rival(who), state.entrant(who).face
    if rival is None or rival.face is None or face is None:
        return state
    return state.with_(who, dice=(face, rival.face)).with_(rival.id, dice=(rival.face, face))


def _without(state: State, who: str) -> State:
    """One of several is no longer in it, and nothing that was said of them counts."""
    return replace(
        state, entrants=tuple(each for each in state.entrants if each.id != who),
        modifiers=tuple(each for each in state.modifiers if each.who != who),
        oppositions=tuple(each for each in state.oppositions if who not in (each.who, each.rival)),
        proposals=tuple(replace(each, verdict="refused") if who in (each.by, each.whom) and each.open else each
                        for each in state.proposals))


def _answered(state: State, place: int, **changes: object) -> State:
    return replace(state, proposals=tuple(
        replace(each, **changes) if number == place else each  # type: ignore[arg-type]
        for number, each in enumerate(state.proposals)))
