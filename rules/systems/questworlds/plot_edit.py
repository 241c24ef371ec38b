"""The plot edit: a player proposes a fact, the GM accepts or refuses it, and story points pay for it (QW-91)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rules.afterwards import StatesFacts
from rules.engine import Act, Event, KnowsCampaign, Procedure, Sheets, Values
from rules.fields import Choice, Field, Group, Listing, Text
from rules.moves import Need, Step, take
from rules.procedure import (
    ActResult,
    Ask,
    CampaignContext,
    Casting,
    Fact,
    FactRule,
    Offer,
    Participant,
    Perspective,
    Placement,
    View,
)
from rules.sheet import SpendShared
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.session import burn, cost_of
from rules.systems.questworlds.settings import setting_fields
from rules.values import BadMove

FREE = "That costs nothing."
BRINGS = {
    "marginal": ": another way opens", "minor": ": something nobody established",
    "major": ": a stroke of fortune that settles something",
}
ANSWERS = {None: "", True: "Accepted: now a fact of the campaign.", False: "Refused."}


@dataclass(frozen=True)
class State:
    """`accepted` is None until the GM has answered; `context` is what the campaign holds, and in no event."""

    proposed: Proposed | None = None
    accepted: bool | None = None
    context: CampaignContext = field(default_factory=CampaignContext)
    edition: Edition = FIRST

    @property
    def cost(self) -> int:
        """The story points that it takes."""
        return cost_of(self.proposed.level, self.edition) if self.proposed else 0

    @property
    def pool(self) -> int:
        """The story points that are left."""
        return self.context.pool("story_points")

    @property
    def fact(self) -> str:
        """What would be so."""
        return self.proposed.fact if self.proposed else ""

    @property
    def waits(self) -> bool:
        """Whether there is something to answer."""
        return self.proposed is not None and self.accepted is None

    @property
    def payable(self) -> bool:
        """Whether the pool can pay for it."""
        return self.pool >= self.cost


Result = ActResult[Event[State]]


@dataclass(frozen=True)
class Proposed(Event[State]):
    """A player wants the story to be so."""

    who: str
    name: str
    fact: str
    level: str

    def after(self, state: State) -> State:
        return replace(state, proposed=self)


@dataclass(frozen=True)
class Answered(Event[State]):
    """It is so, or it is not."""

    accepted: bool

    def after(self, state: State) -> State:
        return replace(state, accepted=self.accepted)


def begin(values: Values, sheets: Sheets, faces: Sequence[int], edition: Edition) -> Result:
    """The fact as it is proposed, with its price."""
    take(faces, 0)
    if not values["points"]:
        raise BadMove("This campaign has no story points, so nothing can pay for an edit of the plot.")
    who = sheets[values["contestants"][0]["sheet"]]
    proposed = Proposed(who.id, who.name, values["title"], values["level"])
    text = f"{who.name} proposes, for {cost_of(proposed.level, edition)}: {proposed.fact}"
    return Result((proposed,), (Step("QW-91", text),), {"level": proposed.level})


def offer_accept(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, while the pool can pay for it."""
    if state.waits and state.payable:
        points = "1 story point is" if state.cost == 1 else f"{state.cost} story points are"
        yield Offer("accept", "", "Accept", f"It becomes a fact, and {points} spent.")


