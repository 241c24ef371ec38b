"""What a line of a PDQ sheet means: its rank at the moment, whether it can be used, what it can still lose."""
from __future__ import annotations

from collections.abc import Iterable

from rules.sheet import Sheet, Trait
from rules.systems.pdq.chart import Rank

STRENGTH, WEAKNESS = "strength", "weakness"


def usable(trait: Trait) -> bool:
    """Whether it can be applied: below poor it can't."""
    return trait.now >= Rank.POOR


def rank_of(trait: Trait) -> Rank:
    """Its rank at the moment, on the chart."""
    return Rank(max(Rank.POOR, min(Rank.MASTER, trait.now)))


def is_weakness(trait: Trait) -> bool:
    """Whether it is a weakness: a strength lowered by damage is none, one bought up to average no longer is (PQ-16)."""
    return trait.kind == WEAKNESS and trait.value < Rank.AVERAGE


def can_lose(trait: Trait) -> int:
    """How many ranks damage can take from it: down to one below poor."""
    return max(0, rank_of(trait) - Rank.POOR + 1) if usable(trait) else 0


def capacity(sheet: Sheet) -> int:
    """How much damage all the qualities of a sheet can take (PQ-16)."""
    return sum(can_lose(trait) for trait in sheet.traits)


def spare(sheet: Sheet) -> int:
    """How much damage a sheet can take with every quality still at poor or better (PQ-16)."""
    return sum(max(0, can_lose(trait) - 1) for trait in sheet.traits)


def best_rank(traits: Iterable[Trait]) -> Rank:
    """The highest rank among them that can be used; average where there is none."""
    return max((rank_of(trait) for trait in traits if usable(trait)), default=Rank.AVERAGE)
