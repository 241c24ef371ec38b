"""Tests and what leads to them: the chart, shifts, difficulties (PQ-01 to PQ-09), and the golden cases."""
from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from rules.contract import odds, resolve
from rules.systems.pdq.chart import Rank
from rules.values import BadMove

CASES = [json.loads(line) for line in (Path(__file__).parent / "cases.jsonl").read_text().splitlines()]


def test_of(dice: list[int] | None, **given: Any) -> dict[str, Any]:
    return resolve({"move": "pdq.test", "given": given, "dice": dice})


test_of.__test__ = False  # type: ignore[attr-defined]


def text(answer: dict[str, Any], rule: str) -> str:
    return " ".join(step["text"] for step in answer["steps"] if step["rule"] == rule)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['move']}-{CASES.index(case) + 1}")
def test_golden_cases(case: dict[str, Any]) -> None:
    answer = resolve({name: case[name] for name in ("move", "given", "dice")})
    assert {name: answer["result"].get(name, "missing") for name in case["expect"]} == case["expect"]
    assert answer["steps"]


def test_pq_01_the_chart() -> None:
    assert [(rank.word, rank.modifier, rank.target) for rank in Rank] == [
        ("poor", -2, 5), ("average", 0, 7), ("good", 2, 9), ("expert", 4, 11), ("master", 6, 13),
    ]


def test_pq_01_what_nobody_has_is_average() -> None:
    answer = test_of([3, 4], difficulty="average")
    assert answer["result"]["total"] == 7
    assert "Average" in text(answer, "PQ-01")


def test_pq_02_all_qualities_add_up_and_equal_succeeds() -> None:
    assert test_of([1, 2], qualities=["good", "expert", "poor"], difficulty=7)["result"]["success"] is True
    assert test_of([1, 2], qualities=["good", "expert", "poor"], difficulty=8)["result"]["success"] is False


def test_pq_03_shifts_cancel_and_the_rest_moves_the_highest() -> None:
    answer = test_of([1, 1], qualities=["poor", "expert"], upshifts=1, downshifts=2, difficulty=9)
    assert answer["result"]["modifier"] == 0
    assert "1 downshift left: Expert [+4] becomes Good [+2]" in text(answer, "PQ-03")


def test_pq_03_the_player_may_name_the_lead() -> None:
    led = test_of([1, 1], qualities=["poor", "master"], lead=0, upshifts=1, difficulty=9)
    assert (led["result"]["modifier"], len(led["dice"])) == (6, 2)
    highest = test_of([1, 1, 1], qualities=["poor", "master"], upshifts=1, difficulty=9)
    assert (highest["result"]["modifier"], len(highest["dice"])) == (4, 3)
    with pytest.raises(BadMove, match="that apply"):
        test_of([1, 1], qualities=["good"], lead=1, difficulty=9)


def test_pq_04_each_upshift_past_master_is_a_die() -> None:
    answer = test_of([1, 1, 1, 1], qualities=["expert"], upshifts=3, difficulty=9)
    assert answer["result"] == {"modifier": 6, "total": 10, "target": 9, "success": True, "margin": 1}
    with pytest.raises(BadMove, match="at least 4"):
        test_of([1, 1, 1], qualities=["expert"], upshifts=3, difficulty=9)


def test_pq_04_below_poor_fails_without_dice() -> None:
    answer = test_of([], qualities=["poor", "good"], lead=0, downshifts=1, difficulty=2)
    assert answer["result"] == {"automatic": "failure", "target": 2, "success": False}
    with pytest.raises(BadMove):
        test_of([1], qualities=["poor"], downshifts=1, difficulty=2)


def test_pq_05_a_grant_is_an_upshift_and_keeps_its_reason() -> None:
    line = {"kind": "badass", "amount": 1, "reason": "Swung in on the chandelier"}
    answer = test_of([1, 1], qualities=["good"], lines=[line], difficulty=9)
    assert answer["result"]["modifier"] == 4
    assert "Swung in on the chandelier" in text(answer, "PQ-05")


def test_pq_06_a_simple_situation() -> None:
    assert test_of([], qualities=["expert"], difficulty="good", simple=True)["result"]["success"] is True
    assert len(test_of([1, 1], qualities=["good"], difficulty="good", simple=True)["dice"]) == 2
    assert len(test_of([1, 1], qualities=["expert"], difficulty="good")["dice"]) == 2
    with pytest.raises(BadMove, match="needs a rank"):
        test_of([1, 1], difficulty=9, simple=True)


def test_pq_06_any_quality_applied_may_be_above_and_past_master_is_still_master() -> None:
    led = test_of([], qualities=["poor", "expert"], lead=0, difficulty="good", simple=True)
    assert led["result"]["automatic"] == "success"
    assert len(test_of([1, 1, 1], qualities=["master"], upshifts=1, difficulty="master", simple=True)["dice"]) == 3


def test_pq_07_failing_hurts_by_the_difference() -> None:
    assert test_of([1, 2], difficulty="good", harm=True)["result"]["damage"] == 6
    assert test_of([6, 6], difficulty="good", harm=True)["result"]["damage"] == 0
    assert "damage" not in test_of([1, 2], difficulty="good")["result"]


def test_pq_08_qualities_of_several_add_up() -> None:
    answer = test_of([1, 1], qualities=["good", "good", "expert"], team=["Ada", "Bo", "Cy"], difficulty=9)
    assert answer["result"]["modifier"] == 8
    assert "Ada, Bo and Cy" in text(answer, "PQ-08")


def test_pq_09_the_difficulty_of_a_targets_own_quality() -> None:
    answer = test_of([1, 1], difficulty="expert", whose="Suspicious")
    assert answer["result"]["target"] == 11
    assert "Suspicious: 11" in text(answer, "PQ-09")


@pytest.mark.parametrize("given, field", [
    ({}, "difficulty"), ({"difficulty": "hard"}, "difficulty"), ({"difficulty": True}, "difficulty"),
    ({"difficulty": 9, "qualities": ["great"]}, "qualities.0"), ({"difficulty": 9, "upshifts": -1}, "upshifts"),
    ({"difficulty": 9, "lines": [{"kind": "badass", "amount": 20}] * 2}, "lines"),
])
def test_what_is_wrong_is_said_where_it_is(given: dict[str, Any], field: str) -> None:
    with pytest.raises(BadMove) as bad:
        resolve({"move": "pdq.test", "given": given})
    assert bad.value.field == field


def test_odds_through_the_contract() -> None:
    request = {"move": "pdq.test", "given": {"qualities": ["good"], "difficulty": "good"}, "of": "success"}
    assert odds(request) == {"odds": {"false": "5/12", "true": "7/12"}}
