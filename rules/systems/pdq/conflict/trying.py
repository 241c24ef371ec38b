"""Something else that takes a roll: the GM says how difficult it is, then it is rolled (PQ-02, PQ-11)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.fields import REQUIRED, Text
from rules.moves import Need, Step
from rules.procedure import Ask, Offer
from rules.systems.pdq.chart import Rank
from rules.systems.pdq.conflict.sides import lines_of
from rules.systems.pdq.conflict.state import Deed, Result, State, Trying, adopted, spent
from rules.systems.pdq.conflict.turn import stepping_in
from rules.systems.pdq.reckoning import by_grants, odds_of_test, terms
from rules.systems.pdq.test import Task, TestMove, rolls_of
from rules.wording import quoted

Faces = Sequence[int]

HARD = Text(name="difficulty", label="Difficulty", default=REQUIRED, missing="Choose how difficult it is.")


@dataclass(frozen=True)
class Acted(Deed):
    """Something else was done than attacking. `rolled`: it was a test, which uses up what the GM granted."""

    who: str
    words: str
    strategy: str
    helpers: tuple[str, ...]
    rolled: bool

    def done(self, state: State) -> State:
        state = replace(state, trying=None)
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
        yield Offer("rate", "", f"How difficult is it for {name}?", quoted(trying.words).strip(" :."), (HARD,),
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
    trying, task = _task(state, sheets)
    outcome = TestMove().resolve(task, faces)
    if isinstance(outcome, Need):
        return outcome
    acted = Acted(by, trying.words, trying.strategy, trying.helpers, rolled=True)
    steps = (Step("PQ-11", f"{state.contestant(by).name} acts{quoted(trying.words)}"), *outcome.steps)
    return Result((*stepping_in(state, by), acted), steps, outcome.result, outcome.dice, rolls=rolls_of(task, faces))


def odds_of_try(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chance of the test."""
    _, task = _task(state, sheets)
    return ((f"Against {task.target}", odds_of_test(task)),)


def untry(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """They think better of it; their turn is not spent."""
    return Result((Untried(by),), (Step("PQ-11", f"{state.contestant(by).name} does something else."),))


def _task(state: State, sheets: Sheets) -> tuple[Trying, Task]:
    trying = state.trying or Trying("", ())
    shifts = (*trying.shifts, *by_grants(state.contestant(trying.who).grants))
    side = terms(lines_of(sheets, trying.qualities), shifts, trying.lead)
    return trying, Task(side, Rank(trying.difficulty or 0))


OWN = (Act("try", offer_try, try_, ask_to_rate, odds_of_try), Act("untry", offer_untry, untry))
RATE = Act("rate", offer_rate, rate)
EVENTS = (Acted, Tried, Rated, Untried)
