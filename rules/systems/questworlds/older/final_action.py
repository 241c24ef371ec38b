"""Dying in a contest: who may not act, the contest of wherewithal, the final action (QW-A6)."""
from __future__ import annotations

from rules.moves import Step
from rules.procedure import Options
from rules.sheet import Effect, Raise, Sheet
from rules.systems.questworlds.older.states import DOOMED, ROUSED, SPENT, end_of, unable

CLEAR = {3: "a major victory", 4: "a complete victory"}  # so much that the final action may be at no bump down


def rousable(sheet: Sheet) -> Options:
    """The dying line that a contest of wherewithal may be about."""
    line = end_of(sheet)
    return ((line.id, f"{sheet.name}: {line.name}"),) if line and line.value <= DOOMED else ()


def stopped(sheet: Sheet | None, rouses: str) -> str:
    """Why somebody who is dying may not roll in a contest that `rouses` this line; "" where they may."""
    line = end_of(sheet) if sheet else None
    return "" if sheet is None or line is None or line.id == rouses else unable(sheet)


def after(sheet: Sheet, rouses: str, won: bool, clear: int) -> tuple[list[Step], list[Effect]]:
    """What a contest that `rouses` this line makes of somebody who is dying: roused by it, or at the end with it.

    `won` is whether it was won, `clear` by what degree, or rank where it has none.
    """
    line = end_of(sheet)
    if line is None:
        return [], []
    if line.id == rouses:
        by = CLEAR.get(clear)
        waived = f" After {by} the GM may ignore the bump down." if by else ""
        text = (f"{sheet.name} finds the strength for one final action, about something new, at one bump down.{waived}"
                if won else f"{sheet.name} finds no strength for a final action.")
        return [Step("QW-A6", text)], [Raise(line.id, (ROUSED if won else SPENT) - line.value)]
    if line.value == ROUSED:
        return [Step("QW-A6", f"That was the final action of {sheet.name}.")], [Raise(line.id, SPENT - line.value)]
    return [], []
