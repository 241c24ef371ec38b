"""Two abilities at once, and uses that ask for a minimum (QW-26, QW-30)."""
from __future__ import annotations

import re
from dataclasses import dataclass

from rules.fields import Text
from rules.systems.questworlds.notation import read_either
from rules.values import BadMove, Value


def combined(first: int, second: int) -> int:
    """The score of two abilities that are needed together, before modifiers. *Ruling*: halves round down (QW-26).

    >>> combined(17, 14)
    15
    """
    return (first + second) // 2


@dataclass(frozen=True)
class Threshold:
    """A use of an ability that needs a score: its name and the least score for it."""

    name: str
    least: int


@dataclass(frozen=True, kw_only=True)
class Thresholds(Text):
    """The campaign's own: names with scores, between commas. Nothing where no use asks for a score."""

    symbol: str = "M"

    def check(self, value: Value) -> str:
        text = super().check(value)
        thresholds(text, self.symbol)
        return text


def thresholds(text: str, symbol: str = "M") -> tuple[Threshold, ...]:
    """What a campaign wrote; raises `BadMove` with the part that can't be read (QW-30).

    >>> thresholds("apprentice 15, master 1M2")
    (Threshold(name='apprentice', least=15), Threshold(name='master', least=41))
    """
    steps: list[Threshold] = []
    for part in filter(None, (" ".join(typed.split()) for typed in re.split(r"[,;\n]", text))):
        name, _, written = part.rpartition(" ")
        try:
            least = read_either(written, symbol)
        except BadMove:
            name, least = "", 0
        if not name or least < 1:
            raise BadMove(f"“{part}” is no name with a score. Write: apprentice 15, journeyman 5{symbol}.")
        if any(threshold.name.casefold() == name.casefold() for threshold in steps):
            raise BadMove(f"“{name}” is there twice. Keep one.")
        steps.append(Threshold(name, least))
    return tuple(steps)
