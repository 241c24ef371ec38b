"""What is so in a downtime at one moment."""
from __future__ import annotations

from dataclasses import dataclass, field

from rules.systems.questworlds.downtime.events import Rested


@dataclass(frozen=True)
class State:
    """`said` is how each spends the time, in the order in which they said it last."""

    rested: Rested = field(default_factory=lambda: Rested((), (), False, 1))
    said: tuple[tuple[str, str], ...] = ()
    over: bool = False
    counts: bool = True

    def words(self, who: str) -> str:
        """What somebody said last."""
        return dict(self.said).get(who, "")
