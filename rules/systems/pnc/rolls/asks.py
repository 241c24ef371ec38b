"""Whom standard rolls wait for, and for what."""
from __future__ import annotations

from rules.engine import Sheets
from rules.procedure import Ask
from rules.systems.pnc.rolls.offers import asked
from rules.systems.pnc.rolls.state import State


def asks(state: State, sheets: Sheets) -> tuple[Ask, ...]:
    """Who has yet to roll; after the dice, who has yet to let them stand."""
    if state.over:
        return ()
    rolling = [each for each in state.rollers if not each.dice]
    if rolling:
        return tuple(Ask(each.id, "roll", f"roll {each.button}", "Roll") for each in rolling)
    left = asked(state, sheets) or tuple(each for each in state.rollers if not each.stands)
    return tuple(
        Ask(each.id, "stand", f"let it stand ({each.reading}) or roll again", "Decide", decision=True, stands=True)
        for each in left)
