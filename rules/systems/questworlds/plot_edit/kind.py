"""The plot edit as a procedure (QW-91)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from rules.engine import KnowsCampaign, Procedure, Sheets, StatesFacts, Values
from rules.fields import Choice, Field, Group, Listing, Text, Whole
from rules.moves import Need
from rules.procedure import Ask, Casting, Fact, FactRule, Offer, Perspective, Placement, View
from rules.stored import StoredEvents
from rules.systems.questworlds.edition import FIRST, Edition, StoryPointRule
from rules.systems.questworlds.plot_edit import acts
from rules.systems.questworlds.plot_edit.events import Event, Result
from rules.systems.questworlds.plot_edit.evolve import evolve
from rules.systems.questworlds.plot_edit.offers import asks, offers
from rules.systems.questworlds.plot_edit.state import State
from rules.systems.questworlds.plot_edit.view import facts, view

BRINGS = {
    "marginal": ": another way opens", "minor": ": something nobody established",
    "major": ": a stroke of fortune that settles something",
}


def _fields(rule: StoryPointRule) -> tuple[Field, ...]:
    """What the start asks for: whose it is, the fact, and how much it changes."""
    levels = tuple((level, f"{level.capitalize()}, {cost} point{'s' if cost > 1 else ''}{BRINGS.get(level, '')}")
                   for level, cost in rule.edits)
    return (
        Listing(name="contestants", label="Who", of=Group(name="who", label="Who", fields=(
            Text(name="sheet", label="Who"),))),
        Text(name="title", label="What turns out to be so", most=200),
        Choice(name="level", label="How much it changes", options=levels, default=levels[0][0]),
        Whole(name="points", label="Story points for each character", default=1),
    )


class PlotEdit(Procedure[State, Event], KnowsCampaign[State], StatesFacts[State]):
    """One fact, its price, and the GM's answer. What is accepted is a fact of the campaign."""

    name = "questworlds.plot"
    title = "Plot edit"
    title_label = "What turns out to be so"
    casting = Casting("one")
    placement = Placement(exclusive=False, needs_scene=False, open_to_players=True)
    remembers = ("questworlds.plot",)
    start_label = "Edit the plot"
    fact_rule = FactRule(("accept",), "A player may say what turns out to be so, and pays for it with story points. "
                         "What the GM accepts is kept here, as a fact of the campaign.")
    stored = StoredEvents[Event](Event)
    handlers = {"accept": acts.accept, "refuse": acts.refuse, "withdraw": acts.withdraw}

    def __init__(self, edition: Edition = FIRST, points: bool = True) -> None:
        """`points`: whether the campaign has story points; nothing else pays for an edit."""
        self.edition = edition
        self.placement = replace(self.placement, offered=points)
        self.fields = _fields(edition.story_points)

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return acts.begin(values, sheets, faces, self.edition)

    def blank(self) -> State:
        return State(edition=self.edition)

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def offers(self, state: State, sheets: Sheets) -> tuple[Offer, ...]:
        return offers(state)

    def asks(self, state: State, sheets: Sheets) -> tuple[Ask, ...]:
        return asks(state)

    def is_over(self, state: State) -> bool:
        return state.accepted is not None

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, viewer)

    def facts(self, state: State) -> tuple[Fact, ...]:
        return facts(state)
