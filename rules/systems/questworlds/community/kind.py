"""The community as a procedure: it lasts over all sessions until the group leaves it (QW-92 to QW-94, QW-A9)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

from rules.engine import KnowsCampaign, Procedure, Sheets, Values
from rules.fields import Field, Flag, Group, Listing, Text
from rules.moves import Need
from rules.procedure import Ask, Casting, Offer, Perspective, Placement, View
from rules.systems.questworlds.community import intervals, lobbying, questionnaire, ranks, scores
from rules.systems.questworlds.community.state import CommunityOptions, Lobbied, Result, ScoredState, State
from rules.systems.questworlds.community.tables import SCORES
from rules.systems.questworlds.community.view import view, view_of_scores
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.learning import CountsExperience, experience_rule
from rules.systems.questworlds.names import COMMUNITY, RESOURCES, TEACHING
from rules.systems.questworlds.older.options import COMMUNITY_SCORES
from rules.systems.questworlds.settings import Settings, setting_fields
from rules.values import Value

L = TypeVar("L", bound=Lobbied)

WHO = Listing(name="contestants", label="Participants", default=(), most=200, of=Group(name="who", label="One", fields=(
    Text(name="sheet", label="Character"), Flag(name="player", label="Player character"))))
NAME = Text(name="title", label="Name", default="The community", most=80)


class AnyCommunity(Procedure[L], KnowsCampaign[L], CountsExperience[L]):
    """Those whom the group protects and draws on."""

    title_label = "Name of the community"
    casting = Casting("everyone", open=True)
    placement = Placement(exclusive=False, needs_scene=False, always=True)
    remembers = TEACHING
    reads, settings = CommunityOptions, Settings
    frame: tuple[Field, ...] = (WHO, NAME)

    def __init__(self, edition: Edition = FIRST, symbol: str = "M") -> None:
        self.edition, self.experience_rule = edition, experience_rule(edition)
        self.fields = (*self.frame, *setting_fields(symbol, edition, CommunityOptions))

    def seats(self, state: L) -> Sequence[str]:
        return state.settings.players

    def offered(self, state: L, sheets: Sheets, action: str = "") -> list[Offer]:
        return super().offered(state, sheets, action) if state.founded else []

    def asks(self, state: L, sheets: Sheets) -> tuple[Ask, ...]:
        return super().asks(state, sheets) if state.founded else ()

    def is_over(self, state: L) -> bool:
        return state.over


class Community(AnyCommunity[State]):
    """One whose resources have ranks."""

    name = COMMUNITY
    title = "Community"
    start_label = "Set up a community"
    events = (*ranks.EVENTS, *questionnaire.EVENTS, *lobbying.EVENTS)
    acts = (*ranks.OWN, questionnaire.VOTE, *ranks.REQUESTS,
            lobbying.FACE, *ranks.RULINGS, ranks.LIST, *questionnaire.GMS, ranks.END)

    def allowed_by(self, settings: Mapping[str, Value]) -> bool:
        return settings.get("community") == "ranks" and settings.get(COMMUNITY_SCORES) is not True

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return ranks.begin(values, sheets, faces)

    def blank(self) -> State:
        return State(edition=self.edition)

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer, self.asks(state, sheets))


class ScoredCommunity(AnyCommunity[ScoredState]):
    """One whose resources are rolled with, and wear out."""

    name = RESOURCES
    title = "Community with scores"
    default_title = "The community"
    start_label = "Set up a community with scores"
    frame = (
        WHO, NAME,
        Text(name="names", label="Resources", default="Wealth, Diplomacy, Morale, Magic, Arms", most=240,
             help=f"{len(SCORES)} of them, the best first, with commas between: 12, 9, 18, 18 and 12, the first two "
                  "with a mastery."),
        Text(name="interval", label="Interval", default="A season", most=60,
             help="After which the scores change: a season, a campaign, a voyage."),
    )
    events = (*scores.EVENTS, *intervals.EVENTS, *lobbying.EVENTS)
    acts = (*scores.OWN, lobbying.FACE, *scores.uses(granted=True), *intervals.TESTS, *scores.uses(granted=False),
            *intervals.GMS)

    def allowed_by(self, settings: Mapping[str, Value]) -> bool:
        return settings.get(COMMUNITY_SCORES) is True

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return scores.begin(values, faces)

    def blank(self) -> ScoredState:
        return ScoredState(edition=self.edition)

    def view(self, state: ScoredState, sheets: Sheets, viewer: Perspective) -> View:
        return view_of_scores(state, sheets, self.asks(state, sheets))
