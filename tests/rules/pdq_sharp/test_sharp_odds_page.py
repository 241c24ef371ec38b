"""The page of odds of PDQ#."""
from __future__ import annotations

from fractions import Fraction
from itertools import product
from typing import Any

from rules.registry import system_of
from rules.systems.pdq_sharp.chart import TARGETS

GAME = system_of("pdq_sharp")
SETTINGS = GAME.read_settings({})


def answer(name: str, given: dict[str, Any]) -> dict[str, Fraction]:
    """What a calculator answers, by label."""
    [calculator] = [calculator for calculator in GAME.rolls.calculators(SETTINGS) if calculator.name == name]
    values = {field.name: field.read(given) for field in calculator.fields}
    return {label: chance for label, chance, _ in calculator.answer(values).outcomes}


def test_ps_10_a_forte_against_each_difficulty() -> None:
    rows = dict(GAME.rolls.tables(SETTINGS)[0].rows)
    for adds, heading in ((-2, "Poor [−2]"), (0, "Average [0]"), (6, "Master [+6]")):
        totals = [one + other + adds for one, other in product(range(1, 7), repeat=2)]
        for target, cell in zip(TARGETS.values(), rows[heading], strict=True):
            assert cell.chance == Fraction(sum(total >= target for total in totals), 36)


def test_ps_11_more_dice_by_every_throw() -> None:
    rows = list(GAME.rolls.tables(SETTINGS)[1].rows)
    for more, (_, cells) in enumerate(rows[:3]):
        totals = [sum(sorted(faces)[-2:]) for faces in product(range(1, 7), repeat=2 + more)]
        for target, cell in zip((5, 7, 9, 11), cells, strict=True):
            assert cell.chance == Fraction(sum(total >= target for total in totals), len(totals))


def test_ps_16_whose_numbers_they_are_is_said_where_there_are_two_sides() -> None:
    labels = {calculator.name: [field.label for field in calculator.fields]
              for calculator in GAME.rolls.calculators(SETTINGS)}
    assert labels["challenge"][:2] == ["Poor [−2]", "Average [0]"] and "Bonus dice" in labels["challenge"]
    assert {label.partition(": ")[0] for label in labels["flashy"]} == {"Challenger", "Opponent"}


def test_ps_11_any_challenge() -> None:
    totals = [sum(sorted(faces)[-2:]) + 2 + 4 + 1 for faces in product(range(1, 7), repeat=3)]
    given = {"side_good": 1, "side_expert": 1, "side_bonus_dice": 1, "side_flat": 1, "difficulty": "impressive"}
    assert answer("challenge", given)["Success"] == Fraction(sum(total >= 15 for total in totals), 216)


def test_ps_16_any_flashy_challenge() -> None:
    chances = answer("flashy", {"challenger_good": 1})
    throws = [one + other + 2 - third - fourth for one, other, third, fourth in product(range(1, 7), repeat=4)]
    assert chances == {
        "The challenger wins": Fraction(sum(lead > 0 for lead in throws), 1296),
        "A tie": Fraction(sum(lead == 0 for lead in throws), 1296),
        "The challenged wins": Fraction(sum(lead < 0 for lead in throws), 1296),
    }
