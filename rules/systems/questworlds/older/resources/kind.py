"""The community with scores as a procedure: founded once, then used, bolstered and reviewed over intervals (QW-A9)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from rules.engine import AwardsExperience, KnowsCampaign, Procedure, Sheets, Values
from rules.fields import Flag, Group, Listing, Text, Whole
from rules.moves import Need
from rules.procedure import (
    Ask,
    Award,
    CampaignContext,
    Casting,
    Offer,
    Participant,
    Perspective,
    Placement,
    View,
)
from rules.stored import StoredEvents
from rules.systems.questworlds.community.kind import Community
from rules.systems.questworlds.community.odds import Forecasts
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.learning import awards, experience_rule
from rules.systems.questworlds.names import RESOURCES, TEACHING
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.options import COMMUNITY_SCORES
from rules.systems.questworlds.older.resources import acts, lobbying
from rules.systems.questworlds.older.resources.events import Event, Result, State, evolve
from rules.systems.questworlds.older.resources.odds import forecast
from rules.systems.questworlds.older.resources.offers import asks, offers
from rules.systems.questworlds.older.resources.tables import SCORES
from rules.values import Value


@dataclass(frozen=True, slots=True)
class Line:
    """A row of the table of resources: name, score, total and what the group brought, as they are written."""

    name: str
    score: str
    total: str
    pc: str


@dataclass(frozen=True, slots=True)
class Detail:
    """What the page draws beside what every procedure has."""

    lines: tuple[Line, ...]
    interval: str
    number: int
    average: str
    granted: tuple[tuple[str, str, str], ...]  # who, which resource, what for


class ScoredCommunity(Procedure[State, Event], KnowsCampaign[State], AwardsExperience[State]):
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

    def with_context(self, state: State, context: CampaignContext) -> State:
        return replace(state, context=context)

    def forecast(
        self, state: State, sheets: Sheets, by: str, action: str, given: Mapping[str, Value],
        counted: Sheets | None = None,
    ) -> Forecasts:
        return forecast(state, sheets, by, action, given)

    def awards(self, state: State) -> tuple[Award, ...]:
        return awards(state.learned)

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        symbol, waits = state.symbol, asks(state)
        lines = tuple(Line(each.name, notation(each.score, symbol), signed(each.total, symbol) if each.total else "",
                           signed(each.pc, symbol) if each.pc else "") for each in state.resources)
        average = notation(state.average, symbol) if state.resources else ""
        detail = Detail(lines, state.interval, state.number, average,
                        tuple((each.name, each.resource, each.words) for each in state.granted))
        facts = tuple(f"{each.name} {each.score}{f', {each.total} in all' if each.total else ''}"
                      f"{f', {each.pc} of it the group’s' if each.pc else ''}." for each in lines)
        groups = tuple((Participant(each.id, each.name, ""),) for each in sheets.values() if not each.npc)
        text = "The group has left it." if state.over else f"Waiting for {_who(sheets, waits[0])}." if waits else (
            "Roll for background events." if not state.tested else "What it has, and what the group may ask of it.")
        return View(f"{state.interval} {state.number}", text, groups, facts, detail)


def _who(sheets: Sheets, ask: Ask) -> str:
    return f"{sheets[ask.by].name if ask.by in sheets else 'the GM'}: {ask.text}"
