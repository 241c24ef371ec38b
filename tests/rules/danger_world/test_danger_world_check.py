"""A check: sets, botches, re-rolls, and what is refused."""
from __future__ import annotations

import json
from pathlib import Path

import pytest

from rules.contract import resolve
from rules.moves import Need
from rules.systems.danger_world.check import Check, CheckMove
from rules.systems.danger_world.pool import Pool, Table
from rules.values import BadMove

CASES = [json.loads(line) for line in Path(__file__).with_name("cases.jsonl").read_text().splitlines()]


@pytest.mark.parametrize("case", CASES, ids=lambda case: str(case["dice"]))
def test_golden_cases(case):
    answer = resolve({key: case[key] for key in ("move", "given", "dice")})
    assert {key: answer["result"][key] for key in case["expect"]} == case["expect"]
    assert answer["dice"] == case["dice"]
    assert all(step["rule"].startswith("DW-") and step["text"] for step in answer["steps"])


def check(faces, difficulty=2, **given):
    pool = {"action": len(faces), **given.pop("pool", {})}
    move = CheckMove().read({"pool": pool, "difficulty": difficulty, **given})
    return CheckMove().resolve(move, faces)


def test_dw_02_dice_are_asked_for_in_order():
    move = Check(Pool(2, 1, 1), 3, ((0, 2), (1,)))
    assert CheckMove().resolve(move, []) == Need((6,) * 4)
    assert CheckMove().resolve(move, [1, 2, 3, 4]) == Need((6, 6))
    assert CheckMove().resolve(move, [1, 2, 3, 4, 5, 6]) == Need((6,))
    roles = [die.role for die in CheckMove().resolve(move, [1, 2, 3, 4, 5, 6, 1]).dice]
    assert roles == ["action", "action", "danger", "threat", "action", "danger", "action"]


def test_dw_03_re_rolled_dice_fall_in_index_order_and_each_round_is_kept():
    outcome = check([1, 2, 3, 5, 6, 4], rerolls=[[2, 0], [1]], pool={"action": 3})
    assert outcome.result["rounds"] == [[1, 2, 3], [5, 2, 6], [5, 4, 6]]
    assert [die.kept for die in outcome.dice] == [False, False, False, True, True, True]


@pytest.mark.parametrize(("rerolls", "says"), [
    ([[0], [0], [0]], "at most 2"), ([[0, 0]], "once"), ([[3]], "threat die"), ([[4]], "no die 4")])
def test_dw_03_what_can_not_be_rolled_again(rerolls, says):
    with pytest.raises(BadMove, match=says):
        CheckMove().read({"pool": {"action": 2, "danger": 1, "threat": 1}, "difficulty": 2, "rerolls": rerolls})


def test_dw_04_a_set_takes_as_many_dice_as_its_height():
    assert Table((3, 3, 2, 2, 2, 6)).sets == (2,)
    assert Table((3, 3), (3,)).sets == (3,)
    assert Table((1, 4, 4, 4, 4, 4)).sets == (1, 4)


def test_dw_04_threat_dice_never_form_a_set():
    assert Table((3, 3), (), (3, 2, 2)).sets == ()


def test_dw_04_dice_beyond_the_set_are_no_botch():
    assert Table((2, 2, 2, 2)).botches(2) == 0


def test_dw_04_a_lower_set_or_none_may_be_chosen():
    assert check([2, 2, 3, 3, 3], set=2).result["set"] == 2
    assert check([2, 2, 3, 3, 3], set=0).result["set"] is None
    with pytest.raises(BadMove, match="no set of height 4"):
        check([2, 2, 3, 3, 3], set=4)


def test_dw_05_height_against_the_difficulty():
    fields = ("accomplished", "bonus_dice")
    results = {d: tuple(check([4, 4, 4, 4], d).result[f] for f in fields) for d in (2, 4, 5)}
    assert results == {2: (True, 2), 4: (True, 0), 5: (False, 4)}
    assert check([4, 4, 4], 2).result["bonus_dice"] == 0


def test_dw_06_botches():
    table = Table((1, 2, 3, 3, 3), (1, 2), (3, 4, 1))
    assert table.botches(3) == 6  # two ones, two twos, a threat die at the set, a threat one
    assert table.botches(1) == 3
    assert table.botches(0) == 3


def test_dw_08_action_dice_fill_a_set_first():
    assert Table((4, 4, 4), (4, 4)).danger_used(4) == 1
    assert Table((4, 4, 4, 4), (4, 4)).danger_used(4) == 0
    assert Table((), (2, 2)).danger_used(2) == 2
    assert Table((), (2, 2)).danger_used(0) == 0


def test_dw_04_a_lower_set_is_said_to_be_one():
    def said(**given):
        return next(step.text for step in check([3, 3, 3, 2, 2], 2, **given).steps if step.rule == "DW-04")

    assert said(set=2) == "2 dice showing 2: a set of height 2, lower than it could be."
    assert said(set=3) == said() == "3 dice showing 3: a set of height 3."
