"""What each event makes of a downtime."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.systems.questworlds.downtime.events import Event, Passed, Rested, Spent
from rules.systems.questworlds.downtime.state import State


def evolve(state: State, event: Event) -> State:
    """The state after an event."""
    match event:
        case Rested():
            return replace(state, rested=event)
        case Spent():
            others = tuple(each for each in state.said if each[0] != event.who)
            return replace(state, said=(*others, (event.who, event.words)))
        case Passed():
            return replace(state, over=True, counts=event.counts)
        case _:
            assert_never(event)
