"""A downtime: each player says how their character spends it, and the story points may come back with it (QW-90)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Union

from rules.contests import Board, ContestKind, Offer, Seat, Turn
from rules.fields import REQUIRED, Choice, Field, Flag, Listing, Text, Whole, read_all
from rules.fields import Group as Fields
from rules.moves import Need, Outcome, Step, take
from rules.sheet import Effect, Refill, Sheet
from rules.stored import StoredEvents
from rules.systems.questworlds.framed.asked import Needed, check_offer
from rules.systems.questworlds.story_points import DOWNTIME, REFRESHES, SESSION, back
from rules.values import BadMove, Value

SAID = 500  # letters of what somebody does with the time


@dataclass(frozen=True)
class Rested:
    """A downtime begins, for these; `back` is whether the points come back with it, `points` how many for each."""

    who: tuple[str, ...]
    names: tuple[str, ...]
    back: bool
    points: int


@dataclass(frozen=True)
class Spent:
    """Somebody spends the time so."""

    who: str
    words: str


@dataclass(frozen=True)
class Passed:
    """The time has passed, or it is as if it had never begun."""

    counts: bool


RestEvent = Union[Rested, Spent, Passed]
EVENTS: StoredEvents[RestEvent] = StoredEvents(RestEvent)


@dataclass(frozen=True)
class Rest:
    """A downtime at one moment; `told` is what each said last, in the order of the sheets."""

    rested: Rested = Rested((), (), False, 1)
    told: tuple[tuple[str, str], ...] = ()
    over: bool = False
    counts: bool = True

    def words(self, who: str) -> str:
        """What somebody said last."""
        return dict(self.told).get(who, "")


@dataclass(frozen=True)
class Picture:
    """The montage: the sheet's id, its name, what they do."""

    rows: tuple[tuple[str, str, str], ...]
    back: bool


class Downtime(ContestKind[Rest, RestEvent]):
    """A montage: everybody says how their character spends the time, in any order and as often as they like."""

    name = "questworlds.downtime"
    title = "Downtime"
    seats = "many"
    exclusive = False
    needs_scene = False
    everybody = True
    title_label = "What time it is"
    title_now = "Time to rest"
    deed = "Spend some downtime"
    fields: tuple[Field, ...] = (
        Listing(name="contestants", label="Who", of=Fields(name="who", label="Who", fields=(
            Text(name="sheet", label="Who"), Flag(name="player", label="Somebody plays them")))),
        Choice(name="refresh", label="Story points come back", options=REFRESHES, default=SESSION),
        Whole(name="points", label="Story points for each", default=1),
    )

    def start(
        self, setup: Mapping[str, Value], sheets: Mapping[str, Sheet], faces: Sequence[int] = ()
    ) -> Turn[RestEvent] | Need:
        take(faces, 0)
        given = read_all(self.fields, setup)
        who = tuple(each["sheet"] for each in given["contestants"])
        if not who:
            raise BadMove("Say who has this time: one at least.")
        names = tuple(sheets[each].name for each in who)
        rested = Rested(who, names, given["refresh"] == DOWNTIME, given["points"])
        told = (f"A downtime for {_listed(names)}. How do they spend it?", _outlook(rested))
        return Turn((rested,), Outcome({"action": "start"}, tuple(Step("QW-90", each) for each in told)))

    def offers(self, state: Rest, sheets: Mapping[str, Sheet]) -> tuple[Offer, ...]:
        if state.over or not state.rested.who:
            return ()
        fields = (Needed(name="words", label="How the time is spent", help="A sentence or two.", most=SAID, lines=True,
                         default=REQUIRED),)
        said = tuple(
            Offer("spend", who, "Say it differently" if state.words(who) else "Say how you spend the time", "", fields,
                  now={"words": state.words(who)} if state.words(who) else None)
            for who in state.rested.who if who in sheets
        )
        ends = (Offer("pass", "", "The time has passed", _outlook(state.rested)),
                Offer("call_off", "", "Call it off", "It has not happened."))
        return (*said, *ends)

    def act(
        self, state: Rest, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value],
        faces: Sequence[int] = (),
    ) -> Turn[RestEvent] | Need:
        take(faces, 0)
        offer = next((each for each in self.offers(state, sheets) if (each.action, each.by) == (action, by)), None)
        if offer is None:
            raise BadMove("This is not possible now.", "action")
        values = check_offer(offer, given)
        if action == "spend":
            words = " ".join(values["words"].split())
            told = Step("QW-90", f"{sheets[by].name}: {words}")
            return Turn((Spent(by, words),), Outcome({"action": action}, (told,)))
        if action == "call_off":
            told = Step("QW-90", "The downtime has not happened. The story points stay as they are.")
            return Turn((Passed(False),), Outcome({"action": action}, (told,)))
        return _passed(state.rested)

    def blank(self) -> Rest:
        return Rest()

    def evolve(self, state: Rest, event: RestEvent) -> Rest:
        if isinstance(event, Rested):
            return replace(state, rested=event)
        if isinstance(event, Spent):
            others = tuple(each for each in state.told if each[0] != event.who)
            return replace(state, told=(*others, (event.who, event.words)))
        return replace(state, over=True, counts=event.counts)

    def write(self, event: RestEvent) -> Value:
        return EVENTS.write(event)

    def read(self, stored: Value) -> RestEvent:
        return EVENTS.read(stored)

    def is_over(self, state: Rest) -> bool:
        return state.over

    def board(self, state: Rest, sheets: Mapping[str, Sheet]) -> Board:
        named = dict(zip(state.rested.who, state.rested.names, strict=True))
        silent = [name for who, name in named.items() if not state.words(who)]
        waits = f"Waiting for {_listed(silent)}." if silent else "Everybody has said it. The GM lets the time pass."
        if state.over:
            waits = "The time has passed." if state.counts else "It was called off."
        seats = tuple((Seat(who, name, ""),) for who, name in named.items())
        facts = tuple(f"{named[who]}: {words}" for who, words in state.told)
        return Board("Over" if state.over else "Going on", waits, seats, facts)

    def picture(self, state: Rest, sheets: Mapping[str, Sheet]) -> Picture:
        rows = zip(state.rested.who, state.rested.names, strict=True)
        return Picture(tuple((who, name, state.words(who)) for who, name in rows), state.rested.back)


def _passed(rested: Rested) -> Turn[RestEvent]:
    effects: tuple[Effect, ...] = (Refill("story_points"),) if rested.back else ()
    told = back(rested.points) if rested.back else "The story points stay as they are: they do not come back this way."
    steps = (Step("QW-90", f"The time has passed. {told}"),)
    return Turn((Passed(True),), Outcome({"action": "pass", "back": rested.back}, steps), effects)


def _outlook(rested: Rested) -> str:
    return "The story points come back with it." if rested.back else "The story points stay as they are."


def _listed(names: Sequence[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
