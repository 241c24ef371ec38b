"""Anything but an attack, with a roll where a difficulty is given (PQ-02, PQ-11, PQ-12)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from rules import engine
from rules.engine import Act, Event, Forecasts, Sheets, Values
from rules.moves import Need, Step, take
from rules.procedure import Offer
from rules.systems.pdq.chart import Rank, difficulty_field
from rules.systems.pdq.conflict.helping import HELPERS, helpers
from rules.systems.pdq.conflict.sides import LEAD, LINES, action_shifts, grant_shifts, leading, side, team
from rules.systems.pdq.conflict.state import (
    STRATEGY,
    WORDS,
    Contestant,
    Result,
    State,
    adopted,
    qualities,
    several,
    spent,
)
from rules.systems.pdq.conflict.turn import stepping_in
from rules.systems.pdq.roll import shifts_of
from rules.systems.pdq.tables import success
from rules.systems.pdq.test import Task, TestMove, rolls_of
from rules.tables import OddsAnswer
from rules.wording import quoted

Faces = Sequence[int]

SHARED = (several("qualities", "Your qualities"), LEAD, HELPERS, LINES, STRATEGY, WORDS)
DIFFICULTY = replace(difficulty_field(), default=None, help="Leave it open where no roll is needed.")


@dataclass(frozen=True)
class Acted(Event[State]):
    """Something else was done than attacking. `rolled`: it was a test, which uses up what the GM granted."""

    who: str
    words: str
    strategy: str
    helpers: tuple[str, ...]
    rolled: bool

    def after(self, state: State) -> State:
        state = adopted(spent(state, self.who, *self.helpers), self.who, self.strategy)
        return state.with_(self.who, grants=()) if self.rolled else state


def offer_act(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To those who may act now."""
    for who in state.able:
        own = qualities(sheets[who.id])
        yield Offer("act", who.id, "Do something else",
                    "Anything but an attack. Give a difficulty where it takes a roll.", (*SHARED, DIFFICULTY),
                    {"qualities": own, "lead": own, "helpers": helpers(state, sheets, who)}, rolls=True)


def act(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """Something else than an attack; a test where a difficulty is given (PQ-02, PQ-12)."""
    _, team_steps = team(state, by, values)
    leading(values)
    steps = (Step("PQ-11", f"{state.contestant(by).name} acts{quoted(values['words'])}"), *team_steps)
    before, rolls = stepping_in(state, by), values["difficulty"] is not None
    event = Acted(by, values["words"], values["strategy"], values["helpers"], rolls)
    if not rolls:
        take(faces, 0)
        return Result((*before, event), steps)
    # Stepping in ends an earlier strategy; what is granted stays.
    task = _task(state, sheets, engine.after(state, before).contestant(by), values)
    outcome = TestMove().resolve(task, faces)
    if isinstance(outcome, Need):
        return outcome
    return Result((*before, event), (*steps, *outcome.steps), outcome.result, outcome.dice,
                  rolls=rolls_of(task, faces))


def odds_of_act(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chance of the test; nothing where nothing is rolled."""
    if values["difficulty"] is None:
        return ()
    task = _task(state, sheets, state.contestant(offer.by), values)
    own = task.side
    chance = success(own.modifier, task.target, own.dice) if own.dice else success(0, 99)
    outcomes = (("Success", chance, "good"), ("Failure", 1 - chance, "bad"))
    return ((f"Against {task.target}", OddsAnswer(outcomes)),)


def _task(state: State, sheets: Sheets, who: Contestant, values: Values) -> Task:
    applied, _ = team(state, who.id, values)
    shifts = (*action_shifts(values["strategy"]), *shifts_of(values["lines"]), *grant_shifts(who))
    difficulty: Rank | int = values["difficulty"]
    return Task(side(sheets, applied, leading(values), shifts), difficulty)


ACT = Act("act", offer_act, act, odds=odds_of_act)
