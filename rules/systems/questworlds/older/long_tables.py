"""What a long contest comes to by the tables: rising action, climax, advantage points, states (QW-A3, QW-A5).

A state is its place among the states of adversity; 5 is dead, 0 none. A degree is as in `degrees.py`.
"""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from rules.systems.questworlds.chained import conceding, penalty, worn
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.older.degrees import BOTH_FUMBLE
from rules.systems.questworlds.roll import Clash

HURT, IMPAIRED, INJURED, DYING, DEAD = 1, 2, 3, 4, 5
FRESH, PUMPED, INVIGORATED, HEROIC = 1, 2, 3, 4
MARGINAL, MINOR, MAJOR, COMPLETE = 1, 2, 3, 4
MOST_STATES = 2000  # of a contest whose chances are told


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: what the loser suffers; what the winner gains, or suffers below 0; how clear it is."""

    loser: int
    winner: int
    degree: int


# By the difference in resolution points.
RISING: Mapping[int, Row] = {
    1: Row(HURT, -HURT, MARGINAL), 2: Row(HURT, FRESH, MARGINAL), 3: Row(IMPAIRED, PUMPED, MINOR),
    4: Row(IMPAIRED, PUMPED, MINOR), 5: Row(INJURED, INVIGORATED, MAJOR), 6: Row(INJURED, INVIGORATED, MAJOR),
    7: Row(DYING, HEROIC, COMPLETE), 8: Row(DEAD, HEROIC, COMPLETE), 9: Row(DEAD, HEROIC, COMPLETE)}
# By all the resolution points that were scored against one, at a climax; dazed (1) is no state that lasts.
CLIMAX = (0, 0, HURT, HURT, IMPAIRED, IMPAIRED, INJURED, INJURED, DYING, DEAD)
# By the loser's final advantage points: from so many downwards.
EXTENDED = ((-31, Row(DYING, HEROIC, COMPLETE)), (-21, Row(INJURED, INVIGORATED, MAJOR)),
            (-11, Row(IMPAIRED, PUMPED, MINOR)), (0, Row(HURT, FRESH, MARGINAL)))


def rising(difference: int) -> Row | None:
    """The row for so many points more than the other has; None for as many."""
    return RISING[min(9, abs(difference))] if difference else None


def climax(against: int) -> int:
    """The state of adversity that so many points against one bring."""
    return CLIMAX[max(0, min(9, against))]


def extended(final: int) -> Row | None:
    """The row for the loser's final total; None while points are left."""
    return next((row for most, row in EXTENDED if final <= most), None)


def in_chain(levels: int, had: Sequence[int]) -> int:
    """The state that the loser of a round is in, who had these before in this contest."""
    if levels == 0:
        return HURT
    if levels >= 3 or INJURED in had:
        return DYING
    return INJURED if levels == 2 or HURT in had else HURT


def unharmed(clash: Clash) -> bool:
    """Whether a round harms nobody: a tie, or two fumbles."""
    return not clash.lead or clash.results == BOTH_FUMBLE


@lru_cache(maxsize=4096)
def _leads(terms: Terms) -> tuple[tuple[int, int, int], ...]:
    """In how many throws which side leads by how many levels; where nobody is harmed it is left out."""
    found: Counter[tuple[int, int]] = Counter()
    for ours, theirs, ways in terms.clash((1, 1)).throws():
        clash = terms.clash((ours, theirs))
        if not unharmed(clash):
            found[clash.lead, clash.levels] += ways
    return tuple((lead, levels, ways) for (lead, levels), ways in found.items())


def to_win(terms: Terms, ours: tuple[int, ...], theirs: tuple[int, ...]) -> Fraction | None:
    """The first side's chance to win a chained contest by its table, as `chained.to_win` without it."""
    known: dict[tuple[tuple[int, ...], tuple[int, ...]], Fraction | None] = {}

    def wins(one: tuple[int, ...], other: tuple[int, ...]) -> Fraction | None:
        if DYING in one or DYING in other:
            return Fraction(DYING in other)
        if (one, other) not in known:
            known[one, other] = further(one, other) if len(known) < MOST_STATES else None
        return known[one, other]

    def further(one: tuple[int, ...], other: tuple[int, ...]) -> Fraction | None:
        now = worn(terms, penalty(one, True, terms.edition), penalty(other, True, terms.edition))
        if any(beaten := conceding(now)):
            return Fraction(not beaten[0])
        total, moves = Fraction(0), 0
        for lead, levels, ways in _leads(now):
            more = (one, _and(other, levels)) if lead > 0 else (_and(one, levels), other)
            if (chance := wins(*more)) is None:
                return None
            total, moves = total + chance * ways, moves + ways
        return total / moves if moves else None

    return wins(tuple(sorted(ours)), tuple(sorted(theirs)))


def _and(had: tuple[int, ...], levels: int) -> tuple[int, ...]:
    return tuple(sorted((*had, in_chain(levels, had))))
