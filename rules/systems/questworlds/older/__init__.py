"""The older options of the appendix (QW-A1 to QW-A9): each is a setting of the campaign, off unless it is turned on."""
from rules.systems.questworlds.older.options import (
    BY_DEGREE,
    COMMUNITY_SCORES,
    DEGREES,
    FORTUNES,
    GROUP_OUTCOMES,
    LONG_TABLES,
    OPTIONS,
    OUTCOME_POINTS,
    SCORED_TABLES,
    STATES,
    turned_on,
)

__all__ = [
    "BY_DEGREE", "COMMUNITY_SCORES", "DEGREES", "FORTUNES", "GROUP_OUTCOMES", "LONG_TABLES", "OPTIONS",
    "OUTCOME_POINTS", "SCORED_TABLES", "STATES", "turned_on",
]
