"""What each event makes of a plot edit."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.systems.questworlds.plot_edit.events import Answered, Event, Proposed
from rules.systems.questworlds.plot_edit.state import State


def evolve(state: State, event: Event) -> State:
    """The state after an event."""
    match event:
        case Proposed():
            return replace(state, proposed=event)
        case Answered():
            return replace(state, accepted=event.accepted)
        case _:
            assert_never(event)
