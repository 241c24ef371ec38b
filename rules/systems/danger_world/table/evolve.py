"""The state after an event. Total and exhaustive: what was once kept can always be replayed."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.systems.danger_world.pool import Pool
from rules.systems.danger_world.table.events import (
    Agreed,
    Began,
    Benefited,
    Complicated,
    Drew,
    Ended,
    Event,
    Healed,
    LetGo,
    Paid,
    Proposed,
    RatedAs,
    Rerolled,
    Rolled,
    Stood,
    ThreatsRemoved,
    Used,
)
from rules.systems.danger_world.table.state import State, ThreatLeft


def evolve(state: State, event: Event) -> State:
    """The state after an event."""
    match event:
        case Began():
            return State(
                who=event.who, beside=event.beside, title=event.title, base=event.difficulty, move=event.move,
                own=event.own, keywords=event.keywords, complications=event.complications, agree=event.agree,
                hint=event.hint,
            )
        case RatedAs():
            return replace(state, base=event.difficulty, helps=event.helps, hinders=event.hinders)
        case Complicated():
            return _complicated(state, event)
        case Proposed():
            return replace(state, proposal=event.proposal, agreed=False)
        case Agreed():
            return replace(state, agreed=True)
        case Rolled():
            pool = Pool(event.action, event.danger, event.threat)
            return replace(state, pool=pool, faces=event.faces, thrown=event.faces, difficulty=event.difficulty)
        case Rerolled():
            lying = list(state.faces)
            for index, face in zip(event.dice, event.faces, strict=True):
                lying[index] = face
            thrown, again = (*state.thrown, *event.faces), (*state.again, event.dice)
            return replace(state, faces=tuple(lying), thrown=thrown, again=again)
        case Stood():
            return replace(state, stood=True)
        case Used():
            return replace(state, height=event.height, botches=event.botches, heals=event.heals,
                           benefit=event.benefit, draws=event.draws)
        case Healed():
            return replace(state, heals=False)
        case Benefited():
            return replace(state, benefit=False, heals=event.heals, healed_row=event.row)
        case Paid():
            return _paid(state, event)
        case ThreatsRemoved():
            return replace(state, removed=state.removed + event.dice)
        case Drew():
            return replace(state, botches=state.botches + event.botches)
        case LetGo():
            return replace(state, botches=0, draws=False)
        case Ended():
            return replace(state, over=True, ending=event.words)
        case _:
            assert_never(event)


def _complicated(state: State, event: Complicated) -> State:
    added = event.complication
    left = (ThreatLeft(state.title, added.dice, added.reason),) if added.stays else ()
    return replace(state, complications=(*state.complications, added), left=(*state.left, *left))


def _paid(state: State, event: Paid) -> State:
    left = (ThreatLeft(event.on, 1, event.why),) if event.on else ()
    botches = state.botches - event.botches
    # With the last botch the check is over; whoever wants kept ones too takes them before.
    return replace(state, botches=botches, draws=state.draws and botches > 0, left=(*state.left, *left))
