"""The framed contests: one against a resistance, two characters against each other, a group (QW-20 to QW-42)."""
from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Union

from rules.contests import Around, Board, ContestKind, Lesson, Offer, Seat, Turn
from rules.fields import Choice, Field, Flag, Listing, Text, Whole, read_all
from rules.fields import Group as Fields
from rules.moves import Need, Outcome, Step, take
from rules.sheet import Sheet
from rules.stored import StoredEvents
from rules.systems.questworlds.abilities import thresholds
from rules.systems.questworlds.framed import acts, masses, opposing, rolls
from rules.systems.questworlds.framed.asked import check_offer
from rules.systems.questworlds.framed.done import Done
from rules.systems.questworlds.framed.drawn import Picture, picture
from rules.systems.questworlds.framed.events import Begun, Event, Settings
from rules.systems.questworlds.framed.evolve import evolve
from rules.systems.questworlds.framed.forecast import Forecasts, forecast
from rules.systems.questworlds.framed.offered import offers
from rules.systems.questworlds.framed.state import Phase, State
from rules.systems.questworlds.framed.warned import warnings
from rules.systems.questworlds.learning import TEACHES, told
from rules.values import BadMove, Value

EVENTS: StoredEvents[Event] = StoredEvents(Event)
HANDLERS: dict[str, Callable[..., Union[Done, Need]]] = {
    "choose": acts.choose, "oppose": opposing.set_against, "crowd": opposing.count_heads,
    "stakes": opposing.set_stakes, "mass": masses.clash, "send_back": acts.send_back,
    "no_conflict": acts.no_conflict, "choose_goal": acts.choose_goal, "accept": acts.accept,
    "back_out": acts.back_out, "call_off": acts.call_off, "modify": acts.modify, "hinder": acts.hinder,
    "lasting": acts.lasting, "augment": acts.augment, "answer": acts.answer, "roll_augment": acts.roll_augment,
    "take_back": acts.take_back, "set": acts.set_, "reopen": acts.reopen, "compel": acts.compel, "give": acts.give,
    "close": acts.close, "roll": rolls.roll, "spend": rolls.spend, "stand": rolls.stand,
}
ROLLING = ("hinder", "roll_augment", "roll")
ENDS = {
    "backed out": "They backed out before the dice.", "called off": "It was called off.",
    "submitted": "The flaw had its way.", "no conflict": "Both sides have what they want.",
}
KINDS = ("questworlds.framed", "questworlds.versus", "questworlds.group")


