"""Challenges, their modifiers, what botches cost and what a setback takes to undo (DW-05 to DW-07, DW-09)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from rules.moves import Step
from rules.systems.danger_world.track import Hit

RANKS = {2: "minor", 3: "meaningful", 4: "significant", 5: "major", 6: "monumental"}
HEIGHTS = tuple(RANKS)
NET_MOST = 1
EASIEST = 1


@dataclass(frozen=True)
class Modifier:
    """A keyword of a challenge; `helps` says whether it speaks for this attempt (one lower) or against it."""

    keyword: str
    helps: bool


@dataclass(frozen=True)
class Rated:
    """A difficulty with its modifiers, why, and a warning ("" for none)."""

    difficulty: int
    steps: tuple[Step, ...]
    warning: str = ""


def rate(difficulty: int, modifiers: Sequence[Modifier]) -> Rated:
    """The difficulty of an attempt; a net of more than one is warned of, not refused (DW-09).

    *Ruling*: it ends at 1. Under that an attempt would be accomplished without a set.
    """
    net = sum(-1 if modifier.helps else 1 for modifier in modifiers)
    steps = tuple(
        Step("DW-09", f"{modifier.keyword} {'helps: one lower' if modifier.helps else 'hinders: one higher'}.")
        for modifier in modifiers)
    warning = f"The modifiers come to {abs(net)}; one is the most there should be." if abs(net) > NET_MOST else ""
    return Rated(max(EASIEST, difficulty + net), steps, warning)


@dataclass(frozen=True)
class Cost:
    """What the GM can buy for so many botches: something in the story, or what it does to the numbers."""

    botches: int
    story: str
    options: tuple[str, ...] = ()
    hit: Hit | None = None


DANGER_LEVEL, THREAT_DIE = "danger level", "threat die"
COSTS = {
    1: Cost(1, "A small worry", (DANGER_LEVEL, THREAT_DIE)),
    2: Cost(2, "A minor setback", ("reduced hit",), Hit.REDUCED),
    3: Cost(3, "A meaningful setback"),
    4: Cost(4, "A significant setback", ("full hit",), Hit.FULL),
    5: Cost(5, "A major setback"),
    6: Cost(6, "A monumental setback", ("overload hit",), Hit.OVERLOAD),
}
