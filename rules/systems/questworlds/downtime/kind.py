"""The downtime as a procedure (QW-90)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Procedure, Sheets, Values
from rules.fields import Choice, Flag, Group, Listing, Text, Whole
from rules.moves import Need
from rules.procedure import Ask, Casting, Offer, Perspective, Placement, View
from rules.stored import StoredEvents
from rules.systems.questworlds.downtime import acts
from rules.systems.questworlds.downtime.events import Event, Result
from rules.systems.questworlds.downtime.evolve import evolve
from rules.systems.questworlds.downtime.offers import asks, offers
from rules.systems.questworlds.downtime.state import State
from rules.systems.questworlds.downtime.view import view
from rules.systems.questworlds.story_points import REFRESHES, SESSION


class Downtime(Procedure[State, Event]):
    """A montage: everybody says how their character spends the time, in any order and as often as they like."""

    name = "questworlds.downtime"
    title = "Downtime"
    casting = Casting("everyone")
    placement = Placement(exclusive=False, needs_scene=False)
    title_label = "What time it is"
    default_title = "Time to rest"
    start_label = "Start a downtime"
    fields = (
        Listing(name="contestants", label="Who", of=Group(name="who", label="Who", fields=(
            Text(name="sheet", label="Who"), Flag(name="player", label="Somebody plays them")))),
        Choice(name="refresh", label="Story points come back", options=REFRESHES, default=SESSION),
        Whole(name="points", label="Story points for each", default=1),
    )
    stored = StoredEvents[Event](Event)
    handlers = {"spend": acts.spend, "pass": acts.finish, "call_off": acts.call_off}

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return acts.begin(values, sheets, faces)

    def blank(self) -> State:
        return State()

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def offers(self, state: State, sheets: Sheets) -> tuple[Offer, ...]:
        return offers(state, sheets)

    def asks(self, state: State, sheets: Sheets) -> tuple[Ask, ...]:
        return asks(state, sheets)

    def is_over(self, state: State) -> bool:
        return state.over

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state)
