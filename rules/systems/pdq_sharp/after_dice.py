"""Dice that lie and are not final yet, as pages draw them: each roll, and what could be added to it (PS-17)."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.moves import Die
from rules.procedure import Options
from rules.systems.pdq_sharp.reckoning import best_after
from rules.wording import percent


@dataclass(frozen=True, slots=True)
class Cast:
    """A roll as it lies: who, the dice, what is added, the total."""

    name: str
    dice: tuple[Die, ...]
    adds: str
    total: int

    @property
    def sum(self) -> str:
        """What it comes to, as one writes it."""
        return f"{self.adds} = {self.total}"


@dataclass(frozen=True, slots=True)
class Addition:
    """Something that can be added, the chance that it is enough, and that it is with all that can follow."""

    id: str
    label: str
    chance: Fraction
    with_more: Fraction

    @property
    def follows(self) -> str:
        """What it gives, beside the answer."""
        more = f", with more {percent(self.with_more)}" if self.with_more > self.chance else ""
        return f"enough: {percent(self.chance)}{more}"


def likeliest_first(ways: Options, kept: tuple[int, ...], needed: int, more: int) -> tuple[Addition, ...]:
    """Each way to add to dice of which these count and have to come to `needed`, where so many can be added in all."""
    rows = [Addition(what, label, *(best_after(what.partition("|")[2], kept, needed, after) for after in (0, more - 1)))
            for what, label in ways]
    return tuple(sorted(rows, key=lambda row: (-row.chance, -row.with_more)))
