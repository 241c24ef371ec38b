"""Outcome points of a group: the table, the degree of the difference, what a boost costs, chances (QW-A2)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from fractions import Fraction

from rules.systems.questworlds.roll import Result

BY_LEVELS = (1, 2, 3, 5)  # for the winner, by how many levels the results differ
DEGREES = ((5, 4), (3, 3), (2, 2), (1, 1))  # from which difference on, which degree
COMPLETE = 4
PCS_A_POINT = 3
WORDS: Mapping[str, Result] = {result.word: result for result in Result}


def points_of(ours: Result, theirs: Result) -> int:
    """What the winner of such results scores; two fumbles score nothing."""
    return 0 if ours is theirs is Result.FUMBLE else BY_LEVELS[abs(ours - theirs)]


def scored(ours: str, theirs: str) -> int:
    """The same of results by their words. A victory that is assured is the least: nothing was rolled against it."""
    return points_of(WORDS[ours], WORDS[theirs]) if ours else BY_LEVELS[0]


def degree_by(difference: int) -> int:
    """The degree of so many points more, below 0 of so many fewer."""
    size = next((degree for least, degree in DEGREES if abs(difference) >= least), 0)
    return size if difference > 0 else -size


def boost_cost(pcs: int) -> int:
    """The story points that a boost costs so many player characters; a double boost costs twice that."""
    return -(-pcs // PCS_A_POINT)


def chances(fights: Iterable[Mapping[int, int]]) -> tuple[tuple[int, Fraction], ...]:
    """The chance of each degree for a whole group, the best first.

    In: of the contest of each, in how many throws it comes to how many points, below 0 those of the other side.
    """
    sums: Counter[int] = Counter({0: 1})
    whole = 1
    for fight in fights:
        whole *= sum(fight.values())
        after: Counter[int] = Counter()
        for had, ways in sums.items():
            for more, others in fight.items():
                after[had + more] += ways * others
        sums = after
    by_degree: Counter[int] = Counter()
    for difference, ways in sums.items():
        by_degree[degree_by(difference)] += ways
    return tuple((degree, Fraction(ways, whole)) for degree, ways in sorted(by_degree.items(), reverse=True))
