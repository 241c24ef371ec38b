"""The story point pool, and plot edits that it pays for (QW-90, QW-91)."""
from __future__ import annotations

from rules.systems.questworlds.edition import FIRST, Edition
from rules.values import BadMove

SESSION, DOWNTIME, GM = "session", "downtime", "gm"
REFRESHES = ((SESSION, "With each session"), (DOWNTIME, "With each downtime"), (GM, "When the GM says so"))


def back(each: int) -> str:
    """That the pool is full again, in words."""
    many = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}.get(each, str(each))
    return f"The story points are back: {many} for each player’s character."


def full(characters: int, each: int = 1) -> int:
    """The pool after a refresh: one for each player's character, or more where the campaign says so."""
    return characters * each


def burn(pool: int, number: int = 1) -> int:
    """The pool after so many points are burned; raises `BadMove` where there are not as many."""
    if number < 1:
        raise BadMove("Spend one point at least.", "story_points")
    if number > pool:
        left = "is 1 story point" if pool == 1 else f"are {pool} story points"
        raise BadMove(f"There {left} in the pool.", "story_points")
    return pool - number


def cost_of(level: str, edition: Edition = FIRST) -> int:
    """The story points that a plot edit takes (QW-91); raises `BadMove`."""
    edits = dict(edition.story_points.edits)
    if level not in edits:
        raise BadMove(f"Choose one of: {', '.join(edits)}.", "level")
    return edits[level]


def edit(pool: int, level: str, accepted: bool, edition: Edition = FIRST) -> int:
    """The pool after a plot edit; what the GM refuses costs nothing. Raises `BadMove`."""
    left = burn(pool, cost_of(level, edition))
    return left if accepted else pool
