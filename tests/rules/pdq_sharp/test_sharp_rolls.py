"""PDQ#: challenges, flashy challenges and one turn of a duel."""
from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import icepool
import pytest

from rules.moves import Outcome
from rules.odds import by_brute_force, every_throw, kind_result
from rules.systems.pdq_sharp.chart import TARGETS
from rules.systems.pdq_sharp.duel.turn import placed, sums
from rules.systems.pdq_sharp.keep import best_sums
from rules.systems.pdq_sharp.rolls import PdqSharpRolls
from rules.values import BadMove
from tests.effort import LONG

CHALLENGE, FLASHY, DUEL, _ = PdqSharpRolls.moves


def resolved(kind: Any, given: dict[str, Any], faces: list[int]) -> dict[str, Any]:
    outcome = kind.resolve(kind.read(given), faces)
    assert isinstance(outcome, Outcome)
    return dict(outcome.result)


def test_ps_01_the_chart_goes_on_past_any_rank() -> None:
    assert TARGETS == {
        "poor": 5, "average": 7, "good": 9, "expert": 11, "master": 13, "impressive": 15, "intimidating": 17,
        "impossible": 19, "inconceivable": 21,
    }


def test_ps_10_the_best_two_and_all_fortes() -> None:
    given = {"fortes": ["good", "poor", "master"], "bonus_dice": 2, "flat": 1, "difficulty": "inconceivable"}
    assert resolved(CHALLENGE, given, [2, 6, 3, 5]) == {
        "kept": [6, 5], "total": 18, "target": 21, "success": False, "damage": 3, "training_points": 1,
    }


def test_ps_10_equal_succeeds() -> None:
    assert resolved(CHALLENGE, {"difficulty": 9}, [4, 5])["success"] is True


def test_ps_14_a_failure_earns_a_training_point_and_a_success_none() -> None:
    assert resolved(CHALLENGE, {"difficulty": 9}, [4, 4])["training_points"] == 1
    assert resolved(CHALLENGE, {"difficulty": 8}, [4, 4])["training_points"] == 0


def test_ps_13_a_foible_counts_as_poor() -> None:
    assert resolved(CHALLENGE, {"fortes": ["poor"], "difficulty": 5}, [3, 3])["total"] == 4


@pytest.mark.parametrize(
    ("first", "second", "winner"),
    [(True, True, None), (False, False, None), (True, False, "challenger"), (False, True, "challenged")],
)
def test_ps_16_a_tie_goes_to_a_players_character(first: bool, second: bool, winner: str | None) -> None:
    given = {"challenger": {"pc": first}, "challenged": {"pc": second}}
    assert resolved(FLASHY, given, [3, 3, 2, 4])["winner"] == winner


def test_ps_11_bonus_dice_belong_to_their_side() -> None:
    given = {"challenger": {"bonus_dice": 1}, "challenged": {"flat": 2}}
    assert resolved(FLASHY, given, [1, 6, 6, 4, 5]) == {"challenger": 12, "challenged": 11, "winner": "challenger"}


def test_ps_22_bonus_dice_go_highest_first_over_the_lowest() -> None:
    assert placed(2, [1, 5, 1], [2, 6]) == ([6, 5], [2])
    assert placed(1, [4, 4, 4], [3]) == ([4], [4, 4])
    assert placed(3, [6, 6, 2], [4, 3]) == ([6, 6, 4], [])


def test_ps_22_no_dice_leave_the_modifiers_alone() -> None:
    given = {"first": {"stance": "all_out_defence", "fortes": ["expert"]}, "second": {"stance": "all_out_attack"}}
    result = resolved(DUEL, given, [1, 1, 1, 2, 2, 2])
    assert result["first"] == {"attack": 4, "defence": 7, "damage": 0}
    assert result["second"] == {"attack": 6, "defence": 0, "damage": 4}


def test_ps_23_each_attack_meets_the_others_defence() -> None:
    given = {"first": {"stance": "strong_attack"}, "second": {"stance": "strong_attack"}}
    result = resolved(DUEL, given, [6, 5, 1, 4, 4, 2])
    assert (result["first"]["damage"], result["second"]["damage"]) == (7, 9)


def test_ps_24_a_tie_costs_the_npc_one_whoever_attacked() -> None:
    def damages(first: bool, second: bool) -> tuple[int, int]:
        given = {
            "first": {"stance": "all_out_attack", "pc": first}, "second": {"stance": "all_out_defence", "pc": second}
        }
        result = resolved(DUEL, given, [1, 2, 3, 1, 2, 3])
        return result["first"]["damage"], result["second"]["damage"]

    # Both clashes tie here: three against three dice, and nothing against nothing.
    assert damages(True, True) == damages(False, False) == (0, 0)
    assert damages(True, False) == (0, 2)
    assert damages(False, True) == (2, 0)


def test_keeping_the_best_agrees_with_an_oracle() -> None:
    for dice in range(2, 7):
        for keep in (2, 3):
            if keep <= dice:
                assert best_sums(dice, keep) == dict(icepool.d6.highest(dice, keep).items())


@pytest.mark.parametrize(
    ("kind", "given", "fields"),
    [
        (CHALLENGE, {"fortes": ["good"], "bonus_dice": 2, "flat": 1, "difficulty": "master"},
         ["success", "total", "damage", "training_points"]),
        (FLASHY, {"challenger": {"bonus_dice": 1, "pc": True}, "challenged": {"fortes": ["good"]}},
         ["winner", "challenger", "challenged"]),
    ],
)
def test_odds_are_what_every_throw_says(kind: Any, given: dict[str, Any], fields: list[str]) -> None:
    move = kind.read(given)
    for field in fields:
        assert kind.odds(move, field) == by_brute_force(kind, move, field)


@pytest.mark.skipif(not LONG, reason="46,656 throws, each resolved")
def test_odds_of_a_duel_are_what_every_throw_says() -> None:
    given = {"first": {"stance": "strong_attack", "pc": True}, "second": {"stance": "strong_defence", "flat_attack": 2}}
    move = DUEL.read(given)
    counted: dict[str, dict[Any, Fraction]] = {"first.damage": {}, "second.damage": {}, "first.attack": {}}
    for faces, chance in every_throw(DUEL, move):
        result: Any = kind_result(DUEL, move, faces)
        for path, odds in counted.items():
            side, name = path.split(".")
            odds[result[side][name]] = odds.get(result[side][name], Fraction(0)) + chance
    for path, odds in counted.items():
        assert DUEL.odds(move, path) == odds


@pytest.mark.parametrize("attacking", [0, 1, 2, 3])
def test_bonus_dice_of_a_duel_counted_without_order(attacking: int) -> None:
    counted: Counter[tuple[int, int]] = Counter()
    for faces in product(range(1, 7), repeat=5):
        attack, defence = placed(attacking, faces[:3], faces[3:])
        counted[sum(attack), sum(defence)] += 1
    assert sums((attacking, 3 - attacking), 2) == counted


def test_what_makes_no_sense_is_refused() -> None:
    for given in ({"stance": "lunge"}, {"stance": "strong_attack", "bonus_dice": -1}, {}):
        with pytest.raises(BadMove):
            DUEL.read({"first": given, "second": {"stance": "strong_attack"}})
