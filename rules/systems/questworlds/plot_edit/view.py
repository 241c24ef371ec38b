"""A plot edit as a page draws it, and the fact that it comes to."""
from __future__ import annotations

from dataclasses import dataclass

from rules.procedure import Fact, Participant, Perspective, View
from rules.systems.questworlds.plot_edit.state import State

ANSWERS = {None: "Waiting for the GM to accept or refuse it.", True: "It is so: a fact of the campaign.",
           False: "It is not so."}


@dataclass(frozen=True, slots=True)
class PlotEditDetail:
    """The story points that are left; None where the campaign has none at all."""

    points: int | None


def view(state: State, viewer: Perspective) -> View:
    """The fact's price, whom it waits for, and what is missing to pay for it."""
    if state.proposed is None:
        return View("", "", (), detail=PlotEditDetail(state.context.left("story_points")))
    who = Participant(state.proposed.who, state.proposed.name, "")
    return View(f"{state.proposed.level.capitalize()}, {_points(state.cost)}", _waits_for(state, viewer), ((who,),),
                _lacking(state), PlotEditDetail(state.context.left("story_points")))


def _waits_for(state: State, viewer: Perspective) -> str:
    if state.accepted is None and viewer.runs:
        return "Your turn: accept or refuse it."
    return ANSWERS[state.accepted]


def facts(state: State) -> tuple[Fact, ...]:
    """What is so, or would be, with its price."""
    if state.proposed is None or state.accepted is False:
        return ()
    text = f"{state.proposed.level.capitalize()}, for {_points(state.cost)}"
    return (Fact(state.proposed.fact, text, state.proposed.who, bool(state.accepted)),)


def _points(number: int) -> str:
    return "1 story point" if number == 1 else f"{number} story points"


def _lacking(state: State) -> tuple[str, ...]:
    """Why it can't be accepted: the pool has too little."""
    if state.accepted is not None or state.pool >= state.cost:
        return ()
    there = {0: "there is none", 1: "there is 1"}.get(state.pool, f"there are {state.pool}")
    return (f"It takes {_points(state.cost)}; {there}. Until there are more it can't be accepted.",)
