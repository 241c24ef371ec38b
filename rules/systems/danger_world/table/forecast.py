"""The exact odds of a pool before it is rolled (DW-17)."""
from __future__ import annotations

from fractions import Fraction

from rules.systems.danger_world.goal import chance_of
from rules.systems.danger_world.hint import outlook
from rules.systems.danger_world.play import MOST_DICE
from rules.systems.danger_world.pool import Pool
from rules.systems.danger_world.reading import rank_word
from rules.tables import OddsAnswer
from rules.wording import decimal, percent


def pool_odds(pool: Pool, difficulty: int) -> OddsAnswer:
    """The exact odds of a pool: each height under best play toward the difficulty, and the botches to expect."""
    if pool.own > MOST_DICE:
        chance = chance_of(pool.own, difficulty)
        return OddsAnswer((("Accomplished", chance, "good"), ("Not accomplished", 1 - chance, "bad")),
                        (f"With more than {MOST_DICE} dice only this is worked out.",))
    seen = outlook(pool, difficulty)
    outcomes = []
    for height in (6, 5, 4, 3, 2, 1):
        if chance := seen.heights.get(height, Fraction(0)):
            tone = "good" if height >= difficulty else "fair"
            word = rank_word(height) if height > 1 else "one die showing 1"
            outcomes.append((f"Height {height}, {word}", chance, tone))
    outcomes.append(("No set", seen.heights.get(None, Fraction(0)), "bad"))
    facts = (f"{percent(seen.chance)} to accomplish it, if you re-roll as best you can.",
             f"{decimal(seen.botches, 2)} botches on average.")
    return OddsAnswer(tuple(outcomes), facts)
