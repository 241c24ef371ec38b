"""What may not go on beside something else: neither an act nor an undoing leads there."""
from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Generic, TypeVar

S = TypeVar("S")


class Excludes(ABC, Generic[S]):
    """A procedure that can't go on beside everything that goes on in the campaign."""

    @abstractmethod
    def stands_against(self, state: S) -> str:
        """Why one in this state, in what the campaign holds, can't go on, in a sentence; "" where it can, or rests."""
