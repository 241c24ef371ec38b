"""A pool of dice on the table, and what can be read off it: sets, botches, danger (DW-02 to DW-08)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

SIDES = 6
ROUNDS = 2  # of re-rolls, at most


@dataclass(frozen=True)
class Pool:
    """How many dice of each kind fall."""

    action: int
    danger: int = 0
    threat: int = 0

    @property
    def own(self) -> int:
        """The dice that may be rolled again and can form a set: action and danger dice, in this order."""
        return self.action + self.danger

    @property
    def all(self) -> int:
        """All dice of the first throw."""
        return self.own + self.threat

    def kind(self, index: int) -> str:
        """The kind of the die at this index: `action`, `danger` or `threat`."""
        return "action" if index < self.action else "danger" if index < self.own else "threat"


@dataclass(frozen=True)
class Table:
    """The faces that lie on the table in the end."""

    action: tuple[int, ...]
    danger: tuple[int, ...] = ()
    threat: tuple[int, ...] = ()

    @property
    def sets(self) -> tuple[int, ...]:
        """The heights of the sets that can be made, lowest first: a set of height h takes h dice showing h (DW-04)."""
        return sets_in(self.action + self.danger)

    def botches(self, height: int) -> int:
        """How many dice are botches when a set of this height is used, 0 for none (DW-06)."""
        own = sum(1 for face in self.action + self.danger if is_botch(face, height))
        return own + sum(1 for face in self.threat if is_botch(face, height, threat=True))

    def danger_used(self, height: int) -> int:
        """How many danger dice a set of this height takes; action dice go in first (DW-08)."""
        return max(0, height - self.action.count(height)) if height else 0


def sets_in(faces: Sequence[int]) -> tuple[int, ...]:
    """The heights that these dice can make a set of."""
    shown = Counter(faces)
    return tuple(height for height in range(1, SIDES + 1) if shown[height] >= height)


def is_botch(face: int, height: int, threat: bool = False) -> bool:
    """Whether a die is a botch under a used set of this height: a 1, one under the set, a threat die equal to it."""
    return face == 1 or face < height or (threat and face == height)


def height_of(counts: Sequence[int]) -> int:
    """The highest set where so many dice show 1, 2, .. 6; 0 where there is none."""
    return max((face for face, number in enumerate(counts, 1) if number >= face), default=0)


def botches_under(counts: Sequence[int], height: int) -> int:
    """How many of the dice showing 1, 2, .. 6, none of them a threat die, are botches under a set of this height."""
    return counts[0] + sum(counts[1 : height - 1]) if height > 2 else counts[0]


def bonus_dice(height: int, difficulty: int) -> int:
    """Bonus dice that a set leaves for later: what is over the difficulty, or all of a partial success (DW-05)."""
    return height - difficulty if height >= difficulty else height
