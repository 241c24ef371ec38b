"""The community as a procedure: it lasts over all sessions until the group leaves it (QW-92 to QW-94)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.engine import KnowsCampaign, Procedure, Sheets, Values
from rules.fields import Choice, Flag, Group, Listing, Text, Whole
from rules.moves import Need
from rules.procedure import Ask, Casting, Offer, Perspective, Placement, View
from rules.stored import StoredEvents
from rules.systems.questworlds.community import acts, designing
from rules.systems.questworlds.community.events import Event, Result
from rules.systems.questworlds.community.evolve import evolve
from rules.systems.questworlds.community.odds import Forecasts, forecast
from rules.systems.questworlds.community.offers import asks, offers
from rules.systems.questworlds.community.state import State
from rules.systems.questworlds.community.view import view
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.learning import CountsExperience, experience_rule
from rules.systems.questworlds.names import COMMUNITY, TEACHING
from rules.systems.questworlds.older.options import COMMUNITY_SCORES
from rules.values import Value


class Community(Procedure[State, Event], KnowsCampaign[State], CountsExperience[State]):
    """Those whom the group protects and draws on: resources with ranks."""

    name = COMMUNITY
    title = "Community"
    title_label = "What the community is called"
    start_label = "Set up a community"
    casting = Casting("everyone", open=True)
    placement = Placement(exclusive=False, needs_scene=False, always=True)
    remembers = TEACHING
    fields = (
        Listing(name="contestants", label="Who", default=(), most=200, of=Group(name="who", label="Who", fields=(
            Text(name="sheet", label="Who"), Flag(name="player", label="Somebody plays them")))),
        Text(name="title", label="Name", default="The community", most=80),
        Text(name="symbol", label="Mastery", default="M"), Whole(name="base", label="Base resistance", default=14),
        Choice(name="tie", label="Ties", default="tie", options=(("tie", "A tie"), ("player", "The player's"))),
        Choice(name="stacking", label="Stacking", default="rank", options=(("rank", "By rank"), ("value", "By value"))),
        Choice(name="growth", label="Growth", default="xp", options=(("xp", "XP"), ("milestone", "Milestones"))),
    )
    stored = StoredEvents[Event](Event)
    handlers = {
        "resources": designing.list_resources, "ask": designing.ask, "drop": designing.drop, "vote": designing.vote,
        "decide": designing.decide, "rank": designing.rank,
        "draw": acts.draw, "bolster": acts.bolster, "face": acts.face, "withdraw": acts.withdraw, "roll": acts.roll,
        "spend": acts.spend, "stand": acts.stand, "require": acts.require, "move": acts.move, "restore": acts.restore,
        "veil": acts.veil, "takes": acts.takes, "end": acts.end,
    }

    def __init__(self, edition: Edition = FIRST) -> None:
        self.edition, self.experience_rule = edition, experience_rule(edition)

    def allowed_by(self, settings: Mapping[str, Value]) -> bool:
        return settings.get("community") == "ranks" and settings.get(COMMUNITY_SCORES) is not True

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return designing.begin(values, sheets, faces)

    def blank(self) -> State:
        return State(edition=self.edition)

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def offers(self, state: State, sheets: Sheets) -> tuple[Offer, ...]:
        return offers(state, sheets)

    def asks(self, state: State, sheets: Sheets) -> tuple[Ask, ...]:
        return asks(state, sheets)

    def is_over(self, state: State) -> bool:
        return state.over

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)

    def forecast(
        self, state: State, sheets: Sheets, by: str, action: str, given: Mapping[str, Value],
        counted: Sheets | None = None,
    ) -> Forecasts:
        return forecast(state, sheets, by, action, given)
