"""Exact chances against every throw and against icepool, and the tables (PQ-21)."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import icepool
import pytest

from rules.moves import Face, MoveKind
from rules.odds import by_brute_force, kind_result, mean
from rules.systems.pdq.attack import AttackMove, Strike
from rules.systems.pdq.chart import Rank
from rules.systems.pdq.recovery import RecoveryMove
from rules.systems.pdq.roll import Side
from rules.systems.pdq.tables import conflict_table, exchange, success, test_table
from rules.systems.pdq.test import TestMove
from rules.values import BadMove

test_table.__test__ = False  # type: ignore[attr-defined]

TESTS: list[dict[str, Any]] = [
    {"qualities": ["good", "poor"], "difficulty": "good"},
    {"qualities": ["master"], "upshifts": 1, "difficulty": 17, "harm": True},
    {"downshifts": 2, "difficulty": "poor", "harm": True},
    {"qualities": ["expert"], "difficulty": "good", "simple": True},
    {"qualities": ["expert"], "lines": [{"kind": "badass", "reason": "Grand"}], "difficulty": 15, "harm": True},
]
ATTACKS: list[dict[str, Any]] = [
    {"attacker": {"qualities": ["good"]}, "defender": {"qualities": ["expert"]}},
    {"attacker": {"qualities": ["master"], "upshifts": 1}, "defender": {}, "weapon": True, "surprise": True},
    {"attacker": {}, "defender": {"qualities": ["good"]}, "static_defence": True, "weakness": True,
     "first_damage": True},
    {"attacker": {"downshifts": 2}, "defender": {}},
    {"attacker": {"downshifts": 2}, "defender": {}, "static_defence": True},
    {"attacker": {"qualities": ["poor", "poor"]}, "defender": {"downshifts": 2}, "weapon": True},
]


def fields_of(result: Any, start: str = "") -> list[str]:
    names = []
    for name, value in result.items():
        names += fields_of(value, f"{start}{name}.") if isinstance(value, dict) else [f"{start}{name}"]
    return names


@pytest.mark.parametrize("kind, given", [
    *((TestMove(), given) for given in TESTS),
    *((AttackMove(), given) for given in ATTACKS),
    *((RecoveryMove(), {"qualities": qualities}) for qualities in ([], ["poor"], ["master", "poor"])),
])
def test_pq_21_odds_are_those_of_every_throw(kind: MoveKind[Any], given: dict[str, Any]) -> None:
    move = kind.read(given)
    need = kind.resolve(move, ())
    sides = getattr(need, "sides", ())
    for of in fields_of(kind_result(kind, move, (1,) * len(sides))):
        assert kind.odds(move, of) == by_brute_force(kind, move, of), of


def by_icepool(die: Any) -> dict[Face, Fraction]:
    return {value: Fraction(ways, die.denominator()) for value, ways in die.items()}


def test_pq_21_odds_of_a_test_agree_with_icepool() -> None:
    move = TestMove().read({"qualities": ["master", "good"], "upshifts": 3, "difficulty": "master", "harm": True})
    total = icepool.d6.pool(5).sum() + 8
    assert TestMove().odds(move, "total") == by_icepool(total)
    assert TestMove().odds(move, "success") == by_icepool((total >= 13).map({0: False, 1: True}))
    assert TestMove().odds(move, "damage") == by_icepool((13 - total).map(lambda short: max(0, short)))


def test_pq_21_odds_of_an_attack_agree_with_icepool() -> None:
    given = {"attacker": {"qualities": ["master"], "upshifts": 2}, "defender": {"qualities": ["expert", "good"]},
             "weapon": True, "surprise": True}
    move = AttackMove().read(given)

    def damage(difference: int) -> int:
        return 0 if difference < 0 else 1 if difference == 0 else difference + 2 + 1 + 2

    difference = (icepool.d6.pool(4).sum() + 6) - (icepool.d6.pool(2).sum() + 6)
    assert AttackMove().odds(move, "damage.defender") == by_icepool(difference.map(damage))
    assert AttackMove().odds(move, "damage.attacker") == by_icepool(difference.map(lambda by: int(by == 0)))


def test_pq_18_odds_of_recovery_agree_with_icepool() -> None:
    move = RecoveryMove().read({"qualities": ["poor", "poor"]})
    assert RecoveryMove().odds(move, "recovered") == by_icepool((icepool.d6 - 4).map(lambda by: max(0, by)))


def test_odds_of_a_field_that_is_not_there() -> None:
    with pytest.raises(BadMove, match="no field"):
        TestMove().odds(TestMove().read({"difficulty": 9}), "damage")
    with pytest.raises(BadMove, match="one number or word"):
        AttackMove().odds(AttackMove().read({"attacker": {}, "defender": {}}), "damage")


# What the source prints, in whole percents; None where its table can't be read.
PRINTED_TESTS = {
    Rank.POOR: (58, 28, 8, 0, 0), Rank.AVERAGE: (83, 58, 28, 8, 0), Rank.GOOD: (None, 83, 58, 28, 8),
    Rank.EXPERT: (100, None, 83, 58, 28), Rank.MASTER: (100, 100, None, 83, 58),
}
PRINTED_HIGHER = {
    Rank.POOR: (44, 24, 10, 3, 0), Rank.AVERAGE: (66, 44, 24, 10, 3), Rank.GOOD: (84, 66, 44, 24, 10),
    Rank.EXPERT: (95, 84, 66, 44, 24), Rank.MASTER: (99, 95, 84, 66, 44),
}
PRINTED_MEANS = {
    Rank.POOR: (4, 3, 3, 2, 1), Rank.AVERAGE: (5, 4, 3, 3, 2), Rank.GOOD: (6, 5, 4, 3, 3),
    Rank.EXPERT: (None, 6, 5, 4, 3), Rank.MASTER: (None, None, 6, 5, 4),
}


def percent(chance: Fraction) -> int:
    return int(100 * chance + Fraction(1, 2))


def test_pq_21_the_sources_chances_are_right_when_rounded() -> None:
    for rank, printed in PRINTED_TESTS.items():
        for difficulty, likely in zip(Rank, printed, strict=True):
            assert likely is None or percent(test_table()[rank][difficulty]) == likely
    for rank, printed in PRINTED_HIGHER.items():
        assert tuple(percent(conflict_table()[rank][other].higher) for other in Rank) == printed


def test_pq_21_the_sources_mean_damages_are_not() -> None:
    def rounded(rank: Rank, other: Rank) -> int:
        chance = conflict_table()[rank][other].mean_damage
        assert chance is not None
        return int(chance + Fraction(1, 2))

    wrong = [
        (rank, other) for rank, printed in PRINTED_MEANS.items() for other, damage in zip(Rank, printed, strict=True)
        if damage is not None and rounded(rank, other) != damage
    ]
    assert (Rank.GOOD, Rank.GOOD) in wrong
    assert conflict_table()[Rank.GOOD][Rank.GOOD].mean_damage == Fraction(1778, 575)


def test_pq_21_the_tables_hold_for_any_combination() -> None:
    assert success(3, 10) == Fraction(21, 36)
    assert success(6, 24, dice=3) == Fraction(1, 216)
    assert success(0, 13) == 0
    plain = exchange(Strike(Side((Rank.GOOD,)), Side((Rank.EXPERT,))))
    assert plain.higher + plain.tie + plain.lower == 1
    armed = exchange(Strike(Side((Rank.GOOD,)), Side((Rank.EXPERT,)), weapon=True, surprise=True))
    assert plain.mean_damage is not None
    assert armed.mean_damage == plain.mean_damage + 3
    assert conflict_table(weapon=True, surprise=True)[Rank.GOOD][Rank.EXPERT] == armed


def test_pq_21_the_tables_agree_with_the_odds_of_the_move() -> None:
    move = Strike(Side((Rank.MASTER,), upshifts=1), Side((Rank.GOOD,)), static_defence=True, weapon=True)
    told, odds = exchange(move), AttackMove().odds(move, "damage.defender")
    assert told.tie == AttackMove().odds(move, "damage.attacker").get(1, 0)
    assert told.mean_damage is not None
    assert told.mean_damage * told.higher + told.tie == mean(odds)


def test_pq_21_what_never_happens_has_no_mean() -> None:
    assert exchange(Strike(Side(downshifts=2), Side())).mean_damage is None
    assert exchange(Strike(Side((Rank.POOR,)), Side((Rank.MASTER, Rank.MASTER)))).mean_damage is None
