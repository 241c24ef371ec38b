"""The ladder, mulligans and the end of a fight."""
from __future__ import annotations

import pytest

from rules.systems.pnc.combat import CombatStatus, after_first_d20, goes_on, spend_mulligan
from rules.systems.pnc.ladder import rung_of_circumstance
from rules.values import BadMove


def test_pn_05_every_factor_has_a_reason():
    with pytest.raises(BadMove, match="what makes it so"):
        rung_of_circumstance("hard", " ")
    with pytest.raises(BadMove, match="Choose one of"):
        rung_of_circumstance("tricky", "Rain")


def test_pn_09_mulligans():
    assert [after_first_d20(3, face) for face in (20, 1, 10)] == [4, 2, 3]
    assert after_first_d20(0, 1) == 0
    assert spend_mulligan(1) == 0
    with pytest.raises(BadMove):
        spend_mulligan(0)


def test_pn_11_a_fight_ends_when_one_side_is_left():
    fight = [("us", CombatStatus.FIGHTING), ("them", CombatStatus.UNCONSCIOUS), ("them", CombatStatus.FIGHTING)]
    assert goes_on(fight)
    for state in (CombatStatus.SURRENDERED, CombatStatus.UNCONSCIOUS, CombatStatus.DEAD, CombatStatus.ESCAPED):
        assert not goes_on([*fight[:2], ("them", state)])
