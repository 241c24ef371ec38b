"""Plot edits: a player proposes, the GM accepts or refuses, and story points pay for it (QW-91)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Union

from rules.contests import Around, Board, ContestKind, Fact, Keeps, Offer, Seat, Turn
from rules.fields import Choice, Field, Listing, Text, read_all
from rules.fields import Group as Fields
from rules.moves import Need, Outcome, Step, take
from rules.sheet import Sheet, SpendShared
from rules.stored import StoredEvents
from rules.systems.questworlds.story_points import EDITS, burn
from rules.values import BadMove, Value

LEVELS = (
    ("marginal", "Marginal, 1 point: another way opens"), ("minor", "Minor, 2 points: something nobody established"),
    ("major", "Major, 3 points: a stroke of fortune that settles something"),
)


@dataclass(frozen=True)
class Proposed:
    """A player wants the story to be so."""

    who: str
    name: str
    fact: str
    level: str


@dataclass(frozen=True)
class Answered:
    """The GM's word."""

    accepted: bool


PlotEvent = Union[Proposed, Answered]
EVENTS: StoredEvents[PlotEvent] = StoredEvents(PlotEvent)


@dataclass(frozen=True)
class Plot:
    """A plot edit at one moment."""

    proposed: Proposed | None = None
    accepted: bool | None = None
    around: Around = field(default_factory=Around)


class PlotEdit(ContestKind[Plot, PlotEvent]):
    """One fact, its price, and the GM's word. What is accepted is a fact of the campaign, in its chronicle."""

    name = "questworlds.plot"
    title = "Plot edit"
    title_label = "What turns out to be so"
    seats = "one"
    open_to_players = True
    exclusive = False
    needs_scene = False
    remembers = ("questworlds.plot",)
    deed = "Edit the plot"
    keeps = Keeps(("accept",), "A player may say what turns out to be so, and pays for it with story points. "
                               "What the GM accepts is kept here, as a fact of the campaign.")
    fields: tuple[Field, ...] = (
        Listing(name="contestants", label="Who", of=Fields(name="who", label="Who", fields=(
            Text(name="sheet", label="Who"),))),
        Text(name="title", label="What turns out to be so", most=200),
        Choice(name="level", label="How much it changes", options=LEVELS, default="marginal"),
    )

    def start(
        self, setup: Mapping[str, Value], sheets: Mapping[str, Sheet], faces: Sequence[int] = ()
    ) -> Turn[PlotEvent] | Need:
        take(faces, 0)
        given = read_all(self.fields, setup)
        who = sheets[given["contestants"][0]["sheet"]]
        event = Proposed(who.id, who.name, given["title"], given["level"])
        cost = EDITS[event.level]
        told = f"{who.name} would have it so, for {cost}: {event.fact}"
        return Turn((event,), Outcome({"action": "start", "level": event.level}, (Step("QW-91", told),)))

    def offers(self, state: Plot, sheets: Mapping[str, Sheet]) -> tuple[Offer, ...]:
        if state.proposed is None or state.accepted is not None:
            return ()
        cost = EDITS[state.proposed.level]
        found = [Offer("refuse", "", "It is not so", "That costs nothing."),
                 Offer("withdraw", state.proposed.who, "Take it back", "That costs nothing.")]
        if state.around.pool("story_points") >= cost:
            found.insert(0, Offer("accept", "", "It is so", f"{cost} of the story points are gone."))
        return tuple(found)

    def act(
        self, state: Plot, sheets: Mapping[str, Sheet], by: str, action: str, given: Mapping[str, Value],
        faces: Sequence[int] = (),
    ) -> Turn[PlotEvent] | Need:
        take(faces, 0)
        if state.proposed is None or (action, by) not in {
            (each.action, each.by) for each in self.offers(state, sheets)
        }:
            raise BadMove("This is not possible now.", "action")
        fact = state.proposed.fact
        if action != "accept":
            told = f"It is not so: {fact}" if action == "refuse" else f"{state.proposed.name} takes it back: {fact}"
            steps = (Step("QW-91", told), Step("QW-91", "What is refused costs nothing."))
            return Turn((Answered(False),), Outcome({"accepted": False}, steps))
        cost = EDITS[state.proposed.level]
        burn(state.around.pool("story_points"), cost)
        steps = (Step("QW-91", f"A fact now: {fact}"), Step("QW-90", f"{cost} story points are spent."
                                                          if cost > 1 else "1 story point is spent."))
        return Turn(
            (Answered(True),), Outcome({"accepted": True, "fact": fact}, steps), (SpendShared("story_points", -cost),)
        )

    def blank(self) -> Plot:
        return Plot()

    def evolve(self, state: Plot, event: PlotEvent) -> Plot:
        return (
            replace(state, proposed=event) if isinstance(event, Proposed) else replace(state, accepted=event.accepted)
        )

    def placed(self, state: Plot, around: Around) -> Plot:
        return replace(state, around=around)

    def write(self, event: PlotEvent) -> Value:
        return EVENTS.write(event)

    def read(self, stored: Value) -> PlotEvent:
        return EVENTS.read(stored)

    def is_over(self, state: Plot) -> bool:
        return state.accepted is not None

    def board(self, state: Plot, sheets: Mapping[str, Sheet]) -> Board:
        if state.proposed is None:
            return Board("", "", ())
        words = {
            None: "The GM says whether it is so.",
            True: "It is so: a fact of the campaign.",
            False: "It is not so.",
        }
        seat = Seat(state.proposed.who, state.proposed.name, "")
        left = state.around.pool("story_points")
        return Board(
            f"{state.proposed.level.capitalize()}, {EDITS[state.proposed.level]}",
            words[state.accepted],
            ((seat,),),
            (*_lacking(state, left), f"Story points left: {left}."),
        )

    def kept(self, state: Plot) -> tuple[Fact, ...]:
        if state.proposed is None or state.accepted is False:
            return ()
        level, cost = state.proposed.level, EDITS[state.proposed.level]
        told = f"{level.capitalize()}, for {cost} story point{'s' if cost > 1 else ''}"
        return (Fact(state.proposed.fact, told, state.proposed.who, bool(state.accepted)),)


def _lacking(state: Plot, left: int) -> tuple[str, ...]:
    """Why it can't be accepted: the pool has too little."""
    if state.proposed is None or state.accepted is not None or left >= (cost := EDITS[state.proposed.level]):
        return ()
    takes = f"It takes {cost} story point{'s' if cost > 1 else ''}"
    there = {0: "there is none", 1: "there is 1"}.get(left, f"there are {left}")
    return (f"{takes}; {there}. Until there are more it can't be accepted.",)
