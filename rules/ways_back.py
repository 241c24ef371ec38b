"""What only some games have: an act or a contest that brings back whoever can't act."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field

from rules.sheet import Sheet


@dataclass(frozen=True)
class WayBack:
    """Where it is done: what its button says, the procedure's name, and what the form that starts one opens with."""

    label: str
    procedure: str
    act: str = ""  # of what goes on already: the act, and whose it is
    by: str = ""
    said: Mapping[str, str] = field(default_factory=dict)


class BringsBack(ABC):
    """Sheet rules in which something other than rest brings somebody back."""

    @abstractmethod
    def ways_back(self, sheet: Sheet) -> tuple[WayBack, ...]:
        """What there is for this character, the likeliest first; () for whoever can act."""

    def mending(self, sheet: Sheet, healer: Sheet) -> tuple[WayBack, ...]:
        """What a healer can try for this one, who is hurt, the gravest first."""
        return ()
