"""The master chart: five ranks, their modifiers and target numbers (PQ-01)."""
from __future__ import annotations

from enum import IntEnum
from typing import Union

from rules.fields import Choice, ChoiceOrWhole, Word
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
