"""The kinds of contest in which standard rolls are made, each with its place at the table."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce
from typing import Any

from rules.contests import Board, ContestKind, Offer, Seat, Turn
from rules.fields import REQUIRED, Field, Flag, Group, Listing, Text, read_all
from rules.moves import Need, Outcome, Step, take
from rules.sheet import Sheet
from rules.stored import StoredEvents
from rules.systems.pnc.chances import Forecasts, both_readings, spread
from rules.systems.pnc.done import Done, check, listed
from rules.systems.pnc.factors import button, roll_of, weights_of
from rules.systems.pnc.rolls import acts
from rules.systems.pnc.rolls.offers import ANSWER, VERDICT, offers
from rules.systems.pnc.rolls.state import VERDICTS, Event, Roller, Seated, Settled, Started, State, evolve
from rules.systems.pnc.standard_roll import OPEN_ENDED
from rules.values import BadMove, Value

SWING = Flag(name="swing", label="A 20 earns a mulligan point, a 1 loses one", default=True,
             help="For players only, as the d20 falls first. Nobody has fewer than none.")

SEAT = Group(name="contestant", label="Who rolls", fields=(
    Text(name="sheet", label="Whose sheet", default=REQUIRED, most=100),
    Flag(name="player", label="A player's character"),
))

STORED: StoredEvents[Event] = StoredEvents(Event)

Handler = Callable[..., "Done[Event] | Need"]
HANDLERS: dict[str, Handler] = {
    "roll": acts.roll, "mulligan": acts.mulligan, "stand": acts.stand, "weigh": acts.weigh, "judge": acts.weigh,
    "drop": acts.drop, "dismiss": acts.drop, "mean": acts.mean, "settle": acts.settle,
}


class Rolls(ContestKind[State, Event]):
    """Everybody who is in it makes a standard roll; factors come first, mulligans after."""

    exclusive = False
    fewest = 1
    fields: tuple[Field, ...] = (Listing(name="contestants", label="Who rolls", of=SEAT, most=50), OPEN_ENDED, SWING)

    def start(
        self, setup: Mapping[str, Value], sheets: Mapping[str, Sheet], faces: Sequence[int] = ()
    ) -> Turn[Event] | Need:
        """The question is asked; raises `BadMove`."""
        take(faces, 0)
        given = read_all(self.fields, setup)
        event = self.seated(given, sheets)
        names = listed([each.name for each in event.seats])
        step = Step("PN-02", f"The story does not say how it ends: {names} will roll.")
        return _turn(self.blank(), "start", "", Done((event,), (step,)))

    def seated(self, given: Mapping[str, Any], sheets: Mapping[str, Sheet]) -> Started:
        """Who rolls, checked; raises `BadMove`."""
        lines = given["contestants"]
        ids = [line["sheet"] for line in lines]
        for index, id_ in enumerate(ids):
            where = f"contestants.{index}.sheet"
            if id_ not in sheets:
                raise BadMove("Choose a character of this campaign.", where)
            if ids.count(id_) > 1:
                raise BadMove(f"{sheets[id_].name} is in it twice. Leave one out.", where)
        if len(lines) < self.fewest:
            raise BadMove("It takes two to compete. Put somebody else in." if self.fewest > 1 else "Say who rolls.",
                          "contestants")
        seats = tuple(Seated(line["sheet"], sheets[line["sheet"]].name, line["player"]) for line in lines)
        return Started(given["open_ended"], given["swing"], seats)

    def offers(self, state: State, sheets: Mapping[str, Sheet]) -> tuple[Offer, ...]:
        return offers(state, sheets)

    def act(
        self, state: State, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value],
        faces: Sequence[int] = (),
    ) -> Turn[Event] | Need:
        done = HANDLERS[action](state, sheets, by, check(self._offer(state, sheets, by, action), given), faces)
        return done if isinstance(done, Need) else _turn(state, action, by, done)

    def forecast(
        self, state: State, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value]
    ) -> Forecasts:
        values = check(self._offer(state, sheets, by, action), given)
        if action not in ("roll", "mulligan"):
            return ()
        who = state.roller(by)
        weights = (*who.weights, *weights_of(sheets[by], values, by=by))
        roll = roll_of(weights, open_ended=who.open_ended)
        return both_readings(spread(roll), f"{who.name}: {button(roll)}")

    def _offer(self, state: State, sheets: Mapping[str, Sheet], by: str, action: str) -> Offer:
        for offer in offers(state, sheets):
            if (offer.action, offer.by) == (action, by):
                return offer
        raise BadMove("This is over." if state.over else "This is not possible now. Choose one of what is shown.",
                      "action")

    def blank(self) -> State:
        return State()

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def write(self, event: Event) -> Value:
        return STORED.write(event)

    def read(self, stored: Value) -> Event:
        return STORED.read(stored)

    def is_over(self, state: State) -> bool:
        return state.over

    def board(self, state: State, sheets: Mapping[str, Sheet]) -> Board:
        if state.over:
            return Board("Settled", VERDICTS.get(state.verdict, "The dice have spoken") + ".", _seats(state))
        rolling = listed([each.name for each in state.rollers if not each.dice])
        standing = listed([each.name for each in state.rollers if each.dice and not each.stands])
        waits = f"{rolling} will roll." if rolling != "nobody" else f"{standing} may roll again, or let it stand."
        return Board("Being weighed" if not state.begun else "Rolled", waits, _seats(state))


class StandardRollContest(Rolls):
    """One standard roll, on a page of its own: alone or in a scene."""

    name = "pnc.roll"
    title = "Standard roll"
    seats = "one"
    open_to_players = True
    needs_scene = False

    @property
    def deed(self) -> str:
        return "Make a roll"


class Race(Rolls):
    """A competition: standard rolls compared by degree (PN-08)."""

    name = "pnc.competition"
    title = "Competition"
    seats = "many"
    fewest = 2


class Answer(Rolls):
    """A question that the story answers by itself (PN-01): over as soon as it is asked."""

    name = "pnc.answer"
    title = "Answer"
    seats = "one"
    needs_scene = False
    fields = (Listing(name="contestants", label="Whom it is about", of=SEAT, most=1), VERDICT, ANSWER)

    @property
    def deed(self) -> str:
        return "Let the story decide"

    def start(
        self, setup: Mapping[str, Value], sheets: Mapping[str, Sheet], faces: Sequence[int] = ()
    ) -> Turn[Event] | Need:
        """The GM answers; raises `BadMove`."""
        given = read_all(self.fields, setup)
        if not given["words"]:
            raise BadMove("Say it in a few words.", "words")
        event = self.seated({**given, "open_ended": True, "swing": True}, sheets)
        done = acts.settle(evolve(State(), event), sheets, "", given, faces)
        return _turn(self.blank(), "answer", "", Done((event, *done.events), done.steps, done.result))


def _turn(state: State, action: str, by: str, done: Done[Event]) -> Turn[Event]:
    after = reduce(evolve, done.events, state)
    result = {"action": action, "by": by, **done.result, "over": after.over}
    return Turn(done.events, Outcome(result, done.steps, done.dice, done.rolls), done.effects)


def _seats(state: State) -> tuple[tuple[Seat, ...], ...]:
    return tuple((_seat(each),) for each in state.rollers)


def _seat(who: Roller) -> Seat:
    return Seat(who.id, who.name, "", current=not who.dice, note=f"{who.degree}, {who.band}" if who.dice else "")


__all__ = ["Answer", "Race", "Rolls", "Settled", "StandardRollContest"]