def accept(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It is a fact, and paid for."""
    burn(state.pool, state.cost)
    steps = (Step("QW-91", f"A fact now: {state.fact}"),
             Step("QW-90", "1 story point is spent." if state.cost == 1 else f"{state.cost} story points are spent."))
    return Result((Answered(True),), steps, {"accepted": True, "fact": state.fact},
                  effects=(SpendShared("story_points", -state.cost),))


def ask_the_gm(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM is asked; withdrawing is only possible."""
    if state.waits:
        action = "accept" if state.payable else "refuse"
        yield Ask("", action, f"accept or refuse: {state.fact}", decision=True, waits=True)


def offer_refuse(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    if state.waits:
        yield Offer("refuse", "", "Refuse", FREE)


def refuse(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It is not so, at no cost."""
    return _declined(f"Refused: {state.fact}")


def offer_withdraw(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever proposed it."""
    if state.proposed and state.waits:
        yield Offer("withdraw", state.proposed.who, "Cancel request", FREE)


def withdraw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Whoever proposed it does not want it any more."""
    return _declined(f"{state.proposed.name if state.proposed else ''} cancels the request: {state.fact}")


def _declined(text: str) -> Result:
    steps = (Step("QW-91", text), Step("QW-91", "A refused proposal costs nothing."))
    return Result((Answered(False),), steps, {"accepted": False})


@dataclass(frozen=True, slots=True)
class PlotEditDetail:
    """The story points that are left; None where the campaign has none at all."""

    points: int | None


def view(state: State) -> View:
    """The fact's price, whom it waits for, and what is missing to pay for it."""
    if state.proposed is None:
        return View("", "", (), detail=PlotEditDetail(state.context.left("story_points")))
    who = Participant(state.proposed.who, state.proposed.name, "")
    return View(f"{state.proposed.level.capitalize()}, {_points(state.cost)}", ANSWERS[state.accepted], ((who,),),
                _lacking(state), PlotEditDetail(state.context.left("story_points")))


def _points(number: int) -> str:
    return "1 story point" if number == 1 else f"{number} story points"


def _lacking(state: State) -> tuple[str, ...]:
    """Why it can't be accepted: the pool has too little."""
    if not state.waits or state.payable:
        return ()
    there = {0: "there is none", 1: "there is 1"}.get(state.pool, f"there are {state.pool}")
    return (f"It takes {_points(state.cost)}; {there}. Until there are more it can’t be accepted.",)


def _fields(edition: Edition) -> tuple[Field, ...]:
    """What the start asks for: whose it is, the fact, and how much it changes."""
    levels = tuple((level, f"{level.capitalize()}, {cost} point{'s' if cost > 1 else ''}{BRINGS.get(level, '')}")
                   for level, cost in edition.story_points.edits)
    return (
        Listing(name="contestants", label="Character", of=Group(name="who", label="Character", fields=(
            Text(name="sheet", label="Character"),))),
        Text(name="title", label="New fact", most=200),
        Choice(name="level", label="How much it changes", options=levels, default=levels[0][0]),
        *setting_fields(edition=edition, by=("points",)),
    )


class PlotEdit(Procedure[State], KnowsCampaign[State], StatesFacts[State]):
    """One fact, its price, and the GM's answer. What is accepted is a fact of the campaign."""

    name = "questworlds.plot"
    title = "Plot edit"
    title_label = "New fact"
    casting = Casting("one")
    placement = Placement(exclusive=False, needs_scene=False, open_to_players=True)
    remembers = ("questworlds.plot",)
    start_label = "Edit the plot"
    fact_rule = FactRule(("accept",), "Players may propose facts, and pay for them with story points. "
                         "Accepted ones are kept here, as facts of the campaign.")
    events = (Proposed, Answered)
    acts = (Act("accept", offer_accept, accept, ask_the_gm), Act("refuse", offer_refuse, refuse),
            Act("withdraw", offer_withdraw, withdraw))

    def __init__(self, edition: Edition = FIRST, points: bool = True) -> None:
        """`points`: whether the campaign has story points; nothing else pays for an edit."""
        self.edition = edition
        self.placement = replace(self.placement, offered=points)
        self.fields = _fields(edition)

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin(values, sheets, faces, self.edition)

    def blank(self) -> State:
        return State(edition=self.edition)

    def is_over(self, state: State) -> bool:
        return state.accepted is not None

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state)

    def facts(self, state: State) -> tuple[Fact, ...]:
        if state.proposed is None or state.accepted is False:
            return ()
        text = f"{state.proposed.level.capitalize()}, for {_points(state.cost)}"
        return (Fact(state.fact, text, state.proposed.who, bool(state.accepted)),)
