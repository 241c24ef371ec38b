"""The start of a session: the GM goes through everything that lasts (QW-61)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Union

from rules.contests import Around, Board, ContestKind, Offer, Seat, Turn
from rules.fields import Choice, Field, Flag, Listing, Text, Whole, read_all
from rules.fields import Group as Fields
from rules.moves import Need, Outcome, Step, take
from rules.sheet import Effect, SetDial, Sheet, Trait
from rules.stored import StoredEvents
from rules.systems.questworlds.framed.asked import check_offer, text
from rules.systems.questworlds.growth import faded
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.resistance import BASE, HIGHEST, Progression
from rules.systems.questworlds.traits import LASTING, adds, lasting
from rules.values import BadMove, Value

SEASONS = (("0", "Stays"), ("3", "+3"), ("6", "+6"), ("9", "+9"))
HOW = (("keep", "It stays"), ("lower", "Falls by a rank"), ("gone", "Is over"))
MOST = 200  # of those who carry something


@dataclass(frozen=True)
class Opened:
    """The walk begins, with those whose sheets are gone through."""

    who: tuple[str, ...]
    symbol: str
    base: int  # the base resistance of a new season, 0 where it stays


@dataclass(frozen=True)
class Looked:
    """One line was looked at."""

    trait: str


@dataclass(frozen=True)
class Cleared:
    """Everything that nobody had looked at is over."""

    traits: tuple[str, ...]


@dataclass(frozen=True)
class Finished:
    """All has been looked at."""

    done: bool


WalkEvent = Union[Opened, Looked, Cleared, Finished]
EVENTS: StoredEvents[WalkEvent] = StoredEvents(WalkEvent)


@dataclass(frozen=True)
class Going:
    """How far the walk is."""

    who: tuple[str, ...] = ()
    symbol: str = "M"
    looked: tuple[str, ...] = ()
    over: bool = False
    base: int = 0
    around: Around = field(default_factory=Around)


@dataclass(frozen=True)
class Lasts:
    """A consequence or benefit as the page draws it."""

    id: str
    name: str
    amount: str
    rank: int
    note: str
    good: bool
    looked: bool


@dataclass(frozen=True)
class Picture:
    """What lasts while it is gone through, by whom it is on, what is left of it, and the base in earlier walks."""

    rows: tuple[tuple[str, str, tuple[Lasts, ...]], ...]  # the sheet's id, its name, what is on it
    left: int
    base: str  # the base of the season that began with this walk, "" where it stayed
    seasons: tuple[tuple[int, str], ...]  # the entry's number, the base since then


class Walk(ContestKind[Going, WalkEvent]):
    """One line after the other: it stays, falls by a rank, or is over."""

    name = "questworlds.walk"
    title = "What lasts"
    seats = "many"
    exclusive = False
    needs_scene = False
    everybody = True
    carries = LASTING
    remembers = ("questworlds.walk",)
    title_label = "How much time has passed"
    title_now = "Since the last session"
    deed = "Go through what lasts"
    fields: tuple[Field, ...] = (
        Listing(name="contestants", label="Who", most=MOST, of=Fields(name="who", label="Who", fields=(
            Text(name="sheet", label="Who"), Flag(name="player", label="Somebody plays them")))),
        Choice(name="season", label="The base resistance", options=SEASONS, default="0",
               help="A new season may be harder. The chronicle keeps each step."),
        Text(name="symbol", label="Mastery", default="M"), Whole(name="base", label="Base", default=BASE),
    )

    def start(
        self, setup: Mapping[str, Value], sheets: Mapping[str, Sheet], faces: Sequence[int] = ()
    ) -> Turn[WalkEvent] | Need:
        take(faces, 0)
        given = read_all(self.fields, setup)
        who = tuple(each["sheet"] for each in given["contestants"])
        rise = int(given["season"])
        if not rise and not any(lasting(sheets[each]) for each in who):
            raise BadMove(
                "Nobody here has a consequence or a benefit, and the base stays. There is nothing to go through."
            )
        steps = [Step("QW-61", "Time has passed. What still lasts?")]
        if not rise:
            return Turn((Opened(who, given["symbol"], 0),), Outcome({"action": "start"}, tuple(steps)))
        base = Progression(given["base"]).next_season(rise).base
        if base > HIGHEST:
            most = notation(HIGHEST, given["symbol"])
            raise BadMove(f"The base goes up to {most}. Let it rise by less, or stay.", "season")
        steps.append(Step("QW-03", f"A new season: the base resistance rises by {rise}, from "
                                   f"{notation(given['base'], given['symbol'])} to {notation(base, given['symbol'])}."))
        opened = Opened(who, given["symbol"], base)
        return Turn((opened,), Outcome({"action": "start"}, tuple(steps)), (SetDial("base", base),))

    def offers(self, state: Going, sheets: Mapping[str, Sheet]) -> tuple[Offer, ...]:
        if state.over or not state.who:
            return ()
        options = tuple(
            (trait.id, f"{who.name}: {trait.name}, {signed(adds(trait), state.symbol)}")
            for who, trait in _left(state, sheets)
        )
        done = Offer("finish", "", "That was all", "What was not looked at stays as it is." if options else "")
        if not options:
            return (done,)
        fields = (
            text("line", "What", needed=True),
            Choice(name="how", label="How it is now", options=HOW, default="lower"),
        )
        clear = Offer("clear", "", "Clear the rest" if state.looked else "Clear all of them",
                      "All that you have not looked at is over.")
        return (
            Offer("look", "", "Say how it is now", "", fields, {"line": options}, now={"line": options[0][0]}),
            clear, done,
        )

    def act(
        self, state: Going, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value],
        faces: Sequence[int] = (),
    ) -> Turn[WalkEvent] | Need:
        take(faces, 0)
        offer = next((each for each in self.offers(state, sheets) if (each.action, each.by) == (action, by)), None)
        if offer is None:
            raise BadMove("This is not possible now.", "action")
        values = check_offer(offer, given)
        if action == "finish":
            told = Step("QW-61", "What lasts has been gone through.")
            return Turn((Finished(True),), Outcome({"action": action}, (told,)))
        if action == "clear":
            return _clear(_left(state, sheets), state.symbol)
        who, trait = next(each for each in _left(state, sheets) if each[1].id == values["line"])
        if values["how"] == "keep":
            told = Step("QW-61", f"{who.name}: {trait.name} stays at {signed(adds(trait), state.symbol)}.")
            return Turn((Looked(trait.id),), Outcome({"action": action}, (told,)))
        steps, effects = faded(who, trait, values["how"], state.symbol)
        return Turn((Looked(trait.id),), Outcome({"action": action}, tuple(steps)), tuple(effects))

    def blank(self) -> Going:
        return Going()

    def evolve(self, state: Going, event: WalkEvent) -> Going:
        if isinstance(event, Opened):
            return Going(event.who, event.symbol, base=event.base)
        if isinstance(event, Looked):
            return replace(state, looked=(*state.looked, event.trait))
        if isinstance(event, Cleared):
            return replace(state, looked=(*state.looked, *event.traits))
        return replace(state, over=True)

    def placed(self, state: Going, around: Around) -> Going:
        return replace(state, around=around)

    def write(self, event: WalkEvent) -> Value:
        return EVENTS.write(event)

    def read(self, stored: Value) -> WalkEvent:
        return EVENTS.read(stored)

    def is_over(self, state: Going) -> bool:
        return state.over

    def board(self, state: Going, sheets: Mapping[str, Sheet]) -> Board:
        facts = tuple(
            f"{sheets[who].name}: {trait.name} {signed(adds(trait), state.symbol)}. {trait.note}"
            for who in state.who if who in sheets and not state.over for trait in lasting(sheets[who])
        )
        history = [f"Entry {seq}: the base became {base}." for seq, base in _seasons(state)]
        history += [f"The base resistance is {notation(state.base, state.symbol)} now."] if state.base else []
        seats = tuple((Seat(who, sheets[who].name, ""),) for who in state.who if who in sheets)
        waits = "The GM says of each how it is now." if _left(state, sheets) else "All of it has been looked at."
        if state.over:
            waits = "It has been gone through."
        return Board("Done" if state.over else "What lasts", waits, seats, (*facts, *history))

    def picture(self, state: Going, sheets: Mapping[str, Sheet]) -> Picture:
        # Sheets go on changing when it is over: what was said of each line then is told by its entries.
        rows = tuple(
            (who, sheets[who].name, tuple(_drawn(state, trait) for trait in lasting(sheets[who])))
            for who in state.who if who in sheets and lasting(sheets[who]) and not state.over
        )
        base = notation(state.base, state.symbol) if state.base else ""
        return Picture(rows, 0 if state.over else len(_left(state, sheets)), base, _seasons(state))


def _left(state: Going, sheets: Mapping[str, Sheet]) -> list[tuple[Sheet, Trait]]:
    """What was not looked at yet, with whose it is."""
    return [
        (sheets[who], trait) for who in state.who if who in sheets for trait in lasting(sheets[who])
        if trait.id not in state.looked
    ]


def _clear(left: Sequence[tuple[Sheet, Trait]], symbol: str) -> Turn[WalkEvent]:
    steps, effects = [Step("QW-61", "All that lasted is over.")], list[Effect]()
    for who, trait in left:
        told, done = faded(who, trait, "gone", symbol)
        steps += told
        effects += done
    event = Cleared(tuple(trait.id for _, trait in left))
    return Turn((event,), Outcome({"action": "clear"}, tuple(steps)), tuple(effects))


def _drawn(state: Going, trait: Trait) -> Lasts:
    looked, amount = trait.id in state.looked, adds(trait)
    return Lasts(trait.id, trait.name, signed(amount, state.symbol), trait.value, trait.note, amount > 0, looked)


def _seasons(state: Going) -> tuple[tuple[int, str], ...]:
    return tuple((each.seq, notation(each.state.base, state.symbol)) for each in state.around.past if each.state.base)
