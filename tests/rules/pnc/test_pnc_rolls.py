"""The rolls of PnC: dice in order, results, explanations."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules.contract import resolve
from rules.moves import Need
from rules.systems.pnc.competition import Competition, Pair
from rules.systems.pnc.dice import Roll, band_of
from rules.systems.pnc.initiative import Fighters, Initiative
from rules.systems.pnc.standard_roll import AttackRoll, StandardRoll, damage_of
from rules.values import BadMove

CASES = [json.loads(line) for line in Path(__file__).with_name("cases.jsonl").read_text().splitlines()]


def holds(expected: object, actual: object) -> bool:
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(holds(value, actual.get(key)) for key, value in expected.items())
    return expected == actual


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['move']}{case['dice']}")
def test_golden_cases(case):
    answer = resolve({key: case[key] for key in ("move", "given", "dice")})
    assert holds(case["expect"], answer["result"]), answer["result"]
    assert answer["dice"] == case["dice"]
    assert all(step["rule"].startswith("PN-") and step["text"] for step in answer["steps"])


def rules_of(outcome):
    return [step.rule for step in outcome.steps]


def test_pn_02_over_succeeds_equal_does_not():
    roll = Roll(open_ended=False)
    assert StandardRoll().resolve(roll, [11, 5, 3, 2]).result["success"] is True
    assert StandardRoll().resolve(roll, [10, 5, 3, 2]).result["success"] is False


def test_pn_02_twenty_and_one_are_critical():
    roll = Roll(open_ended=False)
    twenty = StandardRoll().resolve(roll, [20, 6, 6, 6])
    assert (twenty.result["success"], twenty.result["critical"]) == (True, "success")
    one = StandardRoll().resolve(roll, [1, 1, 1, 1])
    assert (one.result["success"], one.result["critical"]) == (False, "failure")


def test_pn_03_nine_bands():
    edges = {11: "divine intervention", 10: "spectacular success", 8: "spectacular success", 7: "great success",
             5: "great success", 4: "sufficient success", 2: "sufficient success", 1: "partial success",
             0: "partial success", -1: "partial success", -2: "sufficient failure", -4: "sufficient failure",
             -5: "great failure", -7: "great failure", -8: "spectacular failure", -10: "spectacular failure",
             -11: "divine retribution", -36: "divine retribution"}
    assert {degree: band_of(degree) for degree in edges} == edges


def test_pn_03_a_degree_of_one_succeeds_and_is_partial():
    result = StandardRoll().resolve(Roll(), [11, 5, 3, 2]).result
    assert (result["success"], result["band"]) == (True, "partial success")


def test_pn_04_dice_are_asked_for_one_opening_at_a_time():
    kind = StandardRoll()
    assert kind.resolve(Roll(), []) == Need((20,))
    assert kind.resolve(Roll(), [7]) == Need((6, 6, 6))
    assert kind.resolve(Roll(), [20]) == Need((20,))
    assert kind.resolve(Roll(), [20, 20]) == Need((6, 6, 6))
    assert kind.resolve(Roll(open_ended=False), [20]) == Need((6, 6, 6))


@pytest.mark.parametrize(("first", "second", "comes_to"), [(20, 7, 27), (20, 20, 20), (1, 7, -6), (1, 20, 1)])
def test_pn_04_open_ended(first, second, comes_to):
    outcome = StandardRoll().resolve(Roll(), [first, second, 1, 2, 3])
    assert outcome.result["d20"] == comes_to
    assert "PN-04" in rules_of(outcome)


def test_pn_05_keeps_the_lowest_or_the_highest_three():
    faces = [10, 5, 1, 6, 2, 4]
    assert StandardRoll().resolve(Roll(penalty=2), faces).result["d6"] == 15
    assert StandardRoll().resolve(Roll(bonus=2), faces).result["d6"] == 7
    kept = [die.face for die in StandardRoll().resolve(Roll(bonus=2), faces).dice if die.kept and die.sides == 6]
    assert kept == [1, 2, 4]


@pytest.mark.parametrize(("penalty", "bonus", "dice"), [(0, 0, 3), (2, 2, 3), (3, 2, 4), (0, 3, 6), (9, 1, 6)])
def test_pn_05_net_of_all_and_three_at_most(penalty, bonus, dice):
    assert StandardRoll().resolve(Roll(penalty, bonus), [10]) == Need((6,) * dice)


def test_pn_05_too_many_dice_are_refused():
    with pytest.raises(BadMove, match="Enter 4 dice"):
        StandardRoll().resolve(Roll(), [10, 1, 1, 1, 1])


def test_pn_06_who_rolls_what():
    outcome = AttackRoll().resolve(Roll(), [20, 3, 1, 2, 3])
    assert [die.role for die in outcome.dice] == ["attacker", "attacker", "defender", "defender", "defender"]


def test_pn_06_damage_by_degree():
    assert [damage_of(degree) for degree in (0, 1, 2, 4, 5, 8, 11)] == [
        None, "grazed", "hurt", "hurt", "badly hurt", "crippled", "destroyed"]


def test_pn_06_a_great_failure_may_hurt_the_attacker():
    assert AttackRoll().resolve(Roll(), [5, 3, 3, 3]).result["backfires"] is False
    assert AttackRoll().resolve(Roll(), [4, 3, 3, 3]).result["backfires"] is True


def test_pn_07_degrees_set_the_order_and_equals_act_together():
    fighters = Fighters((Roll(), Roll(), Roll()))
    outcome = Initiative().resolve(fighters, [5, 1, 1, 1, 9, 1, 1, 1, 9, 1, 1, 1])
    assert outcome.result == {"places": [[1, 2], [0]], "first": None}


def test_pn_07_a_d6_with_ties_rolled_off():
    fighters = Fighters((Roll(), Roll(), Roll()), "d6")
    assert Initiative().resolve(fighters, [4, 4, 6]) == Need((6, 6))
    assert Initiative().resolve(fighters, [4, 4, 6, 2, 2]) == Need((6, 6))
    assert Initiative().resolve(fighters, [4, 4, 6, 2, 2, 1, 3]).result["places"] == [[2], [1], [0]]


def test_pn_07_one_alone_needs_one_die():
    assert Initiative().resolve(Fighters((Roll(),), "d6"), []) == Need((6,))
    assert Initiative().resolve(Fighters((Roll(),), "d6"), [3]).result["first"] == 0


def test_pn_08_the_higher_degree_wins_though_both_fail():
    pair = Pair(Roll(), Roll())
    outcome = Competition().resolve(pair, [5, 3, 3, 3, 4, 3, 3, 3])
    assert (outcome.result["outcome"], outcome.result["margin"]) == ("first", 1)
    assert rules_of(outcome)[-1] == "PN-08"


def test_pn_08_dice_of_the_second_come_after_the_first():
    pair = Pair(Roll(), Roll(penalty=1))
    assert Competition().resolve(pair, [20, 2, 1, 1, 1]) == Need((20,))
    assert Competition().resolve(pair, [20, 2, 1, 1, 1, 8]) == Need((6, 6, 6, 6))
