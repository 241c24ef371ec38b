"""What a character starts with (DW-01)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.sheet import Budget, BudgetLine

PHYSICAL = ("agility", "endurance", "speed", "strength")
MENTAL = ("perception", "reasoning", "charisma", "cool")
STATS = PHYSICAL + MENTAL
LOWEST, HIGHEST = 1, 4
DICE_TO_SPREAD = 8
KNOWN_ASPECTS = 3


def budget(stats: Mapping[str, int], known_aspects: int) -> Budget:
    """What a builder says: eight dice over one in each stat, each from 1 to 4, and three primary aspects (DW-01)."""
    spent = sum(stats.get(name, LOWEST) - LOWEST for name in STATS)
    remarks = tuple(f"{name.capitalize()} goes from {LOWEST} to {HIGHEST}." for name in STATS
                    if not LOWEST <= stats.get(name, LOWEST) <= HIGHEST)
    unknown = tuple(f"There is no stat {name!r}." for name in stats if name not in STATS)
    return Budget((
        BudgetLine("Dice in stats", spent, DICE_TO_SPREAD),
        BudgetLine("Known aspects", known_aspects, KNOWN_ASPECTS),
    ), remarks + unknown)
