"""What best play would do now, and what a pool promises before it is thrown (DW-17)."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from rules.odds import chances, mean
from rules.systems.danger_world.check import Check, CheckMove, botch_ways
from rules.systems.danger_world.goal import chance_from, chance_of
from rules.systems.danger_world.play import MOST_DICE, Counts, courses, kept_of
from rules.systems.danger_world.pool import SIDES, Pool
from rules.systems.danger_world.reading import rank_word
from rules.systems.danger_world.reckoning import Terms
from rules.tables import OddsAnswer
from rules.wording import decimal, percent


@dataclass(frozen=True)
class Way:
    """One way on, by its name: the indices of the dice that are kept, and what best play makes of it on average."""

    name: str
    keep: tuple[int, ...]
    chance: Fraction
    height: Fraction
    botches: Fraction

    def told(self, faces: Sequence[int]) -> str:
        """`Spare botches, roll 2 again: 100% to accomplish it, height 3, 0.33 botches.`"""
        again = [str(face) for index, face in enumerate(faces) if index not in self.keep]
        todo = f", roll {', '.join(again)} again" if again else ""
        return (f"{self.name}{todo}: {percent(self.chance)} to accomplish it, height {decimal(self.height, 2)}, "
                f"{decimal(self.botches, 2)} botches.")


@dataclass(frozen=True)
class Hint:
    """The indices of the dice to keep, the exact chance to reach the difficulty from here, and the ways on to compare.

    There is nothing to compare with over 16 dice, nor without a re-roll left.
    """

    keep: tuple[int, ...]
    chance: Fraction
    ways: tuple[Way, ...] = ()


def hint(dice: Sequence[int], difficulty: int, rounds_left: int) -> Hint:
    """Which dice to keep; `dice` are the action dice and then the danger dice.

    >>> hint([4, 4, 4, 2, 1], 4, 1).keep
    (0, 1, 2)
    """
    faces = tuple(dice)
    chance, shown = chance_from(faces, difficulty, rounds_left)
    if not rounds_left:
        return Hint(tuple(range(len(faces))), chance)
    if len(faces) <= MOST_DICE:
        best, kept, spare, reach = courses(faces, difficulty, rounds_left)
        # What comes to the same is called by what one is after: the difficulty first, once it is reached fewer botches.
        after = {"Spare botches": spare, "Reach higher": reach} if kept.chance == 1 else {
            "Reach higher": reach, "Spare botches": spare}
        ways: dict[Counts, Way] = {}
        for name, way in {"Keep all": kept, **after}.items():
            ways.setdefault(way.keep, Way(name, kept_of(faces, way.keep), way.chance, way.height, way.botches))
        return Hint(kept_of(faces, best.keep), chance, tuple(ways.values()))
    # So many dice are only weighed for the difficulty: what does not serve it is rolled again.
    return Hint(kept_of(faces, (*(0,) * (difficulty - 1), *shown)), chance)


@dataclass(frozen=True)
class Outlook:
    """What a pool promises: the difficulty's chance, that of each set used (None: no set), the mean of botches."""

    chance: Fraction
    heights: dict[int | None, Fraction]
    botches: Fraction


def outlook(known: Terms) -> Outlook:
    """The chances of a check on these terms, under best play; raises `BadMove` over 16 dice."""
    pool, difficulty = known.pool, known.difficulty
    spread = CheckMove().odds(Check(pool, difficulty), "set")
    heights = {None if height is None else int(height): chance for height, chance in spread.items()}
    return Outlook(chance_of(pool.own, difficulty), heights, mean(chances(botch_ways(pool, difficulty))))


def reach(pool: Pool) -> dict[int, Fraction]:
    """For each difficulty from 2 to 6: the chance to reach it when one plays for it."""
    return {difficulty: chance_of(pool.own, difficulty) for difficulty in range(2, SIDES + 1)}


def pool_odds(known: Terms) -> OddsAnswer:
    """The exact odds of a check on these terms: each height under best play, and the botches to expect."""
    pool, difficulty = known.pool, known.difficulty
    if pool.own > MOST_DICE:
        chance = chance_of(pool.own, difficulty)
        return OddsAnswer((("Accomplished", chance, "good"), ("Not accomplished", 1 - chance, "bad")),
                        (f"With more than {MOST_DICE} dice only this is worked out.",))
    seen = outlook(known)
    outcomes = []
    for height in (6, 5, 4, 3, 2, 1):
        if chance := seen.heights.get(height, Fraction(0)):
            tone = "good" if height >= difficulty else "fair"
            word = rank_word(height) if height > 1 else "one die showing 1"
            outcomes.append((f"Height {height}, {word}", chance, tone))
    outcomes.append(("No set", seen.heights.get(None, Fraction(0)), "bad"))
    facts = (f"{percent(seen.chance)} to accomplish it with the best re-rolls.",
             f"{decimal(seen.botches, 2)} botches on average.")
    return OddsAnswer(tuple(outcomes), facts)
