"""Which of the things that are done with a sheet belong to its making (QW-75, QW-81)."""
from __future__ import annotations

from rules.system import GrowthRules


class QuestWorldsGrowth(GrowthRules):
    apart = True
    advance = ("advance", "first_on")
    creation_actions = ("sidekick", "promote")
