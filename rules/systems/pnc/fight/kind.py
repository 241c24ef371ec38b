"""The fight as a contest that goes on over rounds (PN-06, PN-07, PN-11)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from rules.contests import Board, ContestKind, Offer, Turn
from rules.fields import Choice, Field, Flag, Group, Listing, Text, read_all
from rules.moves import Die, Need, Outcome, Roll, Step, take
from rules.sheet import Sheet
from rules.stored import StoredEvents
from rules.systems.pnc.chances import Forecasts
from rules.systems.pnc.dice import Roll as Dice
from rules.systems.pnc.done import Done, check, listed
from rules.systems.pnc.factors import roll_of
from rules.systems.pnc.fight import acts
from rules.systems.pnc.fight.board import board, waits_for
from rules.systems.pnc.fight.events import Ended, Event, RoundBegan, Started, TurnBegan, evolve, onward
from rules.systems.pnc.fight.forecast import forecast
from rules.systems.pnc.fight.offers import offers
from rules.systems.pnc.fight.state import Combatant, Settings, State
from rules.systems.pnc.initiative import MOST_FIGHTERS, Fighters, Initiative
from rules.systems.pnc.rolls.kinds import SEAT, SWING
from rules.systems.pnc.standard_roll import OPEN_ENDED
from rules.systems.pnc.told import order, order_by_d6
from rules.values import BadMove, Value

INITIATIVE = Choice(
    name="initiative", label="Initiative", default="degree",
    options=(("degree", "A standard roll each, the greatest degree first"), ("d6", "1d6 each, ties rolled off")),
)

COMBATANT = Group(name="contestant", label="Combatant", fields=(
    *SEAT.fields,
    Text(name="side", label="Side", most=100, help="Those of one side stand together."),
    Flag(name="caught", label="Caught off guard", help="Can't act until you say so."),
))

CONTENDER = Group(name="contestant", label="Who is in it", fields=(
    *SEAT.fields,
    Text(name="side", label="Side", most=100),
    Flag(name="leads", label="Rolls the d20", help="Does something. The other one stands against it with 3d6."),
))

FIELDS: tuple[Field, ...] = (
    Listing(name="contestants", label="Who fights", of=COMBATANT, most=MOST_FIGHTERS), INITIATIVE, OPEN_ENDED, SWING,
)

STORED: StoredEvents[Event] = StoredEvents(Event)
Handler = Callable[..., "Done[Event] | Need"]

# What each action leads to. Those of ROLLING may want dice, all others take none.
ROLLING: dict[str, Handler] = {
    "initiative": acts.initiative, "roll_the_rest": acts.roll_the_rest, "mulligan": acts.mulligan,
    "defend": acts.defend, "strike": acts.strike,
}
HANDLERS: dict[str, Handler] = {
    **ROLLING, "keep": acts.keep, "attack": acts.attack, "free_attack": acts.free_attack, "act": acts.act,
    "hold": acts.hold, "leave": acts.leave, "stand": acts.stand, "wound": acts.wound, "unmarked": acts.unmarked,
    "judge": acts.judge, "weigh": acts.weigh, "dismiss": acts.dismiss, "deal": acts.deal,
    "backfire": acts.backfire, "skip": acts.skip, "ready": acts.ready, "stands": acts.stands, "end": acts.end,
}


class Fight(ContestKind[State, Event]):
    """Initiative, turns and attacks, until one side is left or the GM ends it."""

    name = "pnc.fight"
    title = "Fight"
    fields = FIELDS

    def start(
        self, setup: Mapping[str, Value], sheets: Mapping[str, Sheet], faces: Sequence[int] = ()
    ) -> Turn[Event] | Need:
        """Who fights on which side, and who can act at first; raises `BadMove`. With a d6 the order is rolled now."""
        given = read_all(FIELDS, setup)
        lines = given.pop("contestants")
        _check(lines, sheets)
        fighters = [
            Combatant(line["sheet"], sheets[line["sheet"]].name, line["side"], line["player"], ready=not line["caught"])
            for line in lines
        ]
        off_guard = [each.name for each in fighters if not each.ready]
        steps = [Step("PN-11", f"A fight: {_sides(fighters)}.")]
        if off_guard:
            steps.append(Step("PN-07", f"{listed(off_guard)} can't act yet."))
        settings = Settings(given["open_ended"], given["swing"], given["initiative"])
        dice: tuple[Die, ...] = ()
        rolls: tuple[Roll, ...] = ()
        if settings.initiative == "d6":
            rolled = _order(fighters, faces)
            if isinstance(rolled, Need):
                return rolled
            rolls = (order_by_d6(len(fighters) - len(off_guard), faces),)
            fighters, told, dice = rolled
            steps += told
        else:
            take(faces, 0)
        begun = Done[Event]((Started(settings, tuple(fighters)),), tuple(steps), {}, dice, rolls=rolls)
        return _turn(self.blank(), "start", "", begun)

    def offers(self, state: State, sheets: Mapping[str, Sheet]) -> tuple[Offer, ...]:
        return offers(state, sheets)

    def act(
        self, state: State, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value],
        faces: Sequence[int] = (),
    ) -> Turn[Event] | Need:
        values = check(_offer(state, sheets, by, action), given)
        if action not in ROLLING:
            take(faces, 0)
        done = HANDLERS[action](state, sheets, by, values, faces)
        return done if isinstance(done, Need) else _turn(state, action, by, done)

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

    def forecast(
        self, state: State, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value]
    ) -> Forecasts:
        return forecast(state, sheets, by, action, check(_offer(state, sheets, by, action), given))

    def board(self, state: State, sheets: Mapping[str, Sheet]) -> Board:
        return board(state)


class Opposed(Fight):
    """An attack roll that hurts nobody: two against each other, each rolling their own part (PN-06)."""

    name = "pnc.opposed"
    title = "Opposed roll"
    exclusive = False
    fields = (
        Listing(name="contestants", label="Who is in it", of=CONTENDER, most=2), OPEN_ENDED, SWING,
    )

    @property
    def deed(self) -> str:
        return "Start an opposed roll"

    def start(
        self, setup: Mapping[str, Value], sheets: Mapping[str, Sheet], faces: Sequence[int] = ()
    ) -> Turn[Event] | Need:
        """The one who does something, and the one who stands against it; raises `BadMove`."""
        take(faces, 0)
        given = read_all(self.fields, setup)
        lines = [{**line, "caught": False} for line in given["contestants"]]
        _check(lines, sheets)
        leading = [line for line in lines if line["leads"]]
        if len(lines) != 2 or len(leading) != 1:
            raise BadMove("Put two in, one on each side, and say which one of them rolls the d20.", "contestants")
        fighters = tuple(
            Combatant(line["sheet"], sheets[line["sheet"]].name, line["side"], line["player"]) for line in lines
        )
        settings = Settings(given["open_ended"], given["swing"], opposed=True)
        begun = evolve(State(), Started(settings, fighters))
        by = str(leading[0]["sheet"])
        foe = next(each.id for each in fighters if each.id != by)
        done = acts.oppose(begun, sheets, by, foe)
        return _turn(self.blank(), "start", "", Done((Started(settings, fighters), *done.events), done.steps))


def _offer(state: State, sheets: Mapping[str, Sheet], by: str, action: str) -> Offer:
    for offer in offers(state, sheets):
        if (offer.action, offer.by) == (action, by):
            return offer
    raise BadMove(waits_for(state) or "This is not possible now. Choose one of the actions that are shown.", "action")


def _check(lines: Sequence[Mapping[str, Any]], sheets: Mapping[str, Sheet]) -> None:
    ids = [line["sheet"] for line in lines]
    for index, line in enumerate(lines):
        where = f"contestants.{index}"
        if line["sheet"] not in sheets:
            raise BadMove("Choose a character of this campaign.", f"{where}.sheet")
        name = sheets[line["sheet"]].name
        if ids.count(line["sheet"]) > 1:
            raise BadMove(f"{name} is in the fight twice. Leave one out.", f"{where}.sheet")
        if not line["side"]:
            raise BadMove(f"Say on whose side {name} is.", f"{where}.side")
    if len({line["side"] for line in lines}) < 2:
        raise BadMove("A fight needs two sides. Put somebody on another side.", "contestants")
    if all(line["caught"] for line in lines):
        raise BadMove("Somebody has to be able to act. Untick one who was caught off guard.", "contestants")


def _order(
    fighters: list[Combatant], faces: Sequence[int]
) -> tuple[list[Combatant], tuple[Step, ...], tuple[Die, ...]] | Need:
    """The order by a d6 each, ties rolled off, of those who can act."""
    able = [each for each in fighters if each.ready]
    move = Fighters((Dice(),) * len(able), "d6", tuple(each.name for each in able))
    outcome = Initiative().resolve(move, faces)
    if isinstance(outcome, Need):
        return outcome
    groups = cast("list[list[int]]", outcome.result["places"])
    places = {index: place for place, group in enumerate(groups) for index in group}
    scores = {each.id: faces[index] * 100 - places[index] for index, each in enumerate(able)}
    placed = [
        replace(each, placed=True, score=scores[each.id]) if each.id in scores else each for each in fighters
    ]
    dice = tuple(replace(die, role=able[int(die.role)].name) for die in outcome.dice)
    return placed, outcome.steps, dice


def _sides(fighters: Sequence[Combatant]) -> str:
    sides = dict.fromkeys(each.side for each in fighters)
    return " against ".join(listed([each.name for each in fighters if each.side == side]) for side in sides)


def _turn(state: State, action: str, by: str, done: Done[Event]) -> Turn[Event]:
    """The turn with everything that follows by itself."""
    events, steps, rolls = list(done.events), list(done.steps), list(done.rolls)
    for event in done.events:
        state = evolve(state, event)
    while (following := onward(state)) is not None:
        events.append(following)
        state = evolve(state, following)
        steps += _following_steps(state, following)
        rolls += _following_rolls(state, following)
    result = {"action": action, "by": by, **done.result, "phase": state.phase.value, "round": state.round}
    return Turn(tuple(events), Outcome(result, tuple(steps), done.dice, tuple(rolls)), done.effects)


def _following_rolls(state: State, event: Event) -> tuple[Roll, ...]:
    """The order, as soon as all who can act have their place in it by a roll of their own."""
    if not isinstance(event, RoundBegan) or event.round > 1:
        return ()
    thrown = [
        each.dice.read(roll_of(each.weights, open_ended=state.settings.open_ended)) for each in state.able if each.dice
    ]
    return (order(thrown),) if thrown else ()


def _following_steps(state: State, event: Event) -> tuple[Step, ...]:
    match event:
        case RoundBegan(round=1):
            order = "; ".join(listed([each.name for each in group]) for group in state.order if group[0].placed)
            return (Step("PN-07", f"The order is: {order}."),)
        case RoundBegan(round=number):
            return (Step("PN-07", f"Round {number} begins."),)
        case TurnBegan(who=who, losing=losing):
            lost = tuple(Step("PN-06", f"{state.combatant(each).name} loses this turn.") for each in losing)
            acting = [state.combatant(each).name for each in who if each not in losing]
            together = ", at the same moment" if len(acting) > 1 else ""
            return (*lost, *((Step("PN-07", f"It is the turn of {listed(acting)}{together}."),) if acting else ()))
        case Ended() if state.settings.opposed:
            return ()
        case Ended(winner=winner):
            told = f"Only {winner} still stands" if winner else "Nobody still stands"
            return (Step("PN-11", f"{told}: the fight is over."),)
        case _:
            return ()
