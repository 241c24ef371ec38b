"""What is done in a fight beside attacking, by the combatants and by the GM (PN-07, PN-11)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Sheets, Values
from rules.moves import Step
from rules.systems.pnc.fight.events import Acted, Ended, Held, Readied, Result, Skipped, Stands
from rules.systems.pnc.fight.state import WORDS, State
from rules.values import BadMove
from rules.wording import quoted

Faces = Sequence[int]


def act(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Something else than an attack."""
    text = f"{state.combatant(by).name} acts{quoted(values['words'])}"
    return Result((Acted(by, values["words"]),), (Step("PN-07", text),))


def hold(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The turn is held (PN-07)."""
    text = f"{state.combatant(by).name} holds, until the next time round at the latest."
    return Result((Held(by),), (Step("PN-07", text),))


def skip(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM lets a turn go by."""
    text = f"{state.combatant(values['who']).name} lets the turn go by."
    return Result((Skipped(values["who"]),), (Step("PN-07", text),))


def leave(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Somebody gives up, or gets away (PN-11)."""
    verb = "surrenders" if values["standing"] == "surrendered" else "escapes"
    text = f"{state.combatant(by).name} {verb}{quoted(values['words'])}"
    return Result((Stands(by, values["standing"], values["words"]),), (Step("PN-11", text),))


def stands(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM says how somebody stands (PN-11)."""
    who = state.combatant(values["who"])
    if who.standing == values["standing"]:
        raise BadMove(f"{who.name} is {who.state} already.", "standing")
    text = f"{who.name} is {WORDS[values['standing']]} now{quoted(values['words'])}"
    return Result((Stands(who.id, values["standing"], values["words"]),), (Step("PN-11", text),))


def ready(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """Who was caught off guard can act, and rolls for a place (PN-07)."""
    text = f"{state.combatant(values['who']).name} can act now, and rolls for a place in the order."
    return Result((Readied(values["who"]),), (Step("PN-07", text),))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Faces) -> Result:
    """The GM ends the fight."""
    what = "The roll" if state.settings.opposed else "The fight"
    return Result((Ended("", values["words"]),), (Step("PN-11", f"{what} ends{quoted(values['words'])}"),))
