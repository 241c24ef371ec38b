"""How a plot edit begins, and what each answer to it leads to (QW-91)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Sheets, Values
from rules.moves import Step, take
from rules.sheet import SpendShared
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.plot_edit.events import Answered, Proposed, Result
from rules.systems.questworlds.plot_edit.state import State
from rules.systems.questworlds.story_points import burn, cost_of
from rules.values import BadMove


def begin(values: Values, sheets: Sheets, faces: Sequence[int], edition: Edition) -> Result:
    """The fact as it is proposed, with its price."""
    take(faces, 0)
    if not values["points"]:
        raise BadMove("This campaign has no story points, so nothing can pay for an edit of the plot.")
    who = sheets[values["contestants"][0]["sheet"]]
    event = Proposed(who.id, who.name, values["title"], values["level"])
    text = f"{who.name} would have it so, for {cost_of(event.level, edition)}: {event.fact}"
    return Result((event,), (Step("QW-91", text),), {"level": event.level})


def accept(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It is a fact, and paid for."""
    fact, cost = _fact(state), state.cost
    burn(state.pool, cost)
    steps = (Step("QW-91", f"A fact now: {fact}"),
             Step("QW-90", "1 story point is spent." if cost == 1 else f"{cost} story points are spent."))
    return Result((Answered(True),), steps, {"accepted": True, "fact": fact},
                  effects=(SpendShared("story_points", -cost),))


def refuse(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It is not so, at no cost."""
    return _declined(f"It is not so: {_fact(state)}")


def withdraw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Whoever proposed it does not want it any more."""
    return _declined(f"{state.proposed.name if state.proposed else ''} takes it back: {_fact(state)}")


def _declined(text: str) -> Result:
    steps = (Step("QW-91", text), Step("QW-91", "What is refused costs nothing."))
    return Result((Answered(False),), steps, {"accepted": False})


def _fact(state: State) -> str:
    return state.proposed.fact if state.proposed else ""
