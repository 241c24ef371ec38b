"""The long contests as procedures: scored, chained, extended (QW-43 to QW-59)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.engine import KnowsCampaign, Procedure, Sheets, Values
from rules.moves import Need, Roll, Step
from rules.procedure import Ask, CampaignContext, Casting, Offer, Options, Perspective, Placement, View
from rules.stored import StoredEvents
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.learning import CountsExperience, experience_rule
from rules.systems.questworlds.long.acts import HANDLERS
from rules.systems.questworlds.long.asks import asks
from rules.systems.questworlds.long.events import Event, Result, RoundBegan
from rules.systems.questworlds.long.evolve import evolve
from rules.systems.questworlds.long.nesting import elsewhere
from rules.systems.questworlds.long.odds import Forecasts, forecast
from rules.systems.questworlds.long.offers import offers
from rules.systems.questworlds.long.setup import FIELDS, SIDES, begin, prepared
from rules.systems.questworlds.long.state import Phase, State
from rules.systems.questworlds.long.turns import waits_for
from rules.systems.questworlds.long.view import story, view
from rules.systems.questworlds.names import LONG, TEACHING
from rules.systems.questworlds.older.states import unable
from rules.values import BadMove, Value


class LongContest(Procedure[State, Event], KnowsCampaign[State], CountsExperience[State]):
    """What all of them share: sides, pairs, rounds, helpers, followers, what comes after."""

    form: str
    title_label = "The prize"
    casting = Casting("sides", sides=SIDES["scored"], others_named=True, bystanders=True, onward=True)
    placement = Placement(exclusive=False)
    remembers = TEACHING
    fields = FIELDS
    stored = StoredEvents[Event](Event)
    handlers = HANDLERS

    def __init__(self, edition: Edition = FIRST) -> None:
        self.edition, self.experience_rule = edition, experience_rule(edition)

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin(self.form, values, sheets, faces, self.edition)

    def may_start(self, setup: Mapping[str, Value], context: CampaignContext, sheets: Sheets) -> None:
        for who, sheet in sheets.items():
            if title := elsewhere(context, who):
                raise BadMove(f"{sheet.name} is in “{title}”. A long contest never stands inside another: pause or end "
                              "that one, or let this be an unrelated action in it.")
            if why := unable(sheet):
                raise BadMove(why)

    def choices(self, context: CampaignContext) -> Mapping[str, Options]:
        return {"prepared": prepared(context, self.edition)}

    def involved(self, state: State) -> tuple[str, ...]:
        return tuple(each.id for each in state.contestants)

    def allowed_by(self, settings: Mapping[str, Value]) -> bool:
        return settings.get("long", self.form) in (self.form, "all")

    def blank(self) -> State:
        return State(form=self.form, edition=self.edition)

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def offers(self, state: State, sheets: Sheets) -> tuple[Offer, ...]:
        return offers(state, sheets)

    def asks(self, state: State, sheets: Sheets) -> tuple[Ask, ...]:
        return asks(state, sheets)

    def is_over(self, state: State) -> bool:
        return bool(state.ended)

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)

    def refusal(self, state: State, by: str) -> str:
        return f"This is not possible now. {waits_for(state)}"

    def follow_up(self, state: State) -> Event | None:
        """A round is over when every pair has had it."""
        if state.phase is not Phase.ROUNDS or state.throws:
            return None
        if state.form == "extended":
            left = [each for each in state.fighters if each.id not in state.done]
            return None if left else RoundBegan(state.round + 1)
        bouts = state.open_bouts
        return RoundBegan(state.round + 1) if bouts and all(each.played >= state.round for each in bouts) else None

    def explain(self, before: State, after: State, event: Event) -> tuple[tuple[Step, ...], tuple[Roll, ...]]:
        rule = {"scored": "QW-43", "chained": "QW-57", "extended": "QW-51"}[after.form]
        return (Step(rule, f"Round {after.round} begins."),), ()

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"round": state.round, "phase": state.phase.value}

    def odds(self, state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
        return forecast(state, sheets, offer.by, offer.action, values)

    def story(self, state: State) -> tuple[str, ...]:
        return story(state)


class ScoredLong(LongContest):
    """Rounds until one has five points against the other (QW-43)."""

    name, form = LONG[0], "scored"
    title = "Scored contest"


class ChainedLong(LongContest):
    """Rounds in which every defeat hurts at once (QW-57)."""

    name, form = LONG[1], "chained"
    title = "Chained contest"


class ExtendedLong(LongContest):
    """Exchanges in which advantage points are bid (QW-51)."""

    name, form = LONG[2], "extended"
    casting = Casting("sides", sides=SIDES["extended"], others_named=True, bystanders=True, onward=True)
    title = "Extended contest"
    start_label = "Start an extended contest"


__all__ = ["ChainedLong", "ExtendedLong", "ScoredLong"]
