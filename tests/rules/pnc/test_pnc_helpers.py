"""The ladder, mulligans and the end of a fight."""
from __future__ import annotations

from dataclasses import replace

import pytest

from rules.registry import SYSTEMS
from rules.sheet import Sheet, Trait
from rules.systems.pnc.combat import CombatStatus, after_first_d20, spend_mulligan
from rules.systems.pnc.fight.state import Combatant, State
from rules.systems.pnc.ladder import rung_of_circumstance
from rules.values import BadMove


def test_pn_05_every_factor_has_a_reason():
    with pytest.raises(BadMove, match="what makes it so"):
        rung_of_circumstance("hard", " ")
    with pytest.raises(BadMove, match="Choose one of"):
        rung_of_circumstance("tricky", "Rain")


def test_pn_05_what_is_easy_for_an_npc_is_as_hard_for_whoever_is_against_them():
    rolls = SYSTEMS["pnc"].rolls
    sharp, slow = Trait("1", "feature", "Sharp eyes", 1), Trait("2", "feature", "Slow", -2)
    alone, hurt = Sheet("0", "Guard", (sharp, slow)), Sheet("0", "Guard", (sharp, Trait("3", "wound", "Leg", 2)))
    assert rolls.opposing_fields(sharp, alone, {}) == {"rung": "hard"}
    assert rolls.opposing_fields(slow, alone, {}) == {"rung": "very easy"}
    assert rolls.opposing_fields(sharp, hurt, {}) == {}


def test_pn_09_mulligans():
    assert [after_first_d20(3, face) for face in (20, 1, 10)] == [4, 2, 3]
    assert after_first_d20(0, 1) == 0
    assert spend_mulligan(1) == 0
    with pytest.raises(BadMove):
        spend_mulligan(0)


def test_pn_11_a_fight_ends_when_one_side_is_left():
    us, out, them = (
        Combatant("a", "Ada", "us"), Combatant("b", "Bo", "them", standing=CombatStatus.UNCONSCIOUS.value),
        Combatant("c", "Cy", "them"))
    assert State(combatants=(us, out, them)).goes_on
    for status in (CombatStatus.SURRENDERED, CombatStatus.UNCONSCIOUS, CombatStatus.DEAD, CombatStatus.ESCAPED):
        assert not State(combatants=(us, out, replace(them, standing=status.value))).goes_on
