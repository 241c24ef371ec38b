"""One roll against another: results, masteries, story points, ties, ranks, and their exact chances."""
from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from itertools import product
from pathlib import Path

import icepool
import pytest

from rules.contract import odds, resolve
from rules.moves import Need
from rules.odds import by_brute_force
from rules.systems.questworlds.contest import AssuredContest, Contest
from rules.systems.questworlds.roll import Clash, Result, Side, classes
from rules.values import BadMove

CASES = [json.loads(line) for line in Path(__file__).with_name("cases.jsonl").read_text().splitlines()]
FUMBLE, FAILURE, SUCCESS, CRITICAL = Result


def holds(expected: object, actual: object) -> bool:
    if isinstance(expected, dict):
        return isinstance(actual, dict) and all(holds(value, actual.get(key)) for key, value in expected.items())
    return expected == actual


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['move']}{case['dice']}")
def test_golden_cases(case):
    answer = resolve({key: case[key] for key in ("move", "given", "dice")})
    assert holds(case["expect"], answer["result"]), answer["result"]
    assert answer["dice"] == case["dice"]
    assert all(step["rule"].startswith("QW-") and step["text"] for step in answer["steps"])


def clash(ours, theirs, dice, story_point=False, tie_to_player=False):
    return Clash(Side(ours, story_point), Side(theirs), dice, tie_to_player)


def rules_of(outcome):
    return {step.rule for step in outcome.steps}


def test_qw_05_at_zero_or_less_the_roll_fails_whatever_the_die():
    for score, die in product((0, -1, -20, -25), (1, 10, 20)):
        side = Side(score)
        assert (side.read(die), side.masteries, side.target) == (FAILURE, 0, score)
    outcome = Contest().resolve(Contest().read({"ability": 9, "modifiers": [-9], "resistance": 14}), [1, 20])
    assert "QW-05" in rules_of(outcome)


def test_qw_05_the_other_sides_masteries_still_count():
    assert clash(0, 34, (5, 3)).results == (FAILURE, CRITICAL)
    assert clash(0, 54, (5, 3)).results == (FUMBLE, CRITICAL)


def test_qw_06_no_ability_counts_as_six():
    move = Contest().read({"modifiers": [3], "resistance": 14})
    outcome = Contest().resolve(move, [9, 20])
    assert (outcome.result["player"]["target"], outcome.result["player"]["result"]) == (9, "critical")
    assert outcome.steps[0].rule == "QW-06"
    assert Contest().read({"ability": None, "resistance": 14}).score == 6
    with pytest.raises(BadMove):
        Contest().read({"ability": 9, "resistance": None})


@pytest.mark.parametrize(("score", "die", "result"), [
    (14, 14, CRITICAL), (14, 13, SUCCESS), (14, 1, SUCCESS), (14, 15, FAILURE), (14, 19, FAILURE), (14, 20, FUMBLE),
    (20, 20, CRITICAL), (20, 19, SUCCESS), (1, 1, CRITICAL), (1, 2, FAILURE), (21, 1, CRITICAL), (21, 20, FUMBLE)])
def test_qw_10_the_die_against_the_rating(score, die, result):
    assert Side(score).read(die) is result


def test_qw_11_masteries_bump_their_owner_up():
    assert clash(34, 14, (5, 20)).results == (CRITICAL, FUMBLE)
    assert clash(34, 14, (20, 5)).results == (FAILURE, SUCCESS)
    assert clash(14, 54, (5, 20)).results == (SUCCESS, SUCCESS)


def test_qw_11_masteries_cancel():
    assert clash(34, 34, (5, 15)).results == (SUCCESS, FAILURE)
    assert clash(74, 54, (20, 5)).results == (FAILURE, SUCCESS)


def test_qw_11_what_is_left_after_a_critical_bumps_down():
    assert clash(34, 14, (14, 5)).results == (CRITICAL, FAILURE)
    assert clash(54, 14, (5, 5)).results == (CRITICAL, FAILURE)
    assert clash(74, 14, (14, 5)).results == (CRITICAL, FUMBLE)
    assert clash(14, 74, (5, 14)).results == (FUMBLE, CRITICAL)


def test_qw_12_a_story_point_comes_after_the_masteries():
    assert clash(14, 14, (20, 5), story_point=True).results[0] is FAILURE
    # Bumped down to a fumble first, then up again: the other way round it would end as a fumble.
    assert clash(0, 54, (20, 5), story_point=True).results == (FAILURE, CRITICAL)


def test_qw_12_it_is_not_spent_on_a_critical():
    outcome = Contest().resolve(Contest().read({"ability": 34, "resistance": 14, "story_point": True}), [5, 5])
    assert outcome.result["story_point_spent"] is False
    outcome = Contest().resolve(Contest().read({"ability": 14, "resistance": 14, "story_point": True}), [5, 5])
    assert (outcome.result["story_point_spent"], outcome.result["player"]["result"]) == (True, "critical")


def test_qw_13_better_result_then_higher_die_then_a_tie():
    assert clash(14, 14, (2, 15)).outcome == "victory"
    assert clash(14, 14, (5, 6)).outcome == "defeat"
    assert clash(10, 10, (16, 15)).outcome == "victory"
    assert clash(14, 14, (6, 6)).outcome == "tie"
    assert clash(14, 14, (6, 6), tie_to_player=True).outcome == "victory"


