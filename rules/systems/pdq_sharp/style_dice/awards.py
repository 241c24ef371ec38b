"""The session: style dice come out, are awarded at its start, and go when it ends (PS-40, PS-41, PS-45)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Sheets, Values
from rules.fields import Listing, Text
from rules.moves import Step, take
from rules.procedure import Ask, Offer
from rules.sheet import Transfer
from rules.systems.pdq_sharp.settings import StyleSettings, phrase
from rules.systems.pdq_sharp.style_dice.state import Deed, Result, State, called, people, played, purse_of
from rules.wording import join

SHOWED_UP = "Showed up"
AWARDS = (("hosting", "Hosted"), ("snacks", "Brought snacks or drinks"), ("loans", "Lent pen, paper or dice"),
          ("outside", "Made something since the last session"))


@dataclass(frozen=True)
class Opened(StyleSettings, Event[State]):
    """A session's style dice are out, and what is said for style."""

    phrase: str

    def after(self, state: State) -> State:
        return State(self.phrase, self)


@dataclass(frozen=True)
class Awarded(Deed):
    """The awards of the session's start were given."""

    def then(self, state: State) -> State:
        return replace(state, awarded=True)


@dataclass(frozen=True)
class LastCall(Deed):
    """The GM says that the session ends soon."""

    def then(self, state: State) -> State:
        return replace(state, last_call=True)


@dataclass(frozen=True)
class Ended(Deed):
    """The session's style dice are over."""

    def then(self, state: State) -> State:
        return replace(state, over=True, foibles=())


def begin(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
    """A session's style dice come out."""
    take(faces, 0)
    said = phrase(values)
    step = Step("PS-40", f"The style dice are out. For style say “{said}!”")
    return Result((Opened(said, **vars(values["settings"])),), (step,))


def offer_awards(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, once in a session."""
    def some(name: str, label: str) -> Listing:
        return Listing(name=name, label=label, of=Text(name="one", label="Character"), most=200, default=())

    if not state.awarded:
        names = {name: people(sheets) for name, _ in AWARDS}
        yield Offer("award", "", "Give the session’s awards", "One from the box for each tick.", (
            some("here", "Is here"), *(some(name, label) for name, label in AWARDS)),
            {"here": played(sheets), **names}, now={"here": [who for who, _ in played(sheets)]})


def ask_for_awards(state: State, sheets: Sheets) -> Iterator[Ask]:
    """Of the GM, as the session begins."""
    if state.fresh and sheets:
        yield Ask("", "award", "give the session’s awards", "Give")


def award(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The awards of the session's start, a die from the box for each."""
    ways = [Transfer(1, None, purse_of(who), SHOWED_UP) for who in values["here"]]
    for name, label in AWARDS:
        ways += [Transfer(1, None, purse_of(who), label) for who in values[name]]
    parts = [f"{called(who, sheets)} ({reason.lower()})" for reason, names in
             ((SHOWED_UP, values["here"]), *((label, values[name]) for name, label in AWARDS)) for who in names]
    text = f"A style die each from the box: {join(parts)}." if parts else "Nobody gets an award today."
    return Result((Awarded(),), (Step("PS-41", text),), effects=tuple(ways))


def offer_no_awards(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, as long as nobody was awarded anything."""
    if not state.awarded:
        yield Offer("no_awards", "", "Skip the awards")


def no_awards(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The session begins without awards."""
    return Result((Awarded(),), (Step("PS-41", "Nobody gets an award today."),))


def offer_last_call(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, once in a session."""
    if not state.last_call:
        yield Offer("last_call", "", "Warn that the session ends soon", "Everyone with dice is asked to use them.")


def last_call(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The session ends soon: whoever holds dice is told (PS-45)."""
    holding = [f"{sheet.name} {held}" for sheet in sheets.values() if not sheet.npc and (held := state.dice_of(sheet))]
    text = f"Style dice go when it does: {join(holding)}." if holding else "Nobody holds style dice."
    return Result((LastCall(),), (Step("PS-45", f"The session ends soon. {text}"),))


def offer_finish(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM."""
    yield Offer("finish", "", "Finish with style dice", "They are lost when the session ends.")


def finish(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Nothing more is given or taken."""
    return Result((Ended(),), (Step("PS-45", "The style dice of this session are done with."),))


START = (Act("award", offer_awards, award, ask_for_awards), Act("no_awards", offer_no_awards, no_awards))
END = (Act("last_call", offer_last_call, last_call), Act("finish", offer_finish, finish))
EVENTS = (Opened, Awarded, LastCall, Ended)
