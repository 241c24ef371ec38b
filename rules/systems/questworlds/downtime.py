"""The downtime: each player says how their character spends it, and the story points may come back with it (QW-90).

In any order, and as often as they like; the GM ends it.
"""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rules.engine import Act, Event, Procedure, Sheets, Values
from rules.fields import REQUIRED, Flag, Group, Listing, Text
from rules.moves import Need, Step, take
from rules.procedure import ActResult, Ask, Casting, Offer, Participant, Perspective, Placement, View
from rules.sheet import Effect, Refill
from rules.systems.questworlds.session import DOWNTIME, points_are_back
from rules.systems.questworlds.settings import setting_fields
from rules.values import BadMove
from rules.wording import join

WORDS = Text(name="words", label="How the time is spent", help="A sentence or two.", most=500, lines=True,
             default=REQUIRED)


@dataclass(frozen=True)
class State:
    """`said` is how each spends the time, in the order in which they said it last."""

    rested: Rested = field(default_factory=lambda: Rested((), (), False, 1))
    said: tuple[tuple[str, str], ...] = ()
    over: bool = False
    counts: bool = True

    def words(self, who: str) -> str:
        """What somebody said last."""
        return dict(self.said).get(who, "")

    @property
    def goes_on(self) -> bool:
        """Whether it has begun and not ended."""
        return bool(self.rested.who) and not self.over


Result = ActResult[Event[State]]


@dataclass(frozen=True)
class Rested(Event[State]):
    """A downtime begins, for these; `back` is whether the points come back with it, `points` how many for each."""

    who: tuple[str, ...]
    names: tuple[str, ...]
    back: bool
    points: int

    def after(self, state: State) -> State:
        return replace(state, rested=self)

    @property
    def outlook(self) -> str:
        """What the end does to the story points; "" where the campaign has none."""
        if not self.points:
            return ""
        return "The story points come back with it." if self.back else "The story points stay as they are."


@dataclass(frozen=True)
class Spent(Event[State]):
    """Somebody spends the time so."""

    who: str
    words: str

    def after(self, state: State) -> State:
        others = tuple((who, words) for who, words in state.said if who != self.who)
        return replace(state, said=(*others, (self.who, self.words)))


@dataclass(frozen=True)
class Passed(Event[State]):
    """The time has passed, or it is as if it had never begun."""

    counts: bool

    def after(self, state: State) -> State:
        return replace(state, over=True, counts=self.counts)


def begin(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
    """A downtime for everybody who is named."""
    take(faces, 0)
    who = tuple(line["sheet"] for line in values["contestants"])
    if not who:
        raise BadMove("Choose at least one character.")
    names = tuple(sheets[id_].name for id_ in who)
    # In a campaign that has no story points none come back (QW-90).
    back_with_it = values["refresh"] == DOWNTIME and values["points"] > 0
    rested = Rested(who, names, back_with_it, values["points"])
    parts = [f"A downtime for {join(names)}. How do they spend it?", *filter(None, (rested.outlook,))]
    return Result((rested,), tuple(Step("QW-90", part) for part in parts))


def offer_spend(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To each of them."""
    for who in state.rested.who if state.goes_on else ():
        if who in sheets:
            said = state.words(who)
            title = "Change how you spend the time" if said else "Describe how you spend the time"
            yield Offer("spend", who, title, "", (WORDS,), now={"words": said} if said else None)


def spend(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What somebody does with the time."""
    words = " ".join(values["words"].split())
    return Result((Spent(by, words),), (Step("QW-90", f"{sheets[by].name}: {words}"),))


def silent(state: State, sheets: Sheets) -> list[str]:
    """Those who have not said how they spend the time."""
    return [who for who in state.rested.who if state.goes_on and who in sheets and not state.words(who)]


def ask_to_spend(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Whoever has not said it."""
    return (Ask(who, "spend", "say how the time is spent", "Say") for who in silent(state, sheets))


def offer_finish(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at any time."""
    if state.goes_on:
        yield Offer("pass", "", "Finish the downtime", f"The time has passed. {state.rested.outlook}".strip())


def ask_to_finish(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, when all have said it."""
    if state.goes_on and not silent(state, sheets):
        yield Ask("", "pass", "finish the downtime", "Finish")


def finish(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The time has passed; the story points come back where the campaign says so."""
    rested = state.rested
    effects: tuple[Effect, ...] = (Refill("story_points"),) if rested.back else ()
    points = points_are_back(rested.points) if rested.back else (
        "The story points stay as they are: they do not come back this way." if rested.points else "")
    text = " ".join(filter(None, ("The time has passed.", points)))
    return Result((Passed(True),), (Step("QW-90", text),), {"back": rested.back}, effects=effects)


def offer_call_off(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at any time."""
    if state.goes_on:
        yield Offer("call_off", "", "Cancel the downtime", "Then it has not happened.")


def call_off(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It is as if it had never begun."""
    text = f"The downtime has not happened.{' The story points stay as they are.' if state.rested.points else ''}"
    return Result((Passed(False),), (Step("QW-90", text),))


@dataclass(frozen=True, slots=True)
class DowntimeDetail:
    """Each one's id, name and what they do; what its end does to the story points."""

    rows: tuple[tuple[str, str, str], ...]
    outlook: str


def view(state: State) -> View:
    """Who has spoken, what they said, and who has not: the same for everybody."""
    named = dict(zip(state.rested.who, state.rested.names, strict=True))
    groups = tuple((Participant(who, name, ""),) for who, name in named.items())
    facts = tuple(f"{named[who]}: {words}" for who, words in state.said)
    rows = tuple((who, name, state.words(who)) for who, name in named.items())
    said = ("The time has passed." if state.counts else "It was cancelled.") if state.over else ""
    detail = DowntimeDetail(rows, state.rested.outlook)
    return View("Done" if state.over else "In progress", said, groups, facts, detail)


class Downtime(Procedure[State]):
    """A montage: everybody says how their character spends the time."""

    name = "questworlds.downtime"
    title = "Downtime"
    casting = Casting("everyone")
    placement = Placement(exclusive=False, needs_scene=False)
    title_label = "Title"
    default_title = "Time to rest"
    start_label = "Start a downtime"
    fields = (
        Listing(name="contestants", label="Character", of=Group(name="who", label="Character", fields=(
            Text(name="sheet", label="Character"), Flag(name="player", label="Player character")))),
        *setting_fields(by=("refresh", "points")),
    )
    events = (Rested, Spent, Passed)
    acts = (Act("spend", offer_spend, spend, ask_to_spend), Act("pass", offer_finish, finish, ask_to_finish),
            Act("call_off", offer_call_off, call_off))

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin(values, sheets, faces)

    def blank(self) -> State:
        return State()

    def seats(self, state: State) -> Sequence[str]:
        return state.rested.who

    def is_over(self, state: State) -> bool:
        return state.over

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state)
