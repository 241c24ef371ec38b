"""The review of lasting effects: the GM says of each how it is now (QW-61), and may raise the base (QW-03)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from rules.engine import Act, Event, KnowsCampaign, Procedure, Sheets, Values
from rules.fields import Choice, Field, Flag, Group, Listing, Text, text
from rules.moves import Need, Step, take
from rules.procedure import (
    ActResult,
    Ask,
    CampaignContext,
    Casting,
    Offer,
    Participant,
    Perspective,
    Placement,
    View,
)
from rules.sheet import ChangeSetting, Effect, Lose, Sheet, Trait
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.growth import faded
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.states import TIMES, rested, worth_of
from rules.systems.questworlds.resistance import Progression
from rules.systems.questworlds.settings import setting_fields
from rules.systems.questworlds.traits import ADVERSITY, FORTUNE, LASTING, STATES, lasting
from rules.values import BadMove

MOST = 200  # of those who carry something
HOW = (("keep", "Keep it"), ("lower", "Lower by a rank"), ("gone", "Remove it"))


@dataclass(frozen=True)
class State:
    """`reviewed` are lines; `base` is that of a season which began with it, else 0."""

    who: tuple[str, ...] = ()
    symbol: str = "M"
    reviewed: tuple[str, ...] = ()
    over: bool = False
    base: int = 0
    context: CampaignContext = field(default_factory=CampaignContext)
    edition: Edition = FIRST

    def left(self, sheets: Sheets) -> list[tuple[Sheet, Trait]]:
        """What was not reviewed yet, with whose it is; nothing once it is over."""
        return [(sheets[who], trait) for who in self.who if who in sheets and not self.over
                for trait in lasting(sheets[who]) if trait.id not in self.reviewed]


Result = ActResult[Event[State]]


@dataclass(frozen=True)
class Opened(Event[State]):
    """The review begins, of those whose sheets are gone through."""

    who: tuple[str, ...]
    symbol: str
    base: int  # the base resistance of a new season, 0 where it stays

    def after(self, state: State) -> State:
        return replace(state, who=self.who, symbol=self.symbol, base=self.base)


@dataclass(frozen=True)
class Reviewed(Event[State]):
    """One line was reviewed."""

    stored = "looked"

    trait: str

    def after(self, state: State) -> State:
        return replace(state, reviewed=(*state.reviewed, self.trait))


@dataclass(frozen=True)
class Cleared(Event[State]):
    """Everything that nobody had reviewed is over."""

    traits: tuple[str, ...]

    def after(self, state: State) -> State:
        return replace(state, reviewed=(*state.reviewed, *self.traits))


@dataclass(frozen=True)
class Finished(Event[State]):
    """The review is over."""

    done: bool

    def after(self, state: State) -> State:
        return replace(state, over=True)


def begin(values: Values, sheets: Sheets, faces: Sequence[int], edition: Edition) -> Result:
    """The sheets that are reviewed, and the base where a new season raises it."""
    take(faces, 0)
    who = tuple(line["sheet"] for line in values["contestants"])
    rise, symbol = int(values["season"]), values["symbol"]
    if not rise and not any(lasting(sheets[id_]) for id_ in who):
        raise BadMove("Nobody here has a consequence or a benefit, and the base stays. There is nothing to review.")
    asked = Step("QW-61", "Time has passed. What still lasts?")
    if not rise:
        return Result((Opened(who, symbol, 0),), (asked,))
    base = Progression(values["base"], edition=edition).next_season(rise).base
    if base > edition.difficulty.highest_base:
        most = notation(edition.difficulty.highest_base, symbol)
        raise BadMove(f"The base goes up to {most}. Let it rise by less, or stay.", "season")
    rises = Step("QW-03", f"A new season: the base resistance rises by {rise}, from "
                          f"{notation(values['base'], symbol)} to {notation(base, symbol)}.")
    return Result((Opened(who, symbol, base),), (asked, rises), effects=(ChangeSetting("base", base),))


def offer_review(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, as long as something is left."""
    lines = tuple((trait.id, f"{who.name}: {trait.name}, {worth_of(trait, state.symbol, state.edition)}")
                  for who, trait in state.left(sheets))
    if lines:
        how = Choice(name="how", label="Change", options=HOW, default="lower")
        line = text("line", "Consequence or benefit", needed=True)
        yield Offer("look", "", "Review a consequence or benefit", "", (line, how), {"line": lines},
                    now={"line": lines[0][0]})


