"""What each event makes of a review of lasting effects."""
from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from rules.systems.questworlds.lasting_review.events import Cleared, Event, Finished, Looked, Opened
from rules.systems.questworlds.lasting_review.state import ReviewState


def evolve(state: ReviewState, event: Event) -> ReviewState:
    """The state after an event."""
    match event:
        case Opened():
            return replace(state, who=event.who, symbol=event.symbol, base=event.base)
        case Looked():
            return replace(state, reviewed=(*state.reviewed, event.trait))
        case Cleared():
            return replace(state, reviewed=(*state.reviewed, *event.traits))
        case Finished():
            return replace(state, over=True)
        case _:
            assert_never(event)
