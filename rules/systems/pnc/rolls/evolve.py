"""What is so after each event, while standard rolls are made."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.systems.pnc.rolls.events import (
    Dropped,
    Ended,
    Event,
    Meant,
    Rolled,
    Settled,
    Started,
    Stood,
    Weighed,
)
from rules.systems.pnc.rolls.state import Roller, State


def evolve(state: State, event: Event) -> State:
    """What is so after the event."""
    match event:
        case Started():
            made = (Roller(each.id, each.name, each.player, open_ended=event.open_ended) for each in event.seats)
            return State(tuple(made), event.swing)
        case Weighed():
            return state.with_(event.who, weights=(*state.roller(event.who).weights, *event.weights))
        case Dropped():
            kept = tuple(w for place, w in enumerate(state.roller(event.who).weights) if place != event.place)
            return state.with_(event.who, weights=kept)
        case Meant():
            return replace(state, meanings=event.meanings)
        case Rolled():
            return state.with_(event.who, dice=event, times=state.roller(event.who).times + 1)
        case Stood():
            return state.with_(event.who, stands=True)
        case Settled():
            return replace(state, over=True, verdict=event.verdict, words=event.words)
        case Ended():
            return replace(state, over=True)
        case _:
            assert_never(event)
