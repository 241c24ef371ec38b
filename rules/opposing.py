"""Which lines of somebody can stand against a roll."""
from __future__ import annotations

from rules.sheet import Sheet, Trait
from rules.system import Opposes, System


def opposing_lines(rules: System, sheet: Sheet) -> list[Trait]:
    """The lines of a sheet that can stand against a roll; none where the game has no such obstacles."""
    rolls = rules.rolls
    if not isinstance(rolls, Opposes):
        return []
    usual = {kind.name for kind in rules.sheet.trait_kinds if not (kind.condition or kind.played or kind.drawn)}
    return [line for line in sheet.traits if line.kind in usual and rolls.may_oppose(line)]
