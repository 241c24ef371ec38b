"""What comes back when a scene ends (PS-33)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.moves import Step
from rules.sheet import Damage, Effect, Sheet, Spend
from rules.system import SessionChange
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.reading import HITS, fortes
from rules.wording import join


def close_scene(sheets: Sequence[Sheet]) -> SessionChange:
    """Failure ranks all come back, and the next scene has a first hit of its own."""
    effects: list[Effect] = [
        Damage(each.id, -each.failures) for sheet in sheets for each in fortes(sheet) if each.failures]
    hurt = [f"{sheet.name} ({harm.ranks(lost, harm.FAILURE)})" for sheet in sheets
            if (lost := sum(each.failures for each in fortes(sheet)))]
    effects += [Spend(sheet.id, HITS, -sheet.pool(HITS)) for sheet in sheets if sheet.pool(HITS)]
    if not hurt:
        return SessionChange((Step("PS-33", "Nobody has failure ranks to recover from."),), tuple(effects))
    return SessionChange((Step("PS-33", f"All failure ranks come back: {join(hurt)}."),), tuple(effects))
