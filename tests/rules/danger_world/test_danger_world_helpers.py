"""Stats, challenges, costs, the danger track, boxes and moves."""
from __future__ import annotations

import pytest

from rules.systems.danger_world import moves
from rules.systems.danger_world.challenge import COSTS, RANKS, Modifier, rate
from rules.systems.danger_world.character import STATS, budget
from rules.systems.danger_world.track import (
    Damage,
    Hit,
    LongTerm,
    after_hit,
    after_rest,
    standing,
    zone_of,
)
from rules.values import BadMove


def test_dw_01_eight_dice_to_spread_and_three_aspects():
    stats = dict.fromkeys(STATS, 2)
    assert budget(stats, 3).settled
    assert budget({**stats, "cool": 3}, 3).lines[0].left == -1
    assert budget({**stats, "cool": 5, "speed": 1}, 3).remarks == ("Cool goes from 1 to 4.",)
    assert not budget(stats, 2).settled


def test_dw_06_costs():
    assert [COSTS[cost].hit for cost in range(1, 7)] == [None, Hit.REDUCED, None, Hit.FULL, None, Hit.OVERLOAD]
    assert [COSTS[cost].botches for cost in COSTS] == [1, 2, 3, 4, 5, 6]
    assert COSTS[1].options == ("danger level", "threat die")


def test_dw_05_ranks_of_difficulty():
    assert RANKS == {2: "minor", 3: "meaningful", 4: "significant", 5: "major", 6: "monumental"}


def test_dw_09_modifiers_and_the_warning():
    helping, hindering = Modifier("lit", True), Modifier("slick", False)
    assert rate(4, [helping]).difficulty == 3
    assert (rate(4, [helping, hindering]).difficulty, rate(4, [hindering]).warning) == (4, "")
    twice = rate(4, [hindering, Modifier("steep", False)])
    assert (twice.difficulty, bool(twice.warning)) == (6, True)
    assert rate(1, [helping]).difficulty == 1


def test_dw_12_zones():
    assert [zone_of(level).rank for level in (1, 5, 6, 10, 11, 15, 16, 20, 21, 40)] == [1, 1, 2, 2, 3, 3, 4, 4, 5, 5]
    with pytest.raises(BadMove):
        zone_of(0)


def test_dw_13_a_reduced_hit_fills_the_first_open_box():
    assert after_hit(Damage(), Hit.REDUCED, 12).filled == (1, 0, 0, 0, 0)
    assert after_hit(Damage((3, 0, 1, 0, 0)), Hit.REDUCED, 12).filled == (3, 1, 1, 0, 0)


def test_dw_13_a_full_hit_fills_one_in_the_zone():
    assert after_hit(Damage(), Hit.FULL, 12).filled == (0, 0, 1, 0, 0)
    assert after_hit(Damage((0, 0, 3, 0, 0)), Hit.FULL, 12).filled == (0, 0, 3, 1, 0)
    assert after_hit(Damage((0, 0, 0, 0, 1)), Hit.FULL, 25).filled == (0, 0, 0, 0, 1)


def test_dw_13_an_overload_fills_all_below_too():
    assert after_hit(Damage(), Hit.OVERLOAD, 12).filled == (3, 3, 1, 0, 0)
    assert after_hit(Damage((1, 0, 3, 0, 0)), Hit.OVERLOAD, 12).filled == (3, 3, 3, 1, 0)
    assert after_hit(Damage(), Hit.OVERLOAD, 1).filled == (1, 0, 0, 0, 0)


def test_dw_14_injured_boxes_lower_stats_until_a_long_rest():
    hurt = Damage((3, 2, 2, 1, 0))
    assert hurt.to_lower == 2
    hurt = hurt.lower(STATS, [1, 8])
    assert (hurt.lowered, hurt.to_lower, hurt.out) == (("agility", "cool"), 0, True)
    with pytest.raises(BadMove):
        hurt.lower(STATS, [1])
    rested = after_rest(hurt, "short")
    assert (rested.filled, rested.lowered, rested.out) == ((0, 0, 2, 0, 0), ("agility", "cool"), False)
    assert after_rest(hurt, "long") == Damage()


def test_dw_14_no_rest_clears_death():
    assert after_rest(Damage((3, 3, 3, 1, 1)), "long").filled == (0, 0, 0, 0, 1)
    with pytest.raises(BadMove):
        after_rest(Damage(), "nap")


def test_dw_15_long_term():
    assert [long_term.name for long_term in LongTerm] == [
        "TEMPORARY_LOSS", "TEMPORARY_INJURY", "PERMANENT_LOSS", "PERMANENT_INJURY", "KILLED"]
    assert standing([(2, 1), (0, 2), (1, 1)]) == -1


def test_dw_16_every_move_has_five_heights():
    names = [move.name for move in moves.MOVES if move.general]
    assert names == ["Fighting", "Defy danger", "Aid another", "Spout lore", "Discern realities", "Parley"]
    assert all(move.at(height) for move in moves.MOVES for height in range(2, 7))
    with pytest.raises(BadMove):
        moves.FIGHTING.at(1)


def test_dw_16_aid_gives_the_height_in_dice():
    assert [moves.aid(height) for height in (1, 2, 5)] == [0, 2, 5]
