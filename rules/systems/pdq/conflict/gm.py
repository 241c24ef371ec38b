"""What the GM's rulings lead to."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Step
from rules.systems.pdq.conflict.events import (
    BroughtBack,
    Ended,
    Granted,
    Passed,
    Placed,
    Result,
    TakenOut,
    WeaknessCalled,
)
from rules.systems.pdq.conflict.sides import Sheets
from rules.systems.pdq.conflict.state import State
from rules.wording import quoted

Values = Mapping[str, Any]


def grant(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """An upshift for a description that was fun, on the next roll (PQ-05)."""
    text = f"An upshift for {_name(state, values)} on the next roll: “{values['reason']}”."
    return Result((Granted(values["who"], values["reason"]),), (Step("PQ-05", text),))


def skip(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The turn of somebody who is not there goes by."""
    return Result((Passed(values["who"]),), (Step("PQ-11", f"The GM skips {_name(state, values)}."),))


def call_weakness(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A weakness of a target bears on the attack (PQ-14)."""
    text = f"A weakness of {_name(state, values)} bears on this attack."
    return Result((WeaknessCalled(values["who"]),), (Step("PQ-14", text),))


def take_out(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Out of action at the GM's word (PQ-16)."""
    text = f"{_name(state, values)} is out of action{quoted(values['words'])}"
    return Result((TakenOut(values["who"], values["words"]),), (Step("PQ-16", text),))


def bring_back(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Back in action at the GM's word, to act from the next round on (PQ-16)."""
    text = f"{_name(state, values)} is back{quoted(values['words'])}"
    return Result((BroughtBack(values["who"], values["words"]),), (Step("PQ-16", text),))


def place(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Somebody is elsewhere (PQ-20)."""
    text = f"{_name(state, values)} is now at yard {values['to']}."
    return Result((Placed(values["who"], values["to"]),), (Step("PQ-20", text),))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The conflict is over, whoever stands."""
    sides = state.sides_standing
    winner = sides[0] if len(sides) == 1 else ""
    text = f"The GM ends the conflict{quoted(values['words'])}"
    return Result((Ended(winner, values["words"]),), (Step("PQ-11", text),))


def _name(state: State, values: Values) -> str:
    return state.contestant(values["who"]).name
