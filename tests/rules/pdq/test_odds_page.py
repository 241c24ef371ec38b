"""The page of odds (PQ-21)."""
from __future__ import annotations

from fractions import Fraction

import pytest

from rules.registry import system_of
from rules.tables import Cell
from rules.wording import decimal

PDQ = system_of("pdq")
SETTINGS = PDQ.read_settings({})


def test_pq_21_the_table_of_tests() -> None:
    tests = PDQ.rolls.tables(SETTINGS)[0]
    rows = {heading: [cell.percent for cell in cells] for heading, cells in tests.rows}
    assert rows["Good [+2]"] == ["97.2%", "83.3%", "58.3%", "27.8%", "8.3%"]


def test_pq_21_the_table_of_attacks_follows_the_setting() -> None:
    rolled = PDQ.rolls.tables(SETTINGS)[1]
    stood = PDQ.rolls.tables({**SETTINGS, "defence": "stand"})[1]
    assert rolled.rows[1][1][1].chance == Fraction(575, 1296)
    assert stood.rows[1][1][1].chance == Fraction(15, 36)


def test_pq_21_any_combination() -> None:
    test, attack = PDQ.rolls.calculators(SETTINGS)
    given = {"difficulty": "master", "side_good": 1, "side_expert": 1}
    values = {field.name: field.read(given) for field in test.fields}
    assert test.answer(values).outcomes[0][1] == Fraction(21, 36)
    blow = {"attacker_master": 1, "attacker_upshifts": 1, "weapon": True}
    answer = attack.answer({field.name: field.read(blow) for field in attack.fields})
    assert sum(chance for _, chance, _ in answer.outcomes) == 1
    assert answer.facts


@pytest.mark.parametrize(
    ("number", "words"),
    [(Fraction(7, 3), "2.3"), (Fraction(-1, 4), "−0.2"), (Fraction(5), "5.0"), (Fraction(1, 20), "0.1")],
)
def test_decimals_are_rounded_by_whole_numbers(number: Fraction, words: str) -> None:
    assert decimal(number) == words


def test_what_can_happen_is_never_0_and_what_can_fail_never_100() -> None:
    assert Cell(Fraction(1, 10**6)).percent == "under 0.1%"
    assert Cell(1 - Fraction(1, 10**6)).percent == "over 99.9%"
    assert Cell(Fraction(1)).percent == "100%"