def test_qw_14_rank_of_the_outcome():
    assert [clash(14, 14, dice).rank for dice in ((7, 6), (7, 15), (7, 20), (14, 20), (6, 6))] == [1, 2, 3, 4, 0]
    assert clash(14, 14, (6, 6), tie_to_player=True).rank == 0


def test_qw_41_two_dice_the_players_first():
    move = Contest().read({"ability": 14, "resistance": 14})
    assert Contest().resolve(move, []) == Need((20, 20))
    assert [die.role for die in Contest().resolve(move, [3, 4]).dice] == ["player", "resistance"]
    with pytest.raises(BadMove):
        Contest().resolve(move, [3, 4, 5])


def test_qw_41_against_another_character():
    other = {"resistance": 14, "resistance_modifiers": [6], "resistance_story_point": True}
    move = Contest().read({"ability": 14, **other})
    outcome = Contest().resolve(move, [14, 20])
    assert outcome.result["resistance"]["target"] == 20
    assert outcome.result["resistance"]["result"] == "critical"
    outcome = Contest().resolve(move, [14, 5])
    assert (outcome.result["resistance"]["result"], outcome.result["outcome"]) == ("critical", "victory")


def test_qw_40_assured_in_any_case_and_what_it_brings():
    kind = AssuredContest()
    move = kind.read({"ability": 10, "resistance": 14})
    brings = [kind.resolve(move, [die, 13]).result["brings"] for die in (10, 9, 11, 20)]
    assert brings == ["benefit", None, "consequence", "consequence"]
    result = kind.resolve(move, [20, 14]).result
    assert (result["outcome"], result["experience"]) == ("victory", 0)


@pytest.mark.parametrize(("resistance", "result"), [
    (1, "failure"), (0, "success"), (-19, "success"), (-20, "critical")])
def test_qw_40_a_negative_mastery_bumps_the_roller_up(resistance, result):
    kind = AssuredContest()
    outcome = kind.resolve(kind.read({"ability": 10, "resistance": resistance}), [11, 3])
    assert outcome.result["player"]["result"] == result


GIVEN = [
    {"ability": 9, "resistance": 14}, {"ability": 20, "resistance": "20M", "story_point": True},
    {"ability": "7M", "resistance": 14, "tie_to_player": True}, {"ability": "19M3", "resistance": "1M"},
    {"ability": 4, "modifiers": ["-M"], "resistance": "4M2", "story_point": True}, {"ability": 1, "resistance": 1},
]
FIELDS = ("outcome", "rank", "player.result", "resistance.result", "player.target", "resistance.masteries",
          "player.roll", "resistance.roll", "story_point_spent")


@pytest.mark.parametrize("given", GIVEN, ids=str)
@pytest.mark.parametrize("of", FIELDS)
def test_qw_10_odds_are_those_of_all_400_throws(given, of):
    move = Contest().read(given)
    assert Contest().odds(move, of) == by_brute_force(Contest(), move, of)


@pytest.mark.parametrize("of", ["brings", "outcome", "player.result"])
def test_qw_40_odds_are_those_of_all_400_throws(of):
    move = AssuredContest().read({"ability": "3M", "resistance": -6})
    assert AssuredContest().odds(move, of) == by_brute_force(AssuredContest(), move, of)


def test_qw_13_odds_are_those_of_icepool():
    def read(die, target):
        return 3 if die == target else 0 if die == 20 else 2 if die < target else 1

    ours = icepool.d20.map(lambda die: (read(die, 17), die))
    theirs = icepool.d20.map(lambda die: (read(die, 14), die))
    chances = Contest().odds(Contest().read({"ability": 17, "resistance": 14}), "outcome")
    assert chances["victory"] == (ours > theirs).probability(True)
    assert chances["tie"] == icepool.map(lambda a, b: a == b, ours, theirs).probability(True)


@pytest.mark.parametrize("fumble_on", [20, 19, 3])
def test_qw_10_every_throw_is_in_its_class(fumble_on):
    faces = range(1, 21)
    for targets in product((-3, 0, 1, 2, 14, 19, 20), repeat=2):
        ours, theirs = Side(targets[0], fumble_on=fumble_on), Side(targets[1])
        plain = Counter((ours.read(mine), theirs.read(other), (mine > other) - (mine < other))
                        for mine, other in product(faces, faces))
        in_classes = {(ours.read(mine), theirs.read(other), (mine > other) - (mine < other)): ways
                      for _, (mine, other), ways in classes(*targets, fumble_on, 20)}
        assert in_classes == plain


def test_qw_13_odds_by_the_contract():
    answer = odds({"move": "questworlds.contest", "given": {"ability": 14, "resistance": 14}, "of": "outcome"})
    chances = {name: Fraction(text) for name, text in answer["odds"].items()}
    assert chances == {"victory": Fraction(19, 40), "defeat": Fraction(19, 40), "tie": Fraction(1, 20)}
    with pytest.raises(BadMove):
        odds({"move": "questworlds.contest", "given": {"ability": 14, "resistance": 14}, "of": "player"})
