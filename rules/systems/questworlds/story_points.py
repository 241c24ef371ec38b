"""The story point pool, and plot edits that it pays for (QW-90, QW-91)."""
from __future__ import annotations

from rules.values import BadMove

EDITS = {"marginal": 1, "minor": 2, "major": 3}


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


def edit(pool: int, level: str, accepted: bool) -> int:
    """The pool after a plot edit; what the GM refuses costs nothing. Raises `BadMove`."""
    if level not in EDITS:
        raise BadMove(f"Choose one of: {', '.join(EDITS)}.", "level")
    left = burn(pool, EDITS[level])
    return left if accepted else pool
