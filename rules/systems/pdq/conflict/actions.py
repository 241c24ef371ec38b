"""Anything but an attack, with a roll where a difficulty is given (PQ-02, PQ-11, PQ-12)."""
from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from rules import engine
from rules.engine import Act, Forecasts, Sheets, Values
from rules.fields import Field, Flag
from rules.moves import Need, Step, take
from rules.procedure import Offer
from rules.systems.pdq.chart import difficulty_field
from rules.systems.pdq.conflict.fields import STRATEGY, WORDS, qualities, several
from rules.systems.pdq.conflict.helping import HELPERS, helpers
from rules.systems.pdq.conflict.sides import (
    LEAD,
    leading,
    lines_for,
    on_their_word,
    other_shifts,
    said,
    side_of,
    team,
    why_side,
)
from rules.systems.pdq.conflict.state import Contestant, Result, State, Trying
from rules.systems.pdq.conflict.trying import Acted, Tried, tested
from rules.systems.pdq.conflict.turn import stepping_in
from rules.systems.pdq.reckoning import Hard, by_strategy, how_hard, odds_of_test, test_of
from rules.systems.pdq.roll import Side
from rules.why import Why
from rules.wording import quoted

Faces = Sequence[int]

DIFFICULTY = replace(difficulty_field(), default=None, help="Leave blank if no roll is needed.")
TAKES_A_ROLL = Flag(name="test", label="It takes a roll", help="The GM sets the difficulty, then you roll.")


def shared(who: Contestant) -> tuple[Field, ...]:
    """What an attack and any other action are asked alike."""
    return several("qualities", "Your qualities"), LEAD, HELPERS, lines_for(who), STRATEGY, WORDS


def offer_act(state: State, sheets: Sheets) -> Iterator[Offer]:
    """To those who may act now."""
    for who in state.able:
        own = qualities(sheets[who.id])
        yield Offer("act", who.id, "Do something else",
                    "Anything but an attack.", (*shared(who), TAKES_A_ROLL, DIFFICULTY),
                    {"qualities": own, "lead": own, "helpers": helpers(state, sheets, who)}, rolls=True)


def act(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result | Need:
    """Something else than an attack; a test where a difficulty is given (PQ-02, PQ-12)."""
    if values["test"] and values.get(DIFFICULTY.name) is None:
        return _asked(state, by, values)
    side, hard, team_steps = _test(state, sheets, by, values)
    acted = Acted(by, values["words"], values["strategy"], values["helpers"], hard is not None)
    if hard:
        return tested(state, acted, side, hard, faces, *team_steps)
    take(faces, 0)
    first = Step("PQ-11", f"{state.contestant(by).name} acts{quoted(values['words'])}")
    return Result((*stepping_in(state, by), acted), (first, *team_steps))


def _asked(state: State, by: str, values: Values) -> Result:
    """What is tried and with what, before the GM says how difficult it is; no turn is spent yet."""
    who = engine.after(state, stepping_in(state, by)).contestant(by)
    applied, team_steps = team(state, by, values)
    shifts = (*by_strategy("other", values["strategy"]), *said(who, values))
    event = Tried(Trying(by, applied, leading(values), shifts, values["strategy"], values["helpers"], values["words"]))
    text = f"{state.contestant(by).name} asks for the difficulty{quoted(values['words'])}"
    return Result((event,), (Step("PQ-11", text), *team_steps, *on_their_word(shifts)))


def odds_of_act(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
    """The chance of the test; nothing where nothing is rolled."""
    side, hard, _ = _test(state, sheets, offer.by, values)
    if hard is None:
        return ()
    words = [step.text.rstrip(".") for step in on_their_word(side.shifts)]
    return ((f"Against {hard.target}", odds_of_test(test_of(side, hard), *words)),)


def why_act(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """The side of a test, and how hard it is where somebody says so (PQ-02, PQ-12)."""
    side, hard, _ = _test(state, sheets, offer.by, values)
    return why_side(sheets, offer.by, side, team(state, offer.by, values)[0], hard)


def _test(
    state: State, sheets: Sheets, by: str, values: Values
) -> tuple[Side, Hard | None, tuple[Step, ...]]:
    """The side, how hard it is, None where nobody says so, and whose help it takes."""
    applied, team_steps = team(state, by, values)
    # Stepping in ends an earlier strategy; what is granted stays.
    who = engine.after(state, stepping_in(state, by)).contestant(by)
    side = side_of(state, sheets, by, applied, other_shifts(state, who, values), leading(values))
    hard = None if values.get(DIFFICULTY.name) is None else how_hard(values)
    return side, hard, team_steps


ACT = Act("act", offer_act, act, odds=odds_of_act, why=why_act)
