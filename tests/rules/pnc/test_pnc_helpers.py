"""The ladder, wounds, holding, mulligans and the end of a fight."""
from __future__ import annotations

import pytest

from rules.systems.pnc.combat import State, after_first_d20, goes_on, roll_again, spend_mulligan
from rules.systems.pnc.dice import Roll
from rules.systems.pnc.initiative import Round
from rules.systems.pnc.ladder import Wound, dice_of, factor
from rules.values import BadMove


def test_pn_05_a_feature_offsets_the_circumstances():
    roll, steps = dice_of([factor("easy", "A good jumper", feature=True), factor("very hard", "A very wide gap")])
    assert (roll, roll.net) == (Roll(2, 1), -1)
    assert [step.rule for step in steps] == ["PN-05", "PN-05"]
    assert "A good jumper (the character)" in steps[0].text
    assert "A very wide gap (the circumstances)" in steps[1].text


def test_pn_05_every_rung_counts():
    words = ["very hard", "hard", "average", "easy", "very easy"]
    assert [dice_of([factor(word, "So it is")])[0].net for word in words] == [-2, -1, 0, 1, 2]


def test_pn_05_an_average_factor_changes_nothing():
    roll, steps = dice_of([factor("average", "A path like any other")])
    assert (roll.net, len(steps)) == (0, 1)


def test_pn_05_every_factor_has_a_reason():
    with pytest.raises(BadMove, match="what makes it so"):
        factor("hard", " ")
    with pytest.raises(BadMove, match="Choose one of"):
        factor("tricky", "Rain")


def test_pn_07_holding_lasts_until_ones_next_turn():
    start = Round(("Ann", "Bo", "Cy"))
    held = start.hold("Ann")
    assert held.may_act("Bo") and held.may_act("Ann") and not held.may_act("Cy")
    assert held.act("Ann") == Round(("Ann", "Bo", "Cy"), 1)
    again = held.act("Bo").act("Cy")
    assert (again.turn, again.held) == (0, frozenset())


def test_pn_07_nobody_acts_before_their_turn():
    start = Round(("Ann", "Bo"))
    with pytest.raises(BadMove):
        start.act("Bo")
    with pytest.raises(BadMove):
        start.hold("Bo")


def test_pn_09_mulligans():
    assert [after_first_d20(3, face) for face in (20, 1, 10)] == [4, 2, 3]
    assert after_first_d20(0, 1) == 0
    assert spend_mulligan(1) == 0
    with pytest.raises(BadMove):
        spend_mulligan(0)


def test_pn_09_only_ones_own_part_is_rolled_again():
    assert roll_again(3, "d6", own=("d6",)) == 2
    with pytest.raises(BadMove, match="your own part"):
        roll_again(3, "d20", own=("d6",))


def test_pn_10_a_wound_is_a_line():
    assert Wound("cut arm", 4).notation == "cut arm (+4, sufficient success)"


def test_pn_11_a_fight_ends_when_one_side_is_left():
    fight = [("us", State.FIGHTING), ("them", State.UNCONSCIOUS), ("them", State.FIGHTING)]
    assert goes_on(fight)
    for state in (State.SURRENDERED, State.UNCONSCIOUS, State.DEAD, State.ESCAPED):
        assert not goes_on([*fight[:2], ("them", state)])
