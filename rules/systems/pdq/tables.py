"""The tables of chances, exact: tests, and attacks against a reaction (PQ-21)."""
from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from rules.odds import chances, sum_of_dice
from rules.systems.pdq.attack import Strike, strike
from rules.systems.pdq.chart import Rank
from rules.systems.pdq.roll import Side


@dataclass(frozen=True)
class Exchange:
    """How an attack may end: the chances that add up to one, and the mean damage of a higher roll (None: never)."""

    higher: Fraction
    tie: Fraction
    lower: Fraction
    mean_damage: Fraction | None


def success(modifier: int, target: int, dice: int = 2) -> Fraction:
    """The chance that so many dice and the modifier reach the target number.

    >>> success(2, 9)
    Fraction(7, 12)
    """
    odds = chances(sum_of_dice(dice, 6))
    return sum((chance for total, chance in odds.items() if total + modifier >= target), Fraction(0))


def test_table() -> dict[Rank, dict[Rank, Fraction]]:
    """The chance of success for each rank (rows) against each difficulty."""
    return {rank: {hard: success(rank.modifier, hard.target) for hard in Rank} for rank in Rank}


def exchange(move: Strike) -> Exchange:
    """The chances of any attack: a hit on a reaction that fails counts as higher, an attack that fails as lower."""
    ends = {"higher": Fraction(0), "tie": Fraction(0), "lower": Fraction(0)}
    damage = Fraction(0)
    parries = chances(sum_of_dice(move.defence_dice, 6))
    for thrown, chance in chances(sum_of_dice(move.attacker.dice, 6)).items():
        for parried, likely in parries.items():
            blow = strike(move, thrown, parried)
            end = "tie" if blow.to_attacker else "higher" if blow.to_defender else "lower"
            ends[end] += chance * likely
            damage += chance * likely * blow.to_defender if end == "higher" else 0
    return Exchange(**ends, mean_damage=damage / ends["higher"] if ends["higher"] else None)


def conflict_table(
    *, static_defence: bool = False, weapon: bool = False, surprise: bool = False, first_weakness: bool = False
) -> dict[Rank, dict[Rank, Exchange]]:
    """The exchange for each attacker's rank (rows) against each defender's, with what adds to the damage."""
    def cell(attacker: Rank, defender: Rank) -> Exchange:
        return exchange(Strike(
            Side((attacker,)), Side((defender,)), static_defence, weapon, surprise, first_weakness, first_weakness,
        ))

    return {attacker: {defender: cell(attacker, defender) for defender in Rank} for attacker in Rank}
