"""Throwing many dice and keeping the best."""
from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache
from math import comb

from rules.moves import Die

SIDES = 6


def best(faces: Sequence[int], keep: int) -> tuple[int, ...]:
    """The best faces, the highest first.

    >>> best([5, 1, 2, 5], 2)
    (5, 5)
    """
    return tuple(sorted(faces, reverse=True)[:keep])


def drawn(faces: Sequence[int], keep: int, role: str = "") -> tuple[Die, ...]:
    """The dice as they lie, those marked that count."""
    left = Counter(best(faces, keep))
    dice = []
    for face in faces:
        kept = left[face] > 0
        left[face] -= kept
        dice.append(Die(SIDES, face, role, kept))
    return tuple(dice)


@cache
def best_sums(dice: int, keep: int) -> dict[int, int]:
    """In how many of the `6 ** dice` throws the best `keep` dice come to each sum.

    From the highest face down: how many dice show it, and how many of those still find a place.
    """
    states: dict[tuple[int, int, int], int] = {(dice, keep, 0): 1}  # dice left, places left, sum: ways
    for face in range(SIDES, 0, -1):
        following: Counter[tuple[int, int, int]] = Counter()
        for (left, places, total), ways in states.items():
            for shown in [left] if face == 1 else range(left + 1):
                taken = min(shown, places)
                following[left - shown, places - taken, total + face * taken] += ways * comb(left, shown)
        states = following
    sums: Counter[int] = Counter()
    for (_, _, total), ways in states.items():
        sums[total] += ways
    return dict(sums)
