"""The plain values that moves are written in, and the sentence that says what is wrong with one."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Union

# What a move, an outcome or a trail entry may hold. No floats: two machines must write the same bytes.
Value = Union[None, bool, int, str, Sequence["Value"], Mapping[str, "Value"]]


class BadMove(ValueError):
    """A move that can't be made. `field` is where, in dots (`defender.qualities.1`); the text says what to do."""

    def __init__(self, sentence: str, field: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.field = field

    def inside(self, name: str | int) -> BadMove:
        """The same complaint, seen from one level further out."""
        return BadMove(self.sentence, f"{name}.{self.field}" if self.field else str(name))

    def __str__(self) -> str:
        return f"{self.field}: {self.sentence}" if self.field else self.sentence
