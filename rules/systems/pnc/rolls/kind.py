"""The kinds of procedure in which standard rolls are made, each with its place at the table."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.engine import Procedure, Sheets, Values
from rules.fields import Field
from rules.moves import Need
from rules.procedure import Ask, Casting, Offer, Options, Perspective, Placement, View
from rules.sheet import Sheet
from rules.stored import StoredEvents
from rules.systems.pnc.factors import button, roll_of, weights_of
from rules.systems.pnc.roll_odds import Forecasts, both_readings, spread
from rules.systems.pnc.rolls import acts
from rules.systems.pnc.rolls.asks import asks
from rules.systems.pnc.rolls.events import Event, Result
from rules.systems.pnc.rolls.evolve import evolve
from rules.systems.pnc.rolls.offers import offers
from rules.systems.pnc.rolls.setup import ANSWER_FIELDS, ROLL_FIELDS, begin_answer, begin_rolls
from rules.systems.pnc.rolls.state import State
from rules.systems.pnc.rolls.tray import from_tray, tray
from rules.systems.pnc.rolls.view import view
from rules.tray import Obstacle, RollsFromTray, TrayRoll
from rules.values import Value


class Rolls(Procedure[State, Event]):
    """Everybody who is in it makes a standard roll; factors come first, mulligans after."""

    placement = Placement(exclusive=False)
    fewest = 1
    fields: tuple[Field, ...] = ROLL_FIELDS
    stored = StoredEvents[Event](Event)
    handlers = {
        "roll": acts.roll, "mulligan": acts.mulligan, "stand": acts.stand, "weigh": acts.weigh, "judge": acts.weigh,
        "drop": acts.drop, "dismiss": acts.drop, "mean": acts.mean, "settle": acts.settle,
    }

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin_rolls(values, sheets, faces, self.fewest)

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
        return view(state, sheets, viewer)

    def refusal(self, state: State, by: str) -> str:
        return "This is over." if state.over else super().refusal(state, by)

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"over": state.over}

    def odds(self, state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
        if not offer.rolls:
            return ()
        who = state.roller(offer.by)
        weights = (*who.weights, *weights_of(sheets[offer.by], values, by=offer.by))
        roll = roll_of(weights, open_ended=who.open_ended)
        return both_readings(spread(roll), f"{who.name}: {button(roll)}")


class StandardRollContest(Rolls, RollsFromTray):
    """One standard roll, on a page of its own: alone or in a scene."""

    name = "pnc.roll"
    title = "Standard roll"
    casting = Casting("one")
    placement = Placement(exclusive=False, needs_scene=False, open_to_players=True)

    @property
    def start_label(self) -> str:
        return "Make a roll"

    def tray(self, sheet: Sheet, setup: Values, obstacles: Options) -> Offer:
        return tray(sheet, obstacles)

    def from_tray(
        self, sheet: Sheet, setup: Values, given: Mapping[str, Value], obstacle: Obstacle | None
    ) -> TrayRoll:
        return from_tray(sheet, setup, given, obstacle)


class Race(Rolls):
    """A competition: standard rolls compared by degree (PN-08)."""

    name = "pnc.competition"
    title = "Competition"
    casting = Casting("many")
    fewest = 2


class Answer(Rolls):
    """A question that the story answers by itself (PN-01): over as soon as it is asked."""

    name = "pnc.answer"
    title = "Answer"
    casting = Casting("one")
    placement = Placement(exclusive=False, needs_scene=False)
    fields = ANSWER_FIELDS

    @property
    def start_label(self) -> str:
        return "Answer without a roll"

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin_answer(values, sheets, faces)
