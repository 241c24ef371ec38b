"""What came of a roll, as one tells it later: Home and journals say it in a sentence, and not in steps of the rules."""
from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from rules.values import Value
from rules.wording import sentence, within

S = TypeVar("S")
BEAT = {"success": "beat", "failure": "failed against"}
WORDS = {"success": "succeeded", "failure": "failed", "tie": "tied"}


@dataclass(frozen=True)
class Came:
    """`success`, `failure` or `tie`, and by how much: `9 against 7`, "" where there is no more to say."""

    verdict: str
    by: str = ""

    def told(self, who: str, what: str, met: str = "") -> str:
        """A sentence; `met` is what the GM had put in the way.

        >>> Came("success", "9 against 7").told("Ilse", "Over the wall", "The wall")
        'Ilse beat the wall, 9 against 7: Over the wall.'
        """
        verb = f"{BEAT[self.verdict]} {within(met)}" if met and self.verdict in BEAT else WORDS[self.verdict]
        about = f": {what}" if what and what.casefold() != met.casefold() else ""
        return sentence(f"{who} {verb}{f', {self.by}' if self.by else ''}{about}")


class Tells(ABC):
    """Roll rules that say what came of a roll."""

    @abstractmethod
    def came(self, move: str, result: Mapping[str, Value]) -> Came | None:
        """What came of it; None where its entry's title says all."""


class TellsOfOne(ABC, Generic[S]):
    """Procedures in which one rolls, against what the GM has put in the way or against nothing."""

    @abstractmethod
    def came(self, state: S) -> tuple[str, Came] | None:
        """Who rolled, and what came of it, once it is over; None where the story says it better."""


def plain(result: Mapping[str, Value], by: str = "") -> Came | None:
    """What came of a roll whose result has a `success`."""
    return Came("success" if result["success"] else "failure", by) if "success" in result else None
