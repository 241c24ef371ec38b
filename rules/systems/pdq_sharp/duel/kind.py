"""The duel as a procedure that goes on over turns (PS-20 to PS-28, PS-30 to PS-32)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.engine import KnowsCampaign, Procedure, Sheets, Values
from rules.moves import Need
from rules.procedure import Ask, Offer, Perspective, View
from rules.sheet import Sheet
from rules.stored import StoredEvents
from rules.systems.pdq_sharp.duel.acts import HANDLERS
from rules.systems.pdq_sharp.duel.asks import asks
from rules.systems.pdq_sharp.duel.events import Event, Result
from rules.systems.pdq_sharp.duel.evolve import evolve
from rules.systems.pdq_sharp.duel.flow import completed
from rules.systems.pdq_sharp.duel.forecast import Forecasts, forecast
from rules.systems.pdq_sharp.duel.offers import offers
from rules.systems.pdq_sharp.duel.setup import FIELDS, begin, unfit
from rules.systems.pdq_sharp.duel.state import State
from rules.systems.pdq_sharp.duel.view import view, waits_for
from rules.values import Value


class Duel(Procedure[State, Event], KnowsCampaign[State]):
    """Turns of engaging, dividing dice in secret, clash and volte-face, until one side stands.

    The sheets of all come in with every call, with their damage and style dice as they are; the effects of an act have
    to be applied before the next one.
    """

    name = "pdq_sharp.duel"
    title = "Duel"
    default_title = "A duel"
    fields = FIELDS
    stored = StoredEvents[Event](Event)
    handlers = HANDLERS

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return completed(self.blank(), sheets, begin(values, sheets, faces))

    def unfit(self, sheet: Sheet) -> str:
        return unfit(sheet)

    def blank(self) -> State:
        return State()

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def offers(self, state: State, sheets: Sheets) -> tuple[Offer, ...]:
        return offers(state, sheets)

    def asks(self, state: State, sheets: Sheets) -> tuple[Ask, ...]:
        return asks(state)

    def is_over(self, state: State) -> bool:
        return state.over

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"phase": state.phase.value, "turn": state.turn}

    def odds(self, state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
        return forecast(state, sheets, offer.by, offer.action, values)

    def refusal(self, state: State, by: str) -> str:
        if state.over:
            return "The duel is over."
        if not state.fencers:
            return "The duel has not begun. Start it first."
        return f"This is not possible now. {waits_for(state, Perspective())}"
