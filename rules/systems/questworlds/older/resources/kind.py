"""The community with scores as a procedure: founded once, then used, bolstered and reviewed over intervals (QW-A9)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.engine import KnowsCampaign, Procedure, Sheets, Values
from rules.fields import Flag, Group, Listing, Text, Whole
from rules.moves import Need
from rules.procedure import (
    Ask,
    Casting,
    Offer,
    Perspective,
    Placement,
    View,
)
from rules.stored import StoredEvents
from rules.systems.questworlds.community.kind import Community
from rules.systems.questworlds.community.odds import Forecasts
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.learning import CountsExperience, experience_rule
from rules.systems.questworlds.names import RESOURCES, TEACHING
from rules.systems.questworlds.older.options import COMMUNITY_SCORES
from rules.systems.questworlds.older.resources import acts, lobbying
from rules.systems.questworlds.older.resources.events import Event, Result
from rules.systems.questworlds.older.resources.evolve import evolve
from rules.systems.questworlds.older.resources.odds import forecast
from rules.systems.questworlds.older.resources.offers import asks, offers
from rules.systems.questworlds.older.resources.state import State
from rules.systems.questworlds.older.resources.tables import SCORES
from rules.systems.questworlds.older.resources.view import view
from rules.values import Value


class ScoredCommunity(Procedure[State, Event], KnowsCampaign[State], CountsExperience[State]):
    """Those whom the group protects and draws on: resources that are rolled with, and wear out."""

    name = RESOURCES
    title = "Community with scores"
    title_label = "What the community is called"
    default_title = "The community"
    start_label = "Set up a community with scores"
    casting = Casting("everyone", open=True)
    placement = Placement(exclusive=False, needs_scene=False, always=True)
    remembers = TEACHING
    fields = (
        Listing(name="contestants", label="Who", default=(), most=200, of=Group(name="who", label="Who", fields=(
            Text(name="sheet", label="Who"), Flag(name="player", label="Somebody plays them")))),
        Text(name="title", label="Name", default="The community", most=80),
        Text(name="names", label="Resources", default="Wealth, Diplomacy, Morale, Magic, Arms", most=240,
             help=f"{len(SCORES)} of them, the best first, with commas between: 12, 9, 18, 18 and 12, the first two "
                  "with a mastery."),
        Text(name="interval", label="Interval", default="A season", most=60,
             help="After which the scores change: a season, a campaign, a voyage."),
        Text(name="symbol", label="Mastery", default="M"), Whole(name="base", label="Base resistance", default=14),
        *(each for each in Community.fields if each.name in ("tie", "stacking", "growth")),
    )
    stored = StoredEvents[Event](Event)
    handlers = {
        "use": acts.use, "bolster": acts.bolster, "cement": acts.cement, "concede": acts.concede,
        "background": acts.background, "crisis": acts.crisis, "interval": acts.interval, "plot": acts.plot,
        "augment": acts.augment, "end": acts.end, **lobbying.HANDLERS,
    }

    def __init__(self, numbers: Edition = FIRST) -> None:
        self.edition, self.experience_rule = numbers, experience_rule(numbers)

    def allowed_by(self, settings: Mapping[str, Value]) -> bool:
        return settings.get(COMMUNITY_SCORES) is True

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return acts.begin(values, faces)

    def blank(self) -> State:
        return State(edition=self.edition)

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def is_over(self, state: State) -> bool:
        return state.over

    def offers(self, state: State, sheets: Sheets) -> tuple[Offer, ...]:
        return tuple(offers(state, sheets))

    def asks(self, state: State, sheets: Sheets) -> tuple[Ask, ...]:
        return asks(state)

    def forecast(
        self, state: State, sheets: Sheets, by: str, action: str, given: Mapping[str, Value],
        counted: Sheets | None = None,
    ) -> Forecasts:
        return forecast(state, sheets, by, action, given)

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets)
