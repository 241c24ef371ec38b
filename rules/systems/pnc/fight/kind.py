"""The fight as a procedure that goes on over rounds, and the opposed roll (PN-06, PN-07, PN-11)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.engine import Procedure, Sheets, Values
from rules.fields import Field
from rules.moves import Need, Roll, Step
from rules.procedure import Ask, Offer, Perspective, Placement, View
from rules.stored import StoredEvents
from rules.systems.pnc.contract_rolls import order
from rules.systems.pnc.factors import roll_of
from rules.systems.pnc.fight import acts, aftermath, attacks, places
from rules.systems.pnc.fight.asks import asks
from rules.systems.pnc.fight.events import Ended, Event, Result, RoundBegan, TurnBegan
from rules.systems.pnc.fight.evolve import evolve, onward
from rules.systems.pnc.fight.forecast import forecast
from rules.systems.pnc.fight.offers import offers
from rules.systems.pnc.fight.setup import FIGHT_FIELDS, OPPOSED_FIELDS, begin_fight, begin_opposed
from rules.systems.pnc.fight.state import State
from rules.systems.pnc.fight.view import view, waits_for
from rules.systems.pnc.roll_odds import Forecasts
from rules.values import Value
from rules.wording import alone, join


class Fight(Procedure[State, Event]):
    """Initiative, turns and attacks, until one side is left or the GM ends it."""

    name = "pnc.fight"
    title = "Fight"
    default_title = "A fight"
    fields: tuple[Field, ...] = FIGHT_FIELDS
    stored = StoredEvents[Event](Event)
    handlers = {
        "initiative": places.initiative, "roll_the_rest": places.roll_the_rest, "attack": attacks.attack,
        "free_attack": attacks.free_attack, "act": acts.act, "hold": acts.hold, "leave": acts.leave,
        "weigh": attacks.weigh, "defend": attacks.defend, "strike": attacks.strike, "mulligan": attacks.mulligan,
        "stand": attacks.stand, "wound": aftermath.wound, "unmarked": aftermath.unmarked, "deal": aftermath.deal,
        "backfire": aftermath.backfire, "judge": attacks.judge, "dismiss": attacks.dismiss, "skip": acts.skip,
        "ready": acts.ready, "stands": acts.stands, "end": acts.end,
    }

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin_fight(values, sheets, faces)

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
        return waits_for(state)

    def follow_up(self, state: State) -> Event | None:
        return onward(state)

    def explain(self, before: State, after: State, event: Event) -> tuple[tuple[Step, ...], tuple[Roll, ...]]:
        return _steps(after, event), _rolls(after, event)

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"phase": state.phase.value, "round": state.round}

    def odds(self, state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
        return forecast(state, sheets, offer.by, offer.action, values)


class Opposed(Fight):
    """An attack roll that hurts nobody: two against each other, each rolling their own part (PN-06)."""

    name = "pnc.opposed"
    title = "Opposed roll"
    default_title = ""
    placement = Placement(exclusive=False)
    fields = OPPOSED_FIELDS

    @property
    def start_label(self) -> str:
        return "Start an opposed roll"

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin_opposed(values, sheets, faces)


def _rolls(state: State, event: Event) -> tuple[Roll, ...]:
    """The order, as soon as all who can act have their place in it by a roll of their own."""
    if not isinstance(event, RoundBegan) or event.round > 1:
        return ()
    thrown = [
        each.dice.read(roll_of(each.weights, open_ended=state.settings.open_ended)) for each in state.able if each.dice
    ]
    return (order(thrown),) if thrown else ()


def _steps(state: State, event: Event) -> tuple[Step, ...]:
    """What follows by itself, in words."""
    match event:
        case RoundBegan(round=1):
            places = "; ".join(join([each.name for each in group]) for group in state.order if group[0].placed)
            return (Step("PN-07", f"The order is: {places}."),)
        case RoundBegan(round=number):
            return (Step("PN-07", f"Round {number} begins."),)
        case TurnBegan(who=who, losing=losing):
            lost = tuple(Step("PN-06", f"{state.combatant(each).name} loses this turn.") for each in losing)
            acting = [state.combatant(each).name for each in who if each not in losing]
            together = ", at the same moment" if len(acting) > 1 else ""
            return (*lost, *((Step("PN-07", f"It is the turn of {join(acting)}{together}."),) if acting else ()))
        case Ended() if state.settings.opposed:
            return ()
        case Ended(winner=winner):
            still = alone(winner) if winner else "Nobody is still standing"
            return (Step("PN-11", f"{still}: the fight is over."),)
        case _:
            return ()
