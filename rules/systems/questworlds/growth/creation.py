"""Which of the things that are done with a sheet belong to its making (QW-75, QW-81)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.sheet import Sheet
from rules.system import GrowthRules, MadeAdvance
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.growth.advances import made_of
from rules.systems.questworlds.growth.terms import GrowthTerms
from rules.values import Value


class QuestWorldsGrowth(GrowthRules):
    """By the numbers of an edition."""

    apart = True
    advance = ("advance", "first_on")
    creation_actions = ("sidekick", "promote")

    def __init__(self, edition: Edition) -> None:
        self._edition = edition

    def advance_of(self, sheet: Sheet, used: Sequence[str], settings: Mapping[str, Value]) -> MadeAdvance | None:
        return made_of(sheet, used, GrowthTerms.of(settings, self._edition))
