"""What only some games have: an NPC becomes the follower of a character."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping

from rules.sheet import Sheet
from rules.values import Value


class TakesFollowers(ABC):
    """Sheet rules in which an NPC can become somebody's follower, by an action on the sheet of whom they follow."""

    follower_action: str

    @abstractmethod
    def as_follower(self, npc: Sheet) -> Mapping[str, Value]:
        """What the form of that action begins with for this NPC."""
