"""What the GM's rulings lead to."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Step
from rules.systems.pdq.conflict.done import Done, quote
from rules.systems.pdq.conflict.events import (
    BroughtBack,
    Ended,
    Granted,
    Passed,
    Placed,
    TakenOut,
    WeaknessCalled,
)
from rules.systems.pdq.conflict.sides import Sheets
from rules.systems.pdq.conflict.state import State
from rules.values import BadMove

Values = Mapping[str, Any]


def grant(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """An upshift for a description that was fun, on the next roll (PQ-05)."""
    if not values["reason"]:
        raise BadMove("Say what the upshift is for.", "reason")
    told = f"An upshift for {_name(state, values)} on the next roll: “{values['reason']}”."
    return Done((Granted(values["who"], values["reason"]),), (Step("PQ-05", told),))


def skip(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """The turn of somebody who is not there goes by."""
    return Done((Passed(values["who"]),), (Step("PQ-11", f"The GM skips {_name(state, values)}."),))


def call_weakness(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """A weakness of a target bears on the attack (PQ-14)."""
    told = f"A weakness of {_name(state, values)} bears on this attack."
    return Done((WeaknessCalled(values["who"]),), (Step("PQ-14", told),))


def take_out(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Out of action at the GM's word (PQ-16)."""
    told = f"{_name(state, values)} is out of action{quote(values['words'])}"
    return Done((TakenOut(values["who"], values["words"]),), (Step("PQ-16", told),))


def bring_back(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Back in action at the GM's word, to act from the next round on (PQ-16)."""
    told = f"{_name(state, values)} is back{quote(values['words'])}"
    return Done((BroughtBack(values["who"], values["words"]),), (Step("PQ-16", told),))


def place(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Somebody is elsewhere (PQ-20)."""
    told = f"{_name(state, values)} is now at yard {values['to']}."
    return Done((Placed(values["who"], values["to"]),), (Step("PQ-20", told),))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """The conflict is over, whoever stands."""
    sides = state.sides_standing
    winner = sides[0] if len(sides) == 1 else ""
    told = f"The GM ends the conflict{quote(values['words'])}"
    return Done((Ended(winner, values["words"]),), (Step("PQ-11", told),))


def _name(state: State, values: Values) -> str:
    return state.contestant(values["who"]).name
