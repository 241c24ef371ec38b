"""Exact chances of a roll before it, with whatever has fallen already (PN-02 to PN-06)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache

from rules.odds import chances
from rules.systems.pnc.dice import BANDS, WORST, Roll, band_of, d6_ways, d20_ways, opened
from rules.systems.pnc.standard_roll import BACKFIRES_FROM, DAMAGE, damage_of
from rules.tables import OddsAnswer

Forecasts = tuple[tuple[str, OddsAnswer], ...]
Outcome = tuple[str, Fraction, str]

ALL_BANDS = (*(word for _, word in BANDS), WORST)
TONES = dict(zip(ALL_BANDS, ("good",) * 4 + ("fair",) + ("bad",) * 4, strict=True))


@dataclass(frozen=True)
class Spread:
    """The chances of each (first face of the d20, degree)."""

    ways: Mapping[tuple[int, int], Fraction]

    @cached_property
    def success(self) -> Fraction:
        """A 20 always, a 1 never, else over the three dice."""
        return self._sum(lambda first, degree: first == 20 or (first != 1 and degree > 0))

    @cached_property
    def bands(self) -> dict[str, Fraction]:
        """The chance of each of the nine bands, from the best down."""
        likely = dict.fromkeys(ALL_BANDS, Fraction(0))
        for (_, degree), chance in self.ways.items():
            likely[band_of(degree)] += chance
        return likely

    def better(self, degree: int) -> Fraction:
        """The chance of a greater degree."""
        return self._sum(lambda _, reached: reached > degree)

    def worse(self, degree: int) -> Fraction:
        """The chance of a smaller one."""
        return self._sum(lambda _, reached: reached < degree)

    def plain(self) -> tuple[Outcome, ...]:
        """Success and failure, as a bar shows them."""
        return (("Success", self.success, "good"), ("Failure", 1 - self.success, "bad"))

    def by_band(self) -> tuple[Outcome, ...]:
        """The bands that can come, as a bar shows them."""
        return tuple((band.capitalize(), likely, TONES[band]) for band, likely in self.bands.items() if likely)

    @cached_property
    def hits(self) -> tuple[Outcome, ...]:
        """Each size of hit, from the worst down."""
        return tuple((word.capitalize(), self._hits(word), "good") for _, word in DAMAGE)

    @cached_property
    def misses(self) -> tuple[Outcome, ...]:
        """A miss, and one by so much that it may hurt the attacker: two outcomes, of which one comes (PN-06)."""
        worse = self._sum(lambda _, degree: degree <= BACKFIRES_FROM)
        miss = 1 - worse - sum((likely for _, likely, _ in self.hits), Fraction(0))
        return ("Miss", miss, "fair"), ("May hurt the attacker", worse, "bad")

    def as_attack(self) -> tuple[Outcome, ...]:
        """What an attack may do, as a bar shows it: with the hits that can come."""
        return (*(hit for hit in self.hits if hit[1]), *self.misses)

    def _hits(self, word: str) -> Fraction:
        return self._sum(lambda _, degree: damage_of(degree) == word)

    def _sum(self, wanted: Callable[[int, int], bool]) -> Fraction:
        return sum((chance for at, chance in self.ways.items() if wanted(*at)), Fraction(0))


def spread(
    roll: Roll, *, d20: tuple[int, int | None] | None = None, d6: int | None = None
) -> Spread:
    """The chances of a roll; `d20` (first face and what followed) or `d6` (the sum that counts) may have fallen."""
    return _spread(roll.open_ended, roll.net, d20, d6)


@lru_cache(maxsize=256)
def _spread(open_ended: bool, net: int, d20: tuple[int, int | None] | None, d6: int | None) -> Spread:
    """Reckoned once for the same dice: each page with a roll on it asks, for each act and viewer."""
    twenties = {(d20[0], opened(*d20)): 1} if d20 else d20_ways(open_ended)
    sixes = {d6: 1} if d6 is not None else d6_ways(net)
    ways: Counter[tuple[int, int]] = Counter()
    for (first, total), chance in twenties.items():
        for sum_, likely in sixes.items():
            ways[first, total - sum_] += chance * likely
    return Spread(chances(ways))


def exchange(against: str, chances: Spread, *, harmless: bool = False) -> Forecasts:
    """What an attack may do, as one bar; an opposed roll, which hurts nobody, only succeeds or fails."""
    return ((against, OddsAnswer(chances.plain() if harmless else chances.as_attack())),)


def both_readings(chances: Spread, whose: str) -> Forecasts:
    """The plain success and the bands of a standard roll."""
    return ((whose, OddsAnswer(chances.plain())), ("By degree", OddsAnswer(chances.by_band())))
