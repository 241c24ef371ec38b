"""How hard an obstacle is: base resistance, ranks and their names (QW-03, QW-04)."""
from __future__ import annotations

from dataclasses import dataclass

from rules.systems.questworlds.notation import of_rank
from rules.values import BadMove

BASE = 14
LEAST = 6
RAISES = (3, 6, 9)  # what the base may rise by from one season to the next

# *Ruling*: moderate is rank 0, and each name is one rank from the next.
NAMES = ("rock-bottom", "tiny", "very low", "low", "moderate", "raised", "high", "very high", "huge", "extreme")
BY_NAME = {name: rank for rank, name in enumerate(NAMES, -NAMES.index("moderate"))}


def resistance(rank: int | str = 0, base: int = BASE) -> int:
    """The resistance of a rank, given as a number or by its name; never under 6. Raises `BadMove`.

    >>> resistance(), resistance("high"), resistance(-4), resistance(4)
    (14, 20, 6, 34)
    """
    if isinstance(rank, str):
        if rank not in BY_NAME:
            raise BadMove(f"Choose one of: {', '.join(NAMES)}.", "resistance")
        rank = BY_NAME[rank]
    return max(LEAST, base + of_rank(rank))


@dataclass(frozen=True)
class Progression:
    """The base resistance over the seasons of a campaign: where it began, and each rise in order."""

    first: int = BASE
    rises: tuple[int, ...] = ()

    @property
    def base(self) -> int:
        """The base resistance now."""
        return self.first + sum(self.rises)

    def next_season(self, rise: int = 0) -> Progression:
        """After a season; `rise` is 0, 3, 6 or 9. Raises `BadMove`."""
        if rise not in (0, *RAISES):
            raise BadMove("The base resistance stays, or rises by 3, 6 or 9.", "rise")
        return Progression(self.first, (*self.rises, rise))
