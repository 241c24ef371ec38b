"""Two abilities at once, and uses that ask for a minimum (QW-26, QW-30)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.systems.questworlds.notation import notation
from rules.values import BadMove


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


# What a campaign begins with; it sets its own.
THRESHOLDS = (Threshold("apprentice", 15), Threshold("journeyman", 25), Threshold("master", 41))


def may_try(score: int, name: str, thresholds: Sequence[Threshold] = THRESHOLDS) -> bool:
    """Whether a score is enough to try a use of this name (QW-30); raises `BadMove` for a name that is not set."""
    return score >= _threshold(name, thresholds).least


def check_threshold(score: int, name: str, thresholds: Sequence[Threshold] = THRESHOLDS) -> None:
    """Raises `BadMove` with what is missing where a score is not enough (QW-30)."""
    least = _threshold(name, thresholds).least
    if score < least:
        raise BadMove(f"This takes a score of {notation(least)}; the ability has {notation(score)}.", "ability")


def _threshold(name: str, thresholds: Sequence[Threshold]) -> Threshold:
    for each in thresholds:
        if each.name == name:
            return each
    raise BadMove(f"There is no threshold {name!r}.", "threshold")
