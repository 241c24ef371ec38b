"""How a fight goes on and ends, and the points that let a player roll again (PN-09, PN-11)."""
from __future__ import annotations

from enum import Enum

from rules.values import BadMove

MULLIGANS = 3  # a session, where the campaign's setting says nothing else


class CombatStatus(Enum):
    """Where a combatant stands. Only who is fighting keeps the fight going."""

    FIGHTING = "fighting"
    SURRENDERED = "surrendered"
    UNCONSCIOUS = "unconscious"
    DEAD = "dead"
    ESCAPED = "escaped"


def after_first_d20(points: int, face: int) -> int:
    """Mulligans after a d20 as it fell first: one more for a 20, one less for a 1, never below 0 (PN-09)."""
    return max(0, points + (face == 20) - (face == 1))


def spend_mulligan(points: int) -> int:
    """Mulligans left once one is spent, which comes before the new dice; raises `BadMove` at 0 (PN-09)."""
    if points < 1:
        raise BadMove("There is no mulligan point left.", "mulligans")
    return points - 1
