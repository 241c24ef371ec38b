"""Which older options there are. A contest keeps the names of those that it began with."""
from __future__ import annotations

from collections.abc import Mapping

from rules.values import Value

DEGREES = "degrees"
STATES, FORTUNES, BY_DEGREE = "states", "fortune", "by_degree"
OUTCOME_POINTS, SCORED_TABLES = "outcome_points", "scored_tables"
GROUP_OUTCOMES, LONG_TABLES = "group_outcomes", "long_tables"
COMMUNITY_SCORES = "community_scores"

# In the order in which a contest keeps those that are on.
OPTIONS = (DEGREES, OUTCOME_POINTS, SCORED_TABLES, GROUP_OUTCOMES, LONG_TABLES, STATES, FORTUNES, BY_DEGREE,
           COMMUNITY_SCORES)


def turned_on(values: Mapping[str, Value]) -> tuple[str, ...]:
    """The names of the options that these settings have turned on, with those that they take."""
    on = {name for name in OPTIONS if values.get(name) is True}
    if BY_DEGREE in on:
        on.add(DEGREES)
    return tuple(name for name in OPTIONS if name in on)