def review(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """One line stays, falls by a rank, or is over."""
    who, trait = next((who, trait) for who, trait in state.left(sheets) if trait.id == values["line"])
    if values["how"] == "keep":
        step = Step("QW-61", f"{who.name}: {trait.name} stays at {worth_of(trait, state.symbol, state.edition)}.")
        return Result((Reviewed(trait.id),), (step,))
    steps, effects = faded(who, trait, values["how"], state.symbol, state.edition)
    return Result((Reviewed(trait.id),), tuple(steps), effects=tuple(effects))


def ask_to_review(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM reviews what is left."""
    if left := len(state.left(sheets)):
        what = "consequence or benefit" if left == 1 else "consequences and benefits"
        yield Ask("", "look", f"review {left} {what}", "Review")


def offer_rest(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, where a state is left that time takes away."""
    if any(trait.kind in STATES for _, trait in state.left(sheets)):
        days = Choice(name="days", label="How long", options=tuple((str(days), said) for days, said in TIMES))
        yield Offer("rest", "", "Let time pass", "In days of rest, or of idleness, states lapse.", (days,))


def rest(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """So many days pass for all of them, and what they take away is gone (QW-A6, QW-A7)."""
    steps, effects = list[Step](), list[Effect]()
    for who in state.who:
        why, lost = rested(sheets[who], int(values["days"])) if who in sheets else ([], [])
        steps, effects = [*steps, *why], [*effects, *lost]
    if not effects:
        raise BadMove("So little time takes nothing away. Choose a longer one, or review each line.", "days")
    gone = tuple(effect.trait for effect in effects if isinstance(effect, Lose))
    return Result((Cleared(gone),), tuple(steps), effects=tuple(effects))


def offer_clear(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, as long as something is left."""
    if state.left(sheets):
        title = "Clear the rest" if state.reviewed else "Clear all"
        yield Offer("clear", "", title, "All that you have not reviewed is over.")


def clear(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """All that is left is over."""
    steps, effects = [Step("QW-61", "All that lasted is over.")], list[Effect]()
    left = state.left(sheets)
    for who, trait in left:
        why, changes = faded(who, trait, "gone", state.symbol, state.edition)
        steps += why
        effects += changes
    return Result((Cleared(tuple(trait.id for _, trait in left)),), tuple(steps), effects=tuple(effects))


def offer_finish(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at any time."""
    if state.who:
        note = "Anything not reviewed stays as it is." if state.left(sheets) else ""
        yield Offer("finish", "", "Finish the review", note)


def finish(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The review is over; the rest stays as it is."""
    return Result((Finished(True),), (Step("QW-61", "The review of what lasts is finished."),))


def ask_to_finish(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, when nothing is left."""
    if state.who and not state.left(sheets):
        yield Ask("", "finish", "finish the review", "Finish")


@dataclass(frozen=True, slots=True)
class LastingEffect:
    """A consequence or benefit, and whether it was reviewed."""

    id: str
    name: str
    amount: str
    rank: int
    note: str
    what: str  # what it is, in words
    reviewed: bool


@dataclass(frozen=True, slots=True)
class ReviewDetail:
    """What lasts, by whom it is on, while it is reviewed; how much is left; and the base in earlier seasons."""

    rows: tuple[tuple[str, str, tuple[LastingEffect, ...]], ...]  # the sheet's id, its name, what is on it
    left: int
    base: str  # the base of the season that began with this review, "" where it stayed
    seasons: tuple[tuple[int, str], ...]  # the entry's number, the base since then


def view(state: State, sheets: Sheets, viewer: Perspective) -> View:
    """What still lasts, and what the GM has reviewed of it."""
    left = state.left(sheets)
    said = "The review is finished." if state.over else "" if left else "All of it is reviewed."
    groups = tuple((Participant(who, sheets[who].name, ""),) for who in state.who if who in sheets)
    return View("Done" if state.over else "Review", said, groups,
                detail=_detail(state, sheets, len(left)))


def _detail(state: State, sheets: Sheets, left: int) -> ReviewDetail:
    # Sheets go on changing when it is over: what was said of each line then is told by its entries.
    rows = tuple(
        (who, sheets[who].name, tuple(_effect(state, trait) for trait in lasting(sheets[who])))
        for who in state.who if who in sheets and lasting(sheets[who]) and not state.over
    )
    base = notation(state.base, state.symbol) if state.base else ""
    seasons = tuple(
        (past.seq, notation(past.state.base, state.symbol)) for past in state.context.past if past.state.base)
    return ReviewDetail(rows, left, base, seasons)


def _effect(state: State, trait: Trait) -> LastingEffect:
    what = {ADVERSITY: "state of adversity", FORTUNE: "state of fortune"}.get(
        trait.kind, f"{trait.kind}, rank {trait.value}")
    amount = worth_of(trait, state.symbol, state.edition)
    return LastingEffect(
        trait.id, trait.name, amount, trait.value, trait.note, what, trait.id in state.reviewed)


def _fields(symbol: str, edition: Edition) -> tuple[Field, ...]:
    """What the start asks for: who, whether a new season is harder, and how numbers are written and stand."""
    seasons = (("0", "Stays"), *((str(rise), f"+{rise}") for rise in edition.difficulty.rises))
    return (
        Listing(name="contestants", label="Character", most=MOST, of=Group(name="who", label="Character", fields=(
            Text(name="sheet", label="Character"), Flag(name="player", label="Player character")))),
        Choice(name="season", label="The base resistance", options=seasons, default="0",
               help="A new season may be harder. The Ledger keeps each step."),
        *setting_fields(symbol, edition, ("symbol", "base")),
    )


class LastingReview(Procedure[State], KnowsCampaign[State]):
    """One line after the other: it stays, falls by a rank, or is over."""

    name = "questworlds.walk"
    title = "Review of consequences and benefits"
    casting = Casting("everyone", carrying=LASTING)
    placement = Placement(exclusive=False, needs_scene=False)
    remembers = ("questworlds.walk",)
    title_label = "How much time has passed"
    default_title = "Since the last session"
    start_label = "Review consequences"
    events = (Opened, Reviewed, Cleared, Finished)
    acts = (Act("look", offer_review, review, ask_to_review), Act("rest", offer_rest, rest),
            Act("clear", offer_clear, clear), Act("finish", offer_finish, finish, ask_to_finish))

    def __init__(self, edition: Edition = FIRST, symbol: str = "M") -> None:
        self.edition = edition
        self.fields = _fields(symbol, edition)

    def begin(self, values: Values, sheets: Sheets, faces: Sequence[int]) -> Result | Need:
        return begin(values, sheets, faces, self.edition)

    def blank(self) -> State:
        return State(edition=self.edition)

    def is_over(self, state: State) -> bool:
        return state.over

    def view(self, state: State, sheets: Sheets, viewer: Perspective) -> View:
        return view(state, sheets, viewer)
