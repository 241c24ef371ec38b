"""A test as a page draws it."""
from __future__ import annotations

from typing import Any

from rules.procedure import Participant, View
from rules.systems.pdq.at_table.state import State


def view(state: State) -> View:
    """Who tries what, how hard it is, and what came of it."""
    group: Any = ((Participant(state.who, state.name, "", current=not state.outcome),),)
    facts: tuple[str, ...] = (f"Against {state.hard.words}",) if state.hard else ()
    facts += tuple(shift.words.rstrip(".") for shift in (state.terms.shifts if state.terms else state.granted))
    if state.outcome:
        heading = {"success": "Success", "failure": "Failure"}.get(state.outcome, "Called off")
        total = "" if state.total is None or not state.hard else f"{state.total} against {state.hard.target}."
        return View(heading, total, group, facts)
    return View("Before the roll", "", group, facts)
