"""The chance to reach a height when one plays for nothing else: fast and exact (DW-17).

Faces under the goal are all alike: they never help, so they are rolled again. What is left to know of a throw is how
many dice show each face from the goal up, and no more of a face h than h − 1: with h of them the goal is reached.
Dice are added one at a time, so that no throw is ever looked at whole.
"""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from itertools import product
from math import factorial

from rules.systems.danger_world.pool import ROUNDS, SIDES

Shown = tuple[int, ...]  # how many dice show each face, from the goal up


@dataclass(frozen=True)
class Plan:
    """What is best with some re-rolls left. `chances` are numerators of `whole`; `keep` is what to keep of a throw."""

    whole: int
    chances: dict[Shown, int]
    keep: dict[Shown, Shown]


def chance_of(count: int, goal: int, rounds: int = ROUNDS) -> Fraction:
    """The chance to make a set of the goal's height or over with so many dice and rounds of re-rolls.

    >>> chance_of(2, 2, rounds=0)
    Fraction(1, 36)
    """
    if goal > min(count, SIDES):
        return Fraction(0)
    plan = plan_for(count, goal, rounds)
    whole = SIDES**count
    open_ways = 0  # throws that do not reach the goal at once
    reached = 0
    for shown, chance in plan.chances.items():
        ways = _ways(count, goal, shown)
        open_ways += ways
        reached += ways * chance
    return Fraction(reached + (whole - open_ways) * plan.whole, whole * plan.whole)


def chance_from(faces: tuple[int, ...], goal: int, rounds: int) -> tuple[Fraction, Shown]:
    """The chance to reach the goal from dice on the table, and how many of each face from the goal up to keep."""
    shown = tuple(faces.count(face) for face in range(goal, SIDES + 1))
    if any(dice >= face for face, dice in enumerate(shown, goal)):
        return Fraction(1), shown
    if goal > min(len(faces), SIDES):
        return Fraction(0), shown
    plan = plan_for(len(faces), goal, rounds)
    return Fraction(plan.chances[shown], plan.whole), plan.keep[shown]


@lru_cache(maxsize=256)
def plan_for(count: int, goal: int, rounds: int) -> Plan:
    """The best play of so many dice, from every throw that has not reached the goal."""
    # A state shows at most h - 1 of a face h, and no more dice than there are. Lowest totals first: dropping a die
    # leads to an earlier state.
    states = sorted((shown for shown in product(*(range(face) for face in range(goal, SIDES + 1)))
                     if sum(shown) <= count), key=sum)
    if not rounds:
        return Plan(1, dict.fromkeys(states, 0), {shown: shown for shown in states})
    number = {shown: index for index, shown in enumerate(states)}
    after = plan_for(count, goal, rounds - 1)
    kept = _rolled(count, goal, states, number, after)
    whole = after.whole * SIDES**count
    best = [value * SIDES ** sum(shown) for value, shown in zip(kept, states, strict=True)]
    keep = list(states)
    for index, shown in enumerate(states):
        for at, dice in enumerate(shown):
            if dice:
                fewer = number[(*shown[:at], dice - 1, *shown[at + 1 :])]
                if best[fewer] > best[index]:
                    best[index], keep[index] = best[fewer], keep[fewer]
    return Plan(whole, dict(zip(states, best, strict=True)), dict(zip(states, keep, strict=True)))


def _rolled(count: int, goal: int, states: list[Shown], number: dict[Shown, int], after: Plan) -> list[int]:
    """For each state kept: the numerator, over `after.whole` and 6 for each die rolled, of reaching the goal."""
    # next_of[state]: the states that one die more may lead to; how many of its faces reach the goal at once.
    next_of: list[list[int]] = []
    reach: list[int] = []
    for shown in states:
        following, reached = [], 0
        for at, dice in enumerate(shown):
            if dice + 1 == goal + at:
                reached += 1
            elif sum(shown) < count:
                following.append(number[(*shown[:at], dice + 1, *shown[at + 1 :])])
        next_of.append(following)
        reach.append(reached)
    row = [after.chances[shown] for shown in states]
    sure = after.whole  # a goal that is reached stays reached
    faces = [0] * len(states)
    totals = [sum(shown) for shown in states]
    useless = goal - 1
    for rolled in range(count + 1):
        if rolled:
            # A state with too many dice for this many more is past `room` and is not asked for again.
            row = [useless * row[i] + reach[i] * sure + sum([row[j] for j in next_of[i]])
                   for i in range(len(states)) if totals[i] <= count - rolled]
            sure *= SIDES
        for i in range(len(row) - 1, -1, -1):
            if totals[i] != count - rolled:
                break
            faces[i] = row[i]
    return faces


def _ways(count: int, goal: int, shown: Shown) -> int:
    """How many throws of all dice show exactly this from the goal up."""
    others = count - sum(shown)
    ways: int = factorial(count) // factorial(others) * (goal - 1) ** others
    for number in shown:
        ways //= factorial(number)
    return ways
