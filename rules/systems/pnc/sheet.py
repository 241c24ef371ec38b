"""A PnC sheet: features and wounds in words, and mulligan points."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.procedure import ActResult, Offer
from rules.sheet import Budget, Sheet, TraitDraft
from rules.system import Settings, SheetRules
from rules.systems.pnc import character, debts, mulligans, sheet_actions, standing
from rules.systems.pnc.cast import CAST
from rules.values import Value


class PncSheet(SheetRules):
    trait_kinds = character.KINDS
    ready_made = CAST
    lasting = sheet_actions.ADD
    pools = (mulligans.POOL, *standing.POOLS, *debts.POOLS)

    def notation(self, kind: str, value: int) -> str:
        return character.notation(kind, value)

    def actions(self, sheet: Sheet, settings: Settings) -> tuple[Offer, ...]:
        return sheet_actions.offers(sheet)

    def act(self, sheet: Sheet, settings: Settings, action: str, given: Mapping[str, Value],
            faces: Sequence[int] = ()) -> ActResult[Any]:
        return sheet_actions.act(sheet, action, given, faces)

    def unable(self, sheet: Sheet) -> str:
        return standing.unable(sheet)

    def detail(self, sheet: Sheet, settings: Settings) -> str:
        """How they stand in the scene, where they are out of it, and what is owed in it."""
        return " ".join(filter(None, (standing.in_words(sheet), debts.in_words(sheet))))

    def budget(self, traits: Sequence[TraitDraft], settings: Settings) -> Budget:
        return character.budget(traits)

    def from_line(self, line: str) -> tuple[str, tuple[TraitDraft, ...]]:
        return character.quick(line)
