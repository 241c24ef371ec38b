"""In how many throws an extended contest comes to which advantage points, counted for a whole row of them at once.

A row is what the player may have while the resistance has so much, as one number: as a number in tens has a place for
ones and one for hundreds, it has a place for each number of points, wide enough for all throws there can be. To give
everybody in it 3 points is one shift, and rows are added up as numbers are.
"""
from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

Points = tuple[int, int]
Moves = Callable[[int], Iterable[tuple[Points, int]]]  # by how much an exchange moves both, in how many throws
THROWS = 400
WIDTH = 9  # bits that an exchange adds at most to a number of throws


@dataclass(frozen=True)
class Tally:
    """The contests that go on, by what the resistance has left, and in how many throws others ended how."""

    rows: Mapping[int, int]
    place: int
    victory: int = 0
    defeat: int = 0
    tie: int = 0

    @property
    def going_on(self) -> int:
        """In how many throws neither side is out."""
        return sum(map(self._all_of, self.rows.values()))

    @property
    def size(self) -> int:
        """How many pairs of points are counted, with those that nobody has but that stand between others."""
        return sum(row.bit_length() for row in self.rows.values()) // self.place

    def after(self, moves: Moves) -> Tally:
        """The same after one exchange, whose moves depend on what the resistance has left at most."""
        rows: dict[int, int] = {}
        victory, defeat, tie = self.victory * THROWS, self.defeat * THROWS, self.tie * THROWS
        for theirs, row in self.rows.items():
            everyone = self._all_of(row)
            for (mine, other), times in moves(theirs):
                fallen = self._fallen(row, mine)
                if (left := theirs + other) <= 0:
                    victory += (everyone - fallen) * times
                    tie += fallen * times
                    continue
                defeat += fallen * times
                rows[left] = rows.get(left, 0) + self._standing(row, mine) * times
        return Tally(rows, self.place, victory, defeat, tie)

    def _standing(self, row: int, mine: int) -> int:
        """The row of those who still have points after so many more or fewer."""
        if mine >= 0:
            return row << self.place * mine
        return row >> self.place * (1 - mine) << self.place

    def _fallen(self, row: int, mine: int) -> int:
        """In how many throws of a row the player has none left after so many more or fewer."""
        return self._all_of(row & (1 << self.place * (1 - mine)) - 1) if mine < 0 else 0

    def _all_of(self, row: int) -> int:
        """What stands in all places together: the same rest as the row has, as with nines in tens."""
        return row % ((1 << self.place) - 1)


def begun(start: Points, exchanges: int) -> Tally:
    """A contest that goes on with these points, of which so many exchanges are to be counted."""
    place = WIDTH * exchanges + 1
    return Tally({start[1]: 1 << place * start[0]}, place)
