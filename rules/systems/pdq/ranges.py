"""Range and movement in yards, for groups that want them (PQ-20)."""
from __future__ import annotations

from collections.abc import Iterable
from enum import Enum

from rules.systems.pdq.chart import Rank

FARTHEST = 1000  # the yards that a position may be from the middle


class Range(Enum):
    """How far apart two contestants are; the value is the last yard that still belongs to it."""

    NEAR = 1
    MIDDLING = 3
    FAR = 60
    TOO_FAR = None

    @property
    def word(self) -> str:
        """As a person says it: `too far`."""
        return self.name.lower().replace("_", " ")


def range_of(yards: int) -> Range:
    """The range of a distance. A distance on a border belongs to the nearer range.

    >>> range_of(3).word
    'middling'
    """
    for range_ in (Range.NEAR, Range.MIDDLING, Range.FAR):
        if abs(yards) <= range_.value:
            return range_
    return Range.TOO_FAR


def movement(qualities: Iterable[Rank]) -> int:
    """The yards of a whole round: 2, and twice the sum of the modifiers of every quality that helps; never below 0."""
    return max(0, 2 + 2 * sum(rank.modifier for rank in qualities))


def half_movement(qualities: Iterable[Rank]) -> int:
    """The yards of one's own turn, which are also those of reactions."""
    return movement(qualities) // 2
