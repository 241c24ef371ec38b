"""Which lines of somebody can stand against a roll, and what they stand for there."""
from __future__ import annotations

from rules.sheet import Sheet, Trait
from rules.system import Opposes, Settings, System
from rules.values import Value


def opposing_lines(rules: System, sheet: Sheet) -> list[Trait]:
    """The lines of a sheet that can stand against a roll; none where the game has no such obstacles."""
    rolls = rules.rolls
    if not isinstance(rolls, Opposes):
        return []
    usual = {kind.name for kind in rules.sheet.trait_kinds if not (kind.condition or kind.played or kind.drawn)}
    return [line for line in sheet.traits if line.kind in usual and rolls.may_oppose(line)]


def strongest_lines(rules: System, settings: Settings, sheet: Sheet) -> list[Trait]:
    """The same, what is strongest first, with all that counts for it and against it."""
    rolls = rules.rolls
    if not isinstance(rolls, Opposes):
        return []
    return sorted(opposing_lines(rules, sheet), key=lambda line: -rolls.opposing_strength(line, sheet, settings))


def stands_for(rules: System, settings: Settings, sheet: Sheet, line: Trait) -> dict[str, Value]:
    """The fields of an obstacle that a line of a sheet answers under a campaign's settings; none where the game has no
    such obstacles."""
    rolls = rules.rolls
    if not isinstance(rolls, Opposes):
        return {}
    known = {field.name for field in rolls.obstacle}
    return {name: value for name, value in rolls.opposing_fields(line, sheet, settings).items() if name in known}
