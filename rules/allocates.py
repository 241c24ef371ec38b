"""Session rules of a game in which players place damage, and what a recovery roll gives, on lines of a sheet."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence

from rules.sheet import Effect, NewAllocation, Sheet, Trait
from rules.values import Value


class Allocates(ABC):
    """Session rules in which a player places damage, and what a recovery roll gives, on lines of the sheet."""

    recovery: str  # the move that a recovery roll is
    damage_help: str = ""  # what is read where damage is spread; `{name}` is the character

    def lines(self, sheet: Sheet, type: str) -> Sequence[Trait]:
        """The lines that something of this type can be placed on, or that count for a recovery `roll`."""
        return sheet.traits

    @abstractmethod
    def healing(self, lines: Sequence[Trait]) -> dict[str, Value]:
        """What a recovery roll takes where these lines bear on it; raises `BadMove`."""

    @abstractmethod
    def recovered(self, sheet: Sheet, values: Mapping[str, Value]) -> NewAllocation | None:
        """What a recovery roll's result (`values`) gives a character to place; None where there is nothing."""

    @abstractmethod
    def place(self, sheet: Sheet, type: str, amount: int, spread: Mapping[str, int]) -> tuple[Effect, ...]:
        """The effects of placing so much on the lines of a sheet, by trait id; raises `BadMove`."""
