"""What there is to say beside whom a long contest waits for, in a sentence for each reader."""
from __future__ import annotations

from collections.abc import Iterator

from rules.procedure import Perspective
from rules.systems.questworlds.long.rounds import open_now
from rules.systems.questworlds.long.state import Phase, State

ENDS = {"done": "The contest is done.", "called off": "The contest was called off."}


def heading(state: State) -> str:
    """Where it is, in a word or two."""
    return {Phase.BLANK: "", Phase.ROUNDS: f"Round {state.round}", Phase.RESTS: "Paused", Phase.AFTER: "Aftermath",
            Phase.OVER: "Done"}[state.phase]


def besides(state: State, viewer: Perspective) -> str:
    """What there is to say beside whom it waits for."""
    match state.phase:
        case Phase.BLANK:
            return ""
        case Phase.OVER:
            return ENDS.get(state.ended, "The contest is done.")
        case Phase.RESTS:
            return "" if viewer.runs else "Paused. The GM will resume it."
        case Phase.ROUNDS | Phase.AFTER:
            return " ".join(filter(None, (*_points(state, viewer), _meanwhile(state, viewer))))


def _points(state: State, viewer: Perspective) -> Iterator[str]:
    """How far ahead the viewer's own are who have yet to act."""
    for bout in () if state.throws else open_now(state):
        for who in (bout.ours, bout.theirs):
            mine, theirs = bout.points[bout.place(who)], bout.points[1 - bout.place(who)]
            if state.keeper(who) in viewer.plays and not bout.choice(who) and (mine or theirs):
                word = "ahead" if mine > theirs else "behind" if mine < theirs else "even"
                yield f"{state.name_of(who)} is {word} of {state.name_of(bout.other(who))}, {mine} : {theirs}."


def _meanwhile(state: State, viewer: Perspective) -> str:
    free = not state.throws and any(state.may_take_on(entrant.id) for by in viewer.plays for entrant in state.own(by))
    return "Nobody opposes you: help someone, act apart, or take on an opponent." if free else ""
