"""How a downtime begins, and what each act in it leads to (QW-90)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Sheets, Values
from rules.moves import Step, take
from rules.sheet import Effect, Refill
from rules.systems.questworlds.downtime.events import Passed, Rested, Result, Spent
from rules.systems.questworlds.downtime.offers import outlook
from rules.systems.questworlds.downtime.state import State
from rules.systems.questworlds.story_points import DOWNTIME, back
from rules.values import BadMove
from rules.wording import join


def begin(values: Values, sheets: Sheets, faces: Sequence[int]) -> Result:
    """A downtime for everybody who is named."""
    take(faces, 0)
    who = tuple(each["sheet"] for each in values["contestants"])
    if not who:
        raise BadMove("Choose who has this time: one at least.")
    names = tuple(sheets[each].name for each in who)
    # In a campaign that has no story points none come back (QW-90).
    back_with_it = values["refresh"] == DOWNTIME and values["points"] > 0
    rested = Rested(who, names, back_with_it, values["points"])
    asked = f"A downtime for {join(names)}. How do they spend it?"
    parts = [asked, *filter(None, (outlook(rested),))]
    return Result((rested,), tuple(Step("QW-90", each) for each in parts))


def spend(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """What somebody does with the time."""
    words = " ".join(values["words"].split())
    return Result((Spent(by, words),), (Step("QW-90", f"{sheets[by].name}: {words}"),))


def finish(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The time has passed; the story points come back where the campaign says so."""
    rested = state.rested
    effects: tuple[Effect, ...] = (Refill("story_points"),) if rested.back else ()
    points = back(rested.points) if rested.back else (
        "The story points stay as they are: they do not come back this way." if rested.points else "")
    text = " ".join(filter(None, ("The time has passed.", points)))
    return Result((Passed(True),), (Step("QW-90", text),), {"back": rested.back}, effects=effects)


def call_off(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It is as if it had never begun."""
    text = f"The downtime has not happened.{' The story points stay as they are.' if state.rested.points else ''}"
    return Result((Passed(False),), (Step("QW-90", text),))
