"""The master chart: five ranks, their modifiers and target numbers (PQ-01); and what a line of a sheet means by it: its
rank at the moment, whether it can be used, what it can still lose."""
from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Union

from rules.fields import Choice, ChoiceOrWhole, Word
from rules.sheet import Sheet, Trait
from rules.values import Value


class Rank(IntEnum):
    """How good a quality is; a step is a rank."""

    POOR = -1
    AVERAGE = 0
    GOOD = 1
    EXPERT = 2
    MASTER = 3

    @property
    def word(self) -> str:
        """As a person says it: `good`."""
        return self.name.lower()

    @property
    def modifier(self) -> int:
        """What it adds to a roll."""
        return 2 * self

    @property
    def target(self) -> int:
        """The target number of a task of this rank."""
        return 7 + 2 * self

    @property
    def notation(self) -> str:
        """As a sheet writes it: `Good [+2]`."""
        sign = "−" if self.modifier < 0 else "+" if self.modifier else ""
        return f"{self.word.capitalize()} [{sign}{abs(self.modifier)}]"


WORDS = {rank.word: rank for rank in Rank}
TASKS = {
    Rank.POOR: "trivial", Rank.AVERAGE: "straightforward", Rank.GOOD: "complex", Rank.EXPERT: "intricate",
    Rank.MASTER: "extreme",
}


class RankField(Choice):
    """A rank, given by its word."""

    def check(self, value: Value) -> Rank:  # type: ignore[override]
        return WORDS[super().check(value)]


def rank_field(name: str, label: str) -> RankField:
    """A field for one rank."""
    return RankField(name=name, label=label, options=tuple((rank.word, rank.notation) for rank in Rank))


class DifficultyField(ChoiceOrWhole):
    """A difficulty: a rank's word, or a target number as it stands."""

    def check(self, value: Value) -> Union[Rank, int]:
        checked: Union[str, int] = super().check(value)
        return WORDS[checked] if isinstance(checked, str) else checked


def difficulty_field(name: str = "difficulty") -> DifficultyField:
    """A field for a difficulty."""
    options = tuple((rank.word, f"{TASKS[rank].capitalize()}, {rank.word}: {rank.target}") for rank in Rank)
    return DifficultyField(
        name=name, label="Difficulty", help="Choose a rank or enter a target number.", options=options,
        number_label="Target number", word=Word.GM,
    )


STRENGTH, WEAKNESS = "strength", "weakness"


def usable(trait: Trait) -> bool:
    """Whether it can be applied: below poor it can't."""
    return trait.now >= Rank.POOR


def rank_of(trait: Trait) -> Rank:
    """Its rank at the moment, on the chart."""
    return Rank(max(Rank.POOR, min(Rank.MASTER, trait.now)))


def is_weakness(trait: Trait) -> bool:
    """Whether it is a weakness: a strength lowered by damage is none, one bought up to average no longer is (PQ-16)."""
    return trait.kind == WEAKNESS and trait.value < Rank.AVERAGE


def can_lose(trait: Trait) -> int:
    """How many ranks damage can take from it: down to one below poor."""
    return max(0, rank_of(trait) - Rank.POOR + 1) if usable(trait) else 0


def capacity(sheet: Sheet) -> int:
    """How much damage all the qualities of a sheet can take (PQ-16)."""
    return sum(can_lose(trait) for trait in sheet.traits)


def spare(sheet: Sheet) -> int:
    """How much damage a sheet can take with every quality still at poor or better (PQ-16)."""
    return sum(max(0, can_lose(trait) - 1) for trait in sheet.traits)


def best_rank(traits: Iterable[Trait]) -> Rank:
    """The highest rank among them that can be used; average where there is none."""
    return max((rank_of(trait) for trait in traits if usable(trait)), default=Rank.AVERAGE)
