"""Which older options there are. A contest keeps the names of those that it began with."""
from __future__ import annotations

from collections.abc import Mapping

from rules.fields import Field, Flag
from rules.values import Value

DEGREES = "degrees"
STATES, FORTUNES, BY_DEGREE = "states", "fortune", "by_degree"
OUTCOME_POINTS, SCORED_TABLES = "outcome_points", "scored_tables"
GROUP_OUTCOMES, LONG_TABLES = "group_outcomes", "long_tables"
COMMUNITY_SCORES = "community_scores"

OPTIONS = (
    (DEGREES, "Degrees of victory", "A victory or a defeat is marginal, minor, major or complete; with a stretch a "
                                    "victory is minor at best."),
    (OUTCOME_POINTS, "Outcome points in group contests", "The sides of a group simple contest are compared by points, "
                                                         "and story points may boost the outcome."),
    (SCORED_TABLES, "Tables for scored contests", "Rising action or climax says what each suffers or gains."),
    (GROUP_OUTCOMES, "Outcomes of groups in long contests", "The second best outcome of the winners is the group’s, or "
                                                            "the second worst of the losers."),
    (LONG_TABLES, "Tables for extended and chained contests", "The last total of points, or the results of a "
                                                              "round, say what state someone is in."),
    (STATES, "States of adversity", "Hurt, impaired, injured or dying in the place of a consequence. They add up, and "
                                    "lapse with time."),
    (FORTUNES, "States of fortune", "Fresh, pumped, invigorated or heroic in the place of a benefit."),
    (BY_DEGREE, "Healing and augments by degree", "The degree says how much is healed, or how much an augment adds. "
                                                  "Turns degrees of victory on."),
    (COMMUNITY_SCORES, "A community with scores", "Resources that are rolled with, wear out, and change from one "
                                                  "interval to the next."),
)
SETTINGS: tuple[Field, ...] = tuple(Flag(name=name, label=label, help=help) for name, label, help in OPTIONS)


def turned_on(values: Mapping[str, Value]) -> tuple[str, ...]:
    """The names of the options that these settings have turned on, with those that they take."""
    found = {name for name, *_ in OPTIONS if values.get(name) is True}
    if BY_DEGREE in found:
        found.add(DEGREES)
    return tuple(name for name, *_ in OPTIONS if name in found)
