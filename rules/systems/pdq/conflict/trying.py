"""Something else that takes a roll: the GM says how difficult it is, then it is rolled (PQ-02, PQ-11)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import REQUIRED, Text
from rules.moves import Need, Step
from rules.procedure import Ask, Offer
from rules.systems.pdq.chart import Rank
from rules.systems.pdq.conflict.sides import given, side_of, used_up, why_side
from rules.systems.pdq.conflict.state import Deed, Landed, Result, State, Trying, adopted, spent
from rules.systems.pdq.conflict.turn import stepping_in
from rules.systems.pdq.reckoning import (
    Hard,
    Terms,
    how_hard,
    kept,
    odds_of_test,
    settle_task,
    test_of,
)
from rules.systems.pdq.roll import Side
from rules.why import Why
from rules.wording import quoted

Faces = Sequence[int]

HARD = Text(name="difficulty", label="Difficulty", default=REQUIRED, missing="Choose a difficulty.")


@dataclass(frozen=True)
class Acted(Deed):
    """Something else was done than attacking. `rolled`: it was a test, which uses up what the GM granted.

    `terms`, `hard` and `faces` are that test, None and () where none was, or an older entry has not kept them.
    """

    who: str
    words: str
    strategy: str
    helpers: tuple[str, ...]
    rolled: bool
    terms: Terms | None = None
    hard: Hard | None = None
    faces: tuple[int, ...] = ()

    def done(self, state: State) -> State:
        tested = Landed(self.who, self.terms, self.faces, (), hard=self.hard) if self.terms and self.hard else None
        state = replace(state, trying=None, landed=tested)
        state = adopted(spent(state, self.who, *self.helpers), self.who, self.strategy)
        return state.with_(self.who, grants=()) if self.rolled else state


@dataclass(frozen=True)
class Tried(Event[State]):
    """Somebody does something that takes a roll; the GM has yet to say how difficult it is."""

    trying: Trying

    def after(self, state: State) -> State:
        return replace(state, trying=self.trying, landed=None)


@dataclass(frozen=True)
class Rated(Event[State]):
    """The GM said how difficult it is, as a rank."""

    difficulty: int

    def after(self, state: State) -> State:
        return replace(state, trying=replace(state.trying, difficulty=self.difficulty) if state.trying else None)


@dataclass(frozen=True)
class Untried(Event[State]):
    """They do something else instead."""

    who: str

    def after(self, state: State) -> State:
        return replace(state, trying=None)


def offer_rate(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the GM, at one tap."""
    if (trying := state.trying) and trying.difficulty is None:
        name = state.contestant(trying.who).name
        yield Offer("rate", "", f"Set the difficulty for {name}", quoted(trying.words).strip(" :."), (HARD,),
                    {"difficulty": tuple((rank.word, f"{rank.word.capitalize()} {rank.target}") for rank in Rank)},
                    chips="difficulty")


def ask_to_rate(state: State, sheets: Sheets) -> Iterator[Ask]:
    """The GM, then whoever rolls."""
    if trying := state.trying:
        if trying.difficulty is None:
            yield Ask("", "rate", f"set the difficulty for {state.contestant(trying.who).name}", "Set")
        else:
            yield Ask(trying.who, "try", f"roll against {Rank(trying.difficulty).word}", "Roll", routine=True)


def rate(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM says how difficult it is (PQ-02)."""
    rank = next(rank for rank in Rank if rank.word == values["difficulty"])
    return Result((Rated(int(rank)),), (Step("PQ-02", f"The GM says that it is {rank.word}: {rank.target}."),))


def offer_try(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To whoever tries it, once it is known how difficult it is."""
    if (trying := state.trying) and trying.difficulty is not None:
        yield Offer("try", trying.who, f"Roll against {Rank(trying.difficulty).word}", rolls=True)


def offer_untry(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To the same, who may think better of it."""
    if state.trying:
        yield Offer("untry", state.trying.who, "Do something else instead", "Your turn is not spent.")


def try_(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """The test, which is their turn (PQ-02, PQ-12)."""
    trying, side, hard = _tried(state, sheets)
    acted = Acted(by, trying.words, trying.strategy, trying.helpers, rolled=True)
    return tested(state, acted, side, hard, faces)


def tested(state: State, acted: Acted, side: Side, hard: Hard, faces: Faces, *steps: Step) -> Result | Need:
    """What a test comes to that is somebody's turn; with `steps` before those of its dice."""
    settled = settle_task(test_of(side, hard), faces)
    if isinstance(settled, Need):
        return settled
    outcome, rolls = settled
    acted = replace(acted, terms=kept(side), hard=hard, faces=tuple(faces))
    first = Step("PQ-11", f"{state.contestant(acted.who).name} acts{quoted(acted.words)}")
    return Result((*stepping_in(state, acted.who), acted), (first, *steps, *outcome.steps), outcome.result,
                  outcome.dice, used_up(state, acted.who), rolls)


def odds_of_try(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chance of the test."""
    _, side, hard = _tried(state, sheets)
    return ((f"Against {hard.target}", odds_of_test(test_of(side, hard))),)


def why_try(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """The side of the test, and how hard the GM says it is."""
    trying, side, hard = _tried(state, sheets)
    return why_side(sheets, offer.by, side, trying.qualities, hard)


def untry(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """They think better of it; their turn is not spent."""
    return Result((Untried(by),), (Step("PQ-11", f"{state.contestant(by).name} does something else."),))


def _tried(state: State, sheets: Sheets) -> tuple[Trying, Side, Hard]:
    """What is tried, with what, against what."""
    trying = state.trying or Trying("", ())
    shifts = (*trying.shifts, *given(state, trying.who))
    side = side_of(state, sheets, trying.who, trying.qualities, shifts, trying.lead)
    return trying, side, how_hard({"difficulty": Rank(trying.difficulty or 0)})


OWN = (Act("try", offer_try, try_, ask_to_rate, odds_of_try, why_try), Act("untry", offer_untry, untry))
RATE = Act("rate", offer_rate, rate)
EVENTS = (Acted, Tried, Rated, Untried)
