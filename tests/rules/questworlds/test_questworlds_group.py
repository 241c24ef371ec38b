"""The group simple contest as a move of the contract (QW-42): cases whose reason is a passage, and brute force."""
from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.contract import odds, resolve
from rules.values import BadMove

MOVE = "questworlds.group_contest"
THREE = {"resistance": 14, "contestants": [{"ability": 17}, {"ability": "2M"}, {"ability": 6, "resistance": "5M"}]}


def played(given: dict[str, Any], *dice: int) -> Any:
    answer = resolve({"move": MOVE, "given": given, "dice": list(dice)})
    return answer["result"]


@pytest.mark.parametrize(("dice", "victories", "outcome"), [
    # The side with more victories wins: two of three.
    ((3, 16, 1, 18, 20, 2), [2, 1], "victory"),
    ((18, 3, 20, 2, 20, 2), [0, 3], "defeat"),
    # A mastery bumps the one who has it; one of each and a tie is nobody's.
    ((3, 16, 19, 18, 20, 2), [2, 1], "victory"),
    ((3, 3, 1, 18, 20, 2), [1, 1], "tie"),
])
def test_qw_42_the_side_with_more_victories_wins(dice: tuple[int, ...], victories: list[int], outcome: str) -> None:
    result = played(THREE, *dice)
    assert result["outcome"] == outcome and result["victories"] == victories
    assert [contest["outcome"] for contest in result["contests"]].count("victory") == victories[0]


def test_qw_42_as_many_on_both_sides_are_the_players_where_each_tie_is() -> None:
    result = played({**THREE, "tie_to_player": True}, 3, 3, 1, 18, 20, 2)
    assert result["victories"] == [2, 1] and result["outcome"] == "victory"
    two = {"resistance": 14, "contestants": [{"ability": 14}, {"ability": 14}], "tie_to_player": True}
    assert played(two, 16, 3, 3, 16)["victories"] == [1, 1] and played(two, 16, 3, 3, 16)["outcome"] == "victory"


def test_qw_42_odds_are_the_count_of_all_throws() -> None:
    given = {"resistance": 12, "contestants": [{"ability": 16}, {"ability": "3M", "story_point": True}]}
    one = [odds({"move": "questworlds.contest", "of": "outcome", "given": {"resistance": 12, **given}})["odds"]
           for given in ({"ability": 16}, {"ability": "3M", "story_point": True})]
    counted: Counter[str] = Counter()
    for first, second in product(*(option.items() for option in one)):
        won = [first[0], second[0]]
        lead = won.count("victory") - won.count("defeat")
        counted["victory" if lead > 0 else "defeat" if lead < 0 else "tie"] += Fraction(first[1]) * Fraction(second[1])
    chances = odds({"move": MOVE, "given": given, "of": "outcome"})["odds"]
    assert {name: Fraction(chance) for name, chance in chances.items()} == dict(counted)
    assert sum(counted.values()) == 1


@pytest.mark.parametrize(("given", "dice"), [
    ({"resistance": 14, "contestants": []}, []), ({"resistance": 14, "contestants": [{}]}, [1, 2, 3]),
])
def test_qw_42_what_makes_no_group_is_refused(given: dict[str, Any], dice: list[int]) -> None:
    with pytest.raises(BadMove):
        resolve({"move": MOVE, "given": given, "dice": dice})
    with pytest.raises(BadMove, match="outcome"):
        odds({"move": MOVE, "given": THREE, "of": "victories"})
