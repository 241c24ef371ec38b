"""The conflict as a procedure that goes on over rounds (PQ-08, PQ-11 to PQ-18)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.engine import Procedure, Sheets, Values
from rules.moves import Need, Roll, Step
from rules.procedure import Ask, Offer, Perspective, View
from rules.sheet import Sheet
from rules.stored import StoredEvents
from rules.systems.pdq.conflict import acts, blows, gm
from rules.systems.pdq.conflict.asks import asks
from rules.systems.pdq.conflict.events import Ended, Event, Result, RoundBegan, TurnBegan
from rules.systems.pdq.conflict.evolve import evolve, onward
from rules.systems.pdq.conflict.forecast import Forecasts, forecast
from rules.systems.pdq.conflict.offers import offers
from rules.systems.pdq.conflict.setup import FIELDS, begin, unfit
from rules.systems.pdq.conflict.state import Phase, State
from rules.systems.pdq.conflict.view import out_of_reach, view
from rules.values import Value
from rules.wording import alone


class Conflict(Procedure[State, Event]):
    """Turns, attacks, reactions and damage, until one side stands or the GM ends it.

    The sheets of all contestants come in with every call, with their damage as it is; the effects of a turn have to be
    applied before the next one. What a sheet does not say (who has acted, who holds, what is pending) is in the state.
    """

    name = "pdq.conflict"
    title = "Conflict"
    default_title = "A conflict"
    fields = FIELDS
    stored = StoredEvents[Event](Event)
    handlers = {
        "attack": blows.attack, "defend": blows.defend, "act": acts.act, "hold": acts.hold, "pass": acts.pass_,
        "let_go": acts.let_go, "help": acts.help_, "withdraw": acts.withdraw, "kill": acts.kill,
        "end_here": acts.end_here, "intents": acts.intents,
        "intent": acts.intent, "move": acts.move, "take_damage": acts.take_damage,
        "take_on_the_chin": acts.take_on_the_chin, "grant": gm.grant, "skip": gm.skip,
        "call_weakness": gm.call_weakness, "take_out": gm.take_out, "bring_back": gm.bring_back, "place": gm.place,
        "end": gm.end,
    }

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin(values, sheets, faces)

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

    def follow_up(self, state: State) -> Event | None:
        return onward(state)

    def explain(self, before: State, after: State, event: Event) -> tuple[tuple[Step, ...], tuple[Roll, ...]]:
        return _steps_of(after, event), ()

    def summary(self, state: State) -> Mapping[str, Value]:
        return {"phase": state.phase.value, "round": state.round}

    def odds(self, state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
        return forecast(state, sheets, offer.by, offer.action, values)

    def refusal(self, state: State, by: str) -> str:
        match state.phase:
            case Phase.BLANK:
                return "The conflict has not begun. Start it first."
            case Phase.OVER:
                return "The conflict is over."
            case Phase.INTENT:
                return f"First {state.names(state.undecided)} must say whether to kill."
            case Phase.DEFEND:
                unanswered = state.attack.unanswered if state.attack else ()
                return f"An attack is under way. Wait for the reaction of {state.names(unanswered)}."
            case Phase.DAMAGE:
                hurt = dict.fromkeys(wound.who for wound in state.wounds)
                return f"First the damage has to be placed, by {state.names(hurt)}."
            case Phase.LAST_CALL:
                holders = state.names(each.id for each in state.holders)
                return f"The round ends. {holders} can act from hold or let it go."
            case Phase.AFTERMATH:
                return f"{alone(state.sides_standing[0])}. End it here, or kill who is out of action."
            case Phase.TURN:
                if by in state.acting:
                    return out_of_reach(state, state.contestant(by)) or super().refusal(state, by)
                return f"It is the turn of {state.names(state.acting)}."


def _steps_of(state: State, event: Event) -> tuple[Step, ...]:
    """What follows by itself, in words."""
    match event:
        case RoundBegan(round=0):
            return (Step("PQ-11", "A free round begins, against those who are unaware."),)
        case RoundBegan(round=number):
            return (Step("PQ-11", f"Round {number} begins."),)
        case TurnBegan(who=who):
            together = ", at the same moment" if len(who) > 1 else ""
            return (Step("PQ-11", f"It is the turn of {state.names(who)}{together}."),)
        case Ended(winner=winner):
            text = alone(winner) if winner else "Nobody is still standing"
            return (Step("PQ-16", f"{text}: the conflict is over."),)
        case _:
            return ()