class Framed(ContestKind[State, Event]):
    """One against what the GM puts in the way."""

    name = KINDS[0]
    title = "Contest"
    title_label = "The prize"
    seats = "one"
    mode = "one"
    open_to_players = True
    exclusive = False
    onlookers = True
    remembers = KINDS
    teaches = TEACHES
    fields: tuple[Field, ...] = (
        Listing(name="contestants", label="Contestants", of=Fields(name="contestant", label="Contestant", fields=(
            Text(name="sheet", label="Who"), Flag(name="player", label="Somebody plays them")))),
        Text(name="title", label="The prize", default="", most=200),
        Text(name="obstacle", label="What stands in the way", most=300, default="",
             help="The same words again, and the page knows that you tried it before."),
        Text(name="symbol", label="Mastery", default="M"), Whole(name="base", label="Base resistance", default=14),
        Choice(name="tie", label="Ties", default="tie", options=(("tie", "A tie"), ("player", "The player's"))),
        Choice(name="stacking", label="Stacking", default="rank", options=(("rank", "By rank"), ("value", "By value"))),
        Choice(name="growth", label="Growth", default="xp", options=(("xp", "XP"), ("milestone", "Milestones"))),
        Text(name="thresholds", label="Thresholds"),
        Choice(name="keywords", label="Keywords", default="umbrella",
               options=(("umbrella", "Umbrella"), ("package", "Package"))),
    )

    @property
    def deed(self) -> str:
        words = {"one": "Frame a contest", "pair": "Two against each other", "group": "Frame a group’s contest"}
        return words[self.mode]

    def start(
        self, setup: Mapping[str, Value], sheets: Mapping[str, Sheet], faces: Sequence[int] = ()
    ) -> Turn[Event] | Need:
        take(faces, 0)
        given = read_all(self.fields, setup)
        who = given["contestants"]
        if self.mode == "pair" and len(who) != 2:
            raise BadMove("Two stand against each other: put two in it.")
        if not who or (self.mode == "group" and len(who) < 2):
            raise BadMove("A group is two at least." if who else "Say who contends.")
        settings = Settings(
            self.mode, given["base"], given["symbol"], given["tie"] == "player", given["stacking"] == "value",
            given["growth"] == "xp", given["title"], given["obstacle"],
            tuple(each["sheet"] for each in who if each["player"]),
            tuple((each.name, each.least) for each in thresholds(given["thresholds"], given["symbol"])),
            given["keywords"] == "package")
        begun = Begun(settings, tuple((each["sheet"], sheets[each["sheet"]].name) for each in who))
        names = " and ".join(name for _, name in begun.entrants)
        steps = [Step("QW-20", f"{names}: {settings.prize}" if settings.prize else names)]
        if settings.obstacle:
            steps.append(Step("QW-20", f"In the way: {settings.obstacle}"))
        return Turn((begun,), Outcome({"action": "start"}, tuple(steps)))

    def offers(self, state: State, sheets: Mapping[str, Sheet]) -> tuple[Offer, ...]:
        return offers(state, sheets)

    def act(
        self, state: State, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value],
        faces: Sequence[int] = (),
    ) -> Turn[Event] | Need:
        offer = next((each for each in offers(state, sheets) if (each.action, each.by) == (action, by)), None)
        if offer is None:
            raise BadMove(refusal(state), "action")
        values = check_offer(offer, given)
        if action not in ROLLING:
            take(faces, 0)
        done = HANDLERS[action](state, sheets, by, values, faces)
        if isinstance(done, Need):
            return done
        result: dict[str, Value] = {"action": action, "by": by, **done.result}
        return Turn(done.events, Outcome(result, done.steps, done.dice, done.rolls), done.effects, done.sealed)

    def blank(self) -> State:
        return State()

    def evolve(self, state: State, event: Event) -> State:
        return evolve(state, event)

    def placed(self, state: State, around: Around) -> State:
        return replace(state, around=around)

    def write(self, event: Event) -> Value:
        return EVENTS.write(event)

    def read(self, stored: Value) -> Event:
        return EVENTS.read(stored)

    def is_over(self, state: State) -> bool:
        return bool(state.ended)

    def forecast(
        self, state: State, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value]
    ) -> Forecasts:
        return forecast(state, by, action)

    def picture(self, state: State, sheets: Mapping[str, Sheet]) -> Picture:
        return picture(state, sheets)

    def lessons(self, state: State) -> tuple[Lesson, ...]:
        return told(state.learned)

    def board(self, state: State, sheets: Mapping[str, Sheet]) -> Board:
        groups = tuple((Seat(each.id, each.name, ""),) for each in state.entrants)
        return Board(heading(state), waits(state), groups, tuple(told for _, told in warnings(state)))


class Versus(Framed):
    """Two characters against each other, each choosing in secret (QW-41)."""

    name = KINDS[1]
    title = "Contest between two"
    seats = "many"
    mode = "pair"
    open_to_players = False
    onlookers = True


class Group(Framed):
    """A group against one resistance, or each against their own (QW-42)."""

    name = KINDS[2]
    title = "Group contest"
    seats = "many"
    mode = "group"
    open_to_players = False


def heading(state: State) -> str:
    """Where the conversation is."""
    return {
        Phase.BLANK: "", Phase.FRAME: "Framing", Phase.MODIFY: "What counts", Phase.ROLL: "The dice",
        Phase.POINT: "A story point?", Phase.AFTER: "Afterwards", Phase.OVER: "Done",
    }[state.phase]


def waits(state: State) -> str:
    """What it waits for, in a sentence."""
    match state.phase:
        case Phase.FRAME:
            silent = [each.name for each in state.entrants if not each.chosen]
            if silent:
                return f"{_names(silent)} {'says' if len(silent) == 1 else 'say'} what they do."
            return "The GM says what stands against it."
        case Phase.MODIFY:
            if any(each.open for each in state.proposals):
                return "An augment is offered. The GM answers it, or its dice do."
            return "Offer augments, count what matters. Then the GM lets the frame stand."
        case Phase.ROLL:
            return f"{_names([each.name for each in state.entrants if each.dice is None])} may roll."
        case Phase.POINT:
            able = [each.name for each in state.entrants if state.may_spend(each.id)]
            return f"{_names(able)} may spend a story point."
        case Phase.AFTER:
            choosing = [each.name for each in state.entrants if state.goal_open(each.id)]
            return f"{_names(choosing)} may choose which goal is won." if choosing else "The GM says what lasts."
        case Phase.BLANK:
            return ""
        case Phase.OVER:
            return ENDS.get(state.ended, "The contest is done.")


def refusal(state: State) -> str:
    """Why an act is not possible now."""
    return f"This is not possible now. {waits(state)}"


def _names(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}" if names else "Nobody"
