"""How somebody stands in a scene: who surrendered, escaped or fell unconscious in a fight of it is so until it ends, at
every roll and in every fight of the scene; who died is dead for good (PN-11).

*Ruling*: nobody unconscious rolls. Who surrendered or escaped may still roll, and is out of the next fight of the scene
until the GM brings them back.
"""
from __future__ import annotations

from collections.abc import Iterable

from rules.moves import Step
from rules.sheet import Effect, SetDead, Sheet, Spend
from rules.system import PoolKind
from rules.systems.pnc.combat import CombatStatus
from rules.wording import join

FIGHTING, DEAD = CombatStatus.FIGHTING.value, CombatStatus.DEAD.value
UNCONSCIOUS = CombatStatus.UNCONSCIOUS.value
IN_WORDS = {
    CombatStatus.SURRENDERED.value: "has surrendered", UNCONSCIOUS: "is unconscious",
    CombatStatus.ESCAPED.value: "has escaped",
}
POOLS = tuple(
    PoolKind(name, f"{name.capitalize()} in this scene", f"Whether someone {words}, until the scene ends.", "PN-11",
             sheets="none", of_scene=True, out=True)
    for name, words in IN_WORDS.items())


def standing_of(sheet: Sheet) -> str:
    """How somebody stands: `dead`, what a fight of this scene made of them, or `fighting`."""
    return DEAD if sheet.dead else next((name for name in IN_WORDS if sheet.pool(name)), FIGHTING)


def in_words(sheet: Sheet) -> str:
    """How somebody stands who is out of it until the scene ends, as a sentence; "" for all others."""
    words = IN_WORDS.get(standing_of(sheet))
    return f"{sheet.name} {words}, until the scene ends." if words else ""


def unable(sheet: Sheet) -> str:
    """Why somebody can't roll, as a sentence; "" for who can."""
    if sheet.dead:
        return f"{sheet.name} is dead."
    if standing_of(sheet) != UNCONSCIOUS:
        return ""
    return f"{in_words(sheet)} The GM can bring them round before: “Recover again”."


def stands(sheet: Sheet, standing: str) -> tuple[Effect, ...]:
    """What makes a sheet say that its owner stands so."""
    effects: list[Effect] = [
        Spend(sheet.id, name, (name == standing) - sheet.pool(name)) for name in IN_WORDS
        if sheet.pool(name) != (name == standing)]
    if sheet.dead != (standing == DEAD):
        effects.append(SetDead(sheet.id, standing == DEAD))
    return tuple(effects)


def back(sheets: Iterable[Sheet], why: str) -> tuple[Step, ...]:
    """That all who were out of it until now no longer are, as a step; none where nobody was."""
    names = [f"{sheet.name} ({standing_of(sheet)})" for sheet in sheets if standing_of(sheet) in IN_WORDS]
    return (Step("PN-11", f"{why} {join(names)} can act again."),) if names else ()
