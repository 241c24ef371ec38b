"""What sessions and the ends of scenes do: story points, rests, the end of an episode (DW-10, DW-12, DW-14)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.fields import Choice
from rules.moves import Step
from rules.sheet import Sheet, Spend
from rules.system import SessionChange
from rules.systems.danger_world.damage import rest
from rules.systems.danger_world.reading import POINTS
from rules.systems.danger_world.sheet_actions import RESTS

NONE = "none"
REST = Choice(name="rest", label="What follows", default=NONE,
              help="A rest clears boxes for everyone who was in the scene.",
              options=((NONE, "No rest: it goes on at once"), *RESTS))
SENTENCES = {
    "short": "A short rest opens what was bashed, stunned or knocked out: {}.",
    "long": "A long rest opens every box but death: {}.",
    "episode": "The episode is over. A long rest opens every box but death, and the danger starts again: {}.",
}


def close_scene(sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SessionChange:
    """A rest for everybody who was there, or none."""
    how = values.get("rest", NONE)
    if how == NONE or not sheets:
        return SessionChange((Step("DW-14", "There is no rest yet: what is filled stays filled."),))
    names = ", ".join(sheet.name for sheet in sheets)
    step = Step("DW-12" if how == "episode" else "DW-14", SENTENCES[how].format(names))
    return SessionChange((step,), tuple(effect for sheet in sheets for effect in rest(sheet, how)))


def begin_session(sheets: Sequence[Sheet], settings: Mapping[str, Any]) -> SessionChange:
    """Everybody has the session's story points, no more and no less."""
    number = settings["points"]
    if not sheets:
        return SessionChange()
    step = Step("DW-10", f"{number} story points each: {', '.join(sheet.name for sheet in sheets)}.")
    return SessionChange((step,), tuple(
        Spend(sheet.id, POINTS, number - sheet.pool(POINTS)) for sheet in sheets if number != sheet.pool(POINTS)
    ))
