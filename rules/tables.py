"""Odds as a page shows them: tables that are always the same, and calculators for what a person sets."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.fields import Field


@dataclass(frozen=True, slots=True)
class Cell:
    """A chance, and what else the cell says."""

    chance: Fraction
    note: str = ""

    @property
    def percent(self) -> str:
        """The chance as people read it."""
        return percent(self.chance)


@dataclass(frozen=True, slots=True)
class Table:
    """A table of chances. Rows are (heading, cells), a cell for each column."""

    title: str
    lead: str
    rule: str
    across: str
    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[Cell, ...]], ...]


@dataclass(frozen=True, slots=True)
class OddsAnswer:
    """What a calculator answers: shares as (label, chance, tone) with tones good, fair and bad; and facts in words."""

    shares: tuple[tuple[str, Fraction, str], ...]
    facts: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Calculator:
    """Odds for what a person sets. `answer` takes the checked values of `fields`; it may raise `BadMove`."""

    name: str
    title: str
    lead: str
    fields: tuple[Field, ...]
    answer: Callable[[Mapping[str, Any]], OddsAnswer]


def decimal(number: Fraction, places: int = 1) -> str:
    """A fraction as a decimal, rounded half up: 7/3 is `2.3`. Whole arithmetic: the same on every machine."""
    scale = 10**places
    rounded = (2 * number.numerator * scale + number.denominator) // (2 * number.denominator)
    whole, part = divmod(abs(rounded), scale)
    sign = "−" if rounded < 0 else ""
    return f"{sign}{whole}.{part:0{places}d}"


def percent(chance: Fraction) -> str:
    """A chance as people read it, on every page the same; never 0 or 100 for what can happen or fail.

    >>> [percent(Fraction(ways, 400)) for ways in (0, 209, 245, 200, 400)]
    ['0 %', '52.3 %', '61.3 %', '50 %', '100 %']
    >>> percent(Fraction(1, 7776)), percent(Fraction(7775, 7776))
    ('under 0.1 %', 'over 99.9 %')
    """
    if 0 < chance < Fraction(1, 1000):
        return "under 0.1 %"
    if Fraction(999, 1000) < chance < 1:
        return "over 99.9 %"
    return f"{decimal(chance * 100)} %".replace(".0 %", " %")


def odds_in_words(chance: Fraction) -> str:
    """A chance exactly: `13 in 18`, and in words where nothing is left to chance.

    >>> [odds_in_words(Fraction(ways, 18)) for ways in (0, 13, 18)]
    ['never', '13 in 18', 'always']
    """
    if chance in (0, 1):
        return "always" if chance else "never"
    return f"{chance.numerator} in {chance.denominator}"
