"""Very many rolls of 2d6 are as even as chance makes them, and the test tells when they are not."""
from __future__ import annotations

from collections import Counter
from math import erfc, exp, pi, sqrt

from rules.dice import Throw
from tests.effort import tries

ROLLS = tries(500_000, 1_000_000)
PAIRS = 36
SIGNIFICANCE = 1e-6


class Biased(Throw):
    """The usual mistake: the remainder of a byte, with none passed over. 1 to 4 come up 43 times in 256, 5 and 6 42."""

    def _face(self, sides: int) -> int:
        return self._next() % sides + 1


def pairs(generator: type[Throw], rolls: int) -> Counter[tuple[int, ...]]:
    """How often each pair of faces came up; each roll is a throw of its own, as at a table.

    The secrets are fixed, so that the test says the same every time.
    """
    pairs_thrown: Counter[tuple[int, ...]] = Counter()
    sides, secret, seed = (6, 6), bytes(range(32)), bytes(32)
    for number in range(rolls):
        pairs_thrown[tuple(generator(secret=secret, campaign="fair", number=number, client_seed=seed).roll(sides))] += 1
    return pairs_thrown


def chance_of_worse(counts: Counter[tuple[int, ...]]) -> float:
    """How likely fair dice are to be at least as uneven: Pearson's chi-square over all 36 pairs, 35 degrees.

    For an odd number of degrees k the upper tail is exact in elementary terms:
    Q(x) = erfc(√(x/2)) + √(2x/π) e^(-x/2) (1 + x/3 + x²/(3·5) + … + x^((k-3)/2)/(3·5·…·(k-2))).
    """
    expected = counts.total() / PAIRS
    thrown = [counts[first, second] for first in range(1, 7) for second in range(1, 7)]
    assert sum(thrown) == counts.total(), "a face out of range"
    x = sum((count - expected) ** 2 for count in thrown) / expected
    term, terms = 1.0, 1.0
    for odd in range(3, PAIRS - 2, 2):
        term *= x / odd
        terms += term
    return erfc(sqrt(x / 2)) + sqrt(2 * x / pi) * exp(-x / 2) * terms


def test_the_tail_of_chi_square() -> None:
    """Against a printed table: 35 degrees are over 49.802 once in 20, over 66.619 once in a thousand."""
    for x, chance in ((49.802, 0.05), (66.619, 0.001)):
        # Counts with this x: one pair more, another less, by the same number.
        total = 36_000_000
        off = sqrt(x * total / PAIRS / 2)
        counts = Counter({(a, b): total // PAIRS for a in range(1, 7) for b in range(1, 7)})
        counts[1, 1] += round(off)
        counts[6, 6] -= round(off)
        assert abs(chance_of_worse(counts) / chance - 1) < 0.01


def test_very_many_fair_rolls() -> None:
    assert chance_of_worse(pairs(Throw, ROLLS)) > SIGNIFICANCE


def test_a_biased_generator_fails_the_same_test() -> None:
    assert chance_of_worse(pairs(Biased, ROLLS)) < SIGNIFICANCE
