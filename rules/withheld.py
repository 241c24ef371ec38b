"""Sheets of which some are only known by their face: odds that would count one of those can't be told."""
from __future__ import annotations

from collections.abc import Iterator, Mapping

from rules.sheet import Sheet


class NotKnown(Exception):
    """Odds count the numbers of somebody of whom whoever asks knows the face alone."""


class Withheld(Mapping[str, Sheet]):
    """The sheets, by id. Whoever reads one of the `faces` is told that its numbers are not known."""

    def __init__(self, sheets: Mapping[str, Sheet], faces: frozenset[str]) -> None:
        self._sheets, self._faces = sheets, faces

    def __getitem__(self, key: str) -> Sheet:
        if key in self._faces:
            raise NotKnown(key)
        return self._sheets[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._sheets)

    def __len__(self) -> int:
        return len(self._sheets)
