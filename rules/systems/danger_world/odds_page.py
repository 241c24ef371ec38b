"""The page of odds: dice against heights, any pool, and what to keep of any throw (DW-17)."""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any

from rules.fields import Field, Whole
from rules.systems.danger_world.check import Check, CheckMove
from rules.systems.danger_world.goal import chance_of
from rules.systems.danger_world.hint import hint, outlook, pool_odds
from rules.systems.danger_world.play import MOST_DICE, colour_states
from rules.systems.danger_world.pool import ROUNDS, SIDES, Pool
from rules.systems.danger_world.reading import dice, rank_word
from rules.systems.danger_world.reckoning import by_number
from rules.tables import Calculator, Cell, OddsAnswer, Table
from rules.values import BadMove
from rules.wording import decimal

HEIGHTS = (2, 3, 4, 5, 6)
POOLS = tuple(range(2, 13))
MOST_AT_ONCE = 30_000  # states of two colours that a page can wait for
DIFFICULTY = Whole(name="difficulty", label="Difficulty", default=4, least=1, most=9)


@lru_cache(maxsize=1)
def tables() -> tuple[Table, ...]:
    """The chance to reach each height, by the number of dice; and the botches that come with it."""
    heads = tuple(f"{height}, {rank_word(height)}" for height in HEIGHTS)
    return (
        Table("Reaching a height", "The chance with two rounds of re-rolls, when you play for that height alone. "
              "Danger dice count like action dice, threat dice don’t.", "DW-17", "Height", heads,
              tuple((dice(number), tuple(Cell(chance_of(number, height)) for height in HEIGHTS)) for number in POOLS)),
        Table("With botches", "The same, and the botches to expect from your own dice.", "DW-06", "Height", heads,
              tuple((dice(number), tuple(_with_botches(number, height) for height in HEIGHTS))
                    for number in POOLS if number <= 10)),
    )


def _with_botches(number: int, height: int) -> Cell:
    seen = outlook(by_number(Pool(number), height))
    return Cell(seen.chance, f"{decimal(seen.botches)} botches")


def calculators() -> tuple[Calculator, ...]:
    """Any pool against any difficulty, and the dice that lie on a table."""
    shown: tuple[Field, ...] = tuple(
        Whole(name=f"show_{face}", label=f"Dice showing {face}", default=0, most=MOST_DICE)
        for face in range(1, SIDES + 1)
    )
    return (
        Calculator("pool", "Any pool", "Two rounds of best re-rolls.", (
            Whole(name="action", label="Action dice", default=6, most=24),
            Whole(name="danger", label="Danger dice", default=0, most=5),
            Whole(name="threat", label="Threat dice", default=0, most=12), DIFFICULTY), _pool),
        Calculator("keep", "What to keep", "The dice as they lie, without threat dice.",
                   (*shown, DIFFICULTY,
                    Whole(name="rounds", label="Re-rolls left", default=ROUNDS, most=ROUNDS)), _keep),
    )


def _pool(values: Mapping[str, Any]) -> OddsAnswer:
    known = by_number(Pool(values["action"], values["danger"], values["threat"]), values["difficulty"])
    pool, odds_answer = known.pool, pool_odds(known)
    if not pool.danger:
        return odds_answer
    if colour_states(pool.action, pool.danger) > MOST_AT_ONCE:
        return OddsAnswer(
            odds_answer.outcomes, (*odds_answer.facts, "How far the danger rises is worked out for fewer dice alone."))
    rise = CheckMove().odds(Check(pool, known.difficulty), "danger_increase")
    mean = sum((Fraction(int(value or 0)) * chance for value, chance in rise.items()), Fraction(0))
    return OddsAnswer(odds_answer.outcomes, (*odds_answer.facts, f"The danger rises by {decimal(mean, 2)} on average."))


def _keep(values: Mapping[str, Any]) -> OddsAnswer:
    faces = tuple(face for face in range(1, SIDES + 1) for _ in range(values[f"show_{face}"]))
    if not faces:
        raise BadMove("Enter the dice that are there.")
    if len(faces) > 24:
        raise BadMove("This is worked out for up to 24 dice.")
    advised = hint(faces, values["difficulty"], values["rounds"])
    kept = [str(faces[index]) for index in advised.keep]
    advice = f"Keep {', '.join(kept)}." if kept else "Keep none: roll them all again."
    outcomes = (("Accomplished", advised.chance, "good"), ("Not accomplished", 1 - advised.chance, "bad"))
    return OddsAnswer(outcomes, (advice, *(way.told(faces) for way in advised.ways)))
