"""Odds as a page shows them: tables that are always the same, and calculators for what a person sets."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from rules.fields import Field
from rules.wording import percent


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
    """What a calculator answers: shares as (label, chance, tone) with tones good, fair and bad; and facts in words.

    `table` is what each outcome comes to, in words: its first row names the columns.
    """

    outcomes: tuple[tuple[str, Fraction, str], ...]
    facts: tuple[str, ...] = ()
    table: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class Calculator:
    """Odds for what a person sets. `answer` takes the checked values of `fields`; it may raise `BadMove`."""

    name: str
    title: str
    lead: str
    fields: tuple[Field, ...]
    answer: Callable[[Mapping[str, Any]], OddsAnswer]
