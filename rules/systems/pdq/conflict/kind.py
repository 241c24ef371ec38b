"""The conflict as a contest that goes on over rounds (PQ-08, PQ-11 to PQ-18)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from rules.contests import Board, ContestKind, Offer, Turn
from rules.moves import Need, Outcome, Step, take
from rules.sheet import Sheet
from rules.stored import StoredEvents
from rules.systems.pdq.conflict import acts, blows, gm
from rules.systems.pdq.conflict.board import board
from rules.systems.pdq.conflict.done import Done, names
from rules.systems.pdq.conflict.events import Ended, Event, RoundBegan, TurnBegan
from rules.systems.pdq.conflict.evolve import evolve, onward
from rules.systems.pdq.conflict.forecast import Forecasts, forecast
from rules.systems.pdq.conflict.offers import check, offers
from rules.systems.pdq.conflict.setup import FIELDS, begin
from rules.systems.pdq.conflict.state import Phase, State
from rules.values import BadMove, Value

EVENTS: StoredEvents[Event] = StoredEvents(Event)
Handler = Callable[..., "Done | Need"]

# What each action leads to. Those of ROLLING may want dice, all others take none.
HANDLERS: dict[str, Handler] = {
    "attack": blows.attack, "defend": blows.defend, "act": acts.act, "hold": acts.hold, "pass": acts.pass_,
    "let_go": acts.let_go, "help": acts.help_, "withdraw": acts.withdraw, "kill": acts.kill, "intent": acts.intent,
    "move": acts.move, "take_damage": acts.take_damage, "take_on_the_chin": acts.take_on_the_chin,
    "grant": gm.grant, "skip": gm.skip, "call_weakness": gm.call_weakness, "take_out": gm.take_out,
    "bring_back": gm.bring_back, "place": gm.place, "end": gm.end,
}
ROLLING = ("defend", "act")


class Conflict(ContestKind[State, Event]):
    """Turns, attacks, reactions and damage, until one side stands or the GM ends it.

    The sheets of all contestants come in with every call, with their damage as it is; the effects of a turn have to be
    applied before the next one. What a sheet does not say (who has acted, who holds, what is pending) is in the state.
    """

    name = "pdq.conflict"
    title = "Conflict"
    fields = FIELDS

    def start(
        self, setup: Mapping[str, Value], sheets: Mapping[str, Sheet], faces: Sequence[int] = ()
    ) -> Turn[Event] | Need:
        """The contestants in their order, and the first turn; raises `BadMove`. Wants dice for ties that are rolled."""
        begun = begin(setup, sheets, faces)
        if isinstance(begun, Need):
            return begun
        event, steps, dice = begun
        return _turn(self.blank(), "start", "", Done((event,), steps, {}, dice))

    def offers(self, state: State, sheets: Mapping[str, Sheet]) -> tuple[Offer, ...]:
        return offers(state, sheets)

    def act(
        self, state: State, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value],
        faces: Sequence[int] = (),
    ) -> Turn[Event] | Need:
        offer = next((each for each in offers(state, sheets) if (each.action, each.by) == (action, by)), None)
        if offer is None:
            raise BadMove(refusal(state, by), "action")
        values = check(offer, given)
        if action not in ROLLING:
            take(faces, 0)
        done = HANDLERS[action](state, sheets, by, values, faces)
        return done if isinstance(done, Need) else _turn(state, action, by, done)

    def blank(self) -> State:
        return State()

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def write(self, event: Event) -> Value:
        return EVENTS.write(event)

    def read(self, stored: Value) -> Event:
        return EVENTS.read(stored)

    def is_over(self, state: State) -> bool:
        return state.over

    def forecast(
        self, state: State, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value]
    ) -> Forecasts:
        offer = next((each for each in offers(state, sheets) if (each.action, each.by) == (action, by)), None)
        return forecast(state, sheets, by, action, check(offer, given)) if offer else ()

    def board(self, state: State, sheets: Mapping[str, Sheet]) -> Board:
        return board(state)


def refusal(state: State, by: str) -> str:
    """Why an action is not possible now, and what is."""
    match state.phase:
        case Phase.BLANK:
            return "The conflict has not begun. Start it first."
        case Phase.OVER:
            return "The conflict is over."
        case Phase.INTENT:
            return f"First {names(state, state.undecided)} must say whether they kill."
        case Phase.DEFEND:
            unanswered = state.attack.unanswered if state.attack else ()
            return f"An attack is under way. Wait for the reaction of {names(state, unanswered)}."
        case Phase.DAMAGE:
            hurt = tuple(dict.fromkeys(wound.who for wound in state.wounds))
            return f"First the damage has to be placed, by {names(state, hurt)}."
        case Phase.LAST_CALL:
            holders = names(state, [each.id for each in state.holders])
            return f"The round ends. {holders} can act from hold or let it go."
        case Phase.TURN:
            if by in state.acting:
                return "This is not possible now. Choose one of the actions that are shown."
            return f"It is the turn of {names(state, state.acting)}."


def _turn(state: State, action: str, by: str, done: Done) -> Turn[Event]:
    """The turn with everything that follows by itself."""
    events, steps = list(done.events), list(done.steps)
    for event in done.events:
        state = evolve(state, event)
    while (following := onward(state)) is not None:
        events.append(following)
        before, state = state, evolve(state, following)
        steps += _following_steps(before, state, following)
    result = {"action": action, "by": by, **done.result, "phase": state.phase.value, "round": state.round}
    return Turn(tuple(events), Outcome(result, tuple(steps), done.dice, done.rolls), done.effects)


def _following_steps(before: State, state: State, event: Event) -> tuple[Step, ...]:
    match event:
        case RoundBegan(round=0):
            return (Step("PQ-11", "A free round begins, against those who are unaware."),)
        case RoundBegan(round=number):
            return (Step("PQ-11", f"Round {number} begins."),)
        case TurnBegan(who=who):
            together = ", at the same moment" if len(who) > 1 else ""
            return (Step("PQ-11", f"It is the turn of {names(state, who)}{together}."),)
        case Ended(winner=winner):
            told = f"Only {winner} still stands" if winner else "Nobody still stands"
            return (Step("PQ-16", f"{told}: the conflict is over."),)
        case _:
            return ()
