"""What may be rolled again in a fight, until when, and how few presses that takes."""
from __future__ import annotations

from fractions import Fraction

import pytest

from rules.systems.pnc.fight import Fight
from rules.wording import percent
from tests.rules.pnc.fighting import duel, duel_struck, fight, line, ordered, wounds
from tests.rules.pnc.playing import Table, sheet


@pytest.mark.parametrize("d20", [15, 10, 6, 2])
def test_pn_06_an_attack_between_two_players_is_three_presses_where_nobody_objects(d20):
    table = duel_struck(d20)
    assert table.state.attack is None and table.state.acting == ("bo",)
    assert {"attack", "act", "hold", "mulligan"} <= table.offered("bo")
    assert "stand" not in table.offered("ada") | table.offered("bo")
    assert wounds(table, "bo") == ([("Badly hurt by Ada", 6)] if d20 == 15 else [])


def test_pn_09_until_somebody_acts_either_may_roll_their_part_again():
    table = duel_struck()
    assert "Ada and Bo may spend a mulligan point to roll again, until someone acts." in table.view().facts
    assert [against for against, _ in table.view().detail.attack.forecast] == [
        "If Ada rolls the d20 again", "If Bo rolls the 3d6 again"]
    table.act("bo", "mulligan", [6, 6, 6])
    assert table.points("bo") == 1 and wounds(table, "bo") == [], "the wound is gone with the hit"
    assert "Bo rolls again: 18 to get over." in table.text("PN-09")
    assert table.last is not None and [die.face for die in table.last.dice] == [6, 6, 6]
    assert table.text("PN-06").endswith("−3, sufficient failure: a miss.")
    table.act("ada", "mulligan", [20, 5])
    assert table.text("PN-06").startswith("Ada rolls again: 25 against 18.")
    assert [(die.sides, die.face) for die in table.last.dice] == [(20, 20), (20, 5), (6, 6), (6, 6), (6, 6)]
    assert table.points("ada") == 2, "the 20 gave back what was spent"
    assert wounds(table, "bo") == [("Badly hurt by Ada", 7)]
    table.act("ada", "wound", words="Across the hand")
    table.act("bo", "mulligan", [5, 5, 5])
    assert wounds(table, "bo") == [("Crippled by Ada", 10)], "the new hit has its own words"
    assert table.offered("ada") == {"wound", "unmarked", "mulligan"}
    assert "mulligan" not in table.offered("bo"), "no point is left"
    assert table.state.acting == ("bo",)
    table.act("bo", "act", words="swears")
    assert table.offered("bo") == set(), "Bo has acted, and it is round two"
    assert "mulligan" not in table.offered("ada")
    assert table.replayed() == table.state


@pytest.mark.parametrize(("action", "given"), [
    ("act", {"words": "waits"}), ("hold", {}), ("leave", {"standing": "escaped"}), ("attack", {"target": "cy"}),
])
def test_pn_09_whoever_acts_lets_stand_what_was_rolled_before(action, given):
    lines = [line("Ada", "us"), line("Bo", "them"), line("Cy", "all")]
    table = Table(Fight(), [sheet("Ada", 2), sheet("Bo", 2), sheet("Cy")], [6, 3, 1], contestants=lines,
                  initiative="d6")
    table.act("ada", "attack", target="bo")
    table.act("bo", "defend", [3, 3, 3])
    table.act("ada", "strike", [15])
    assert "mulligan" in table.offered("ada")
    table.act("bo", action, **given)
    assert "mulligan" not in table.offered("ada") | table.offered("bo")
    assert not any("mulligan" in fact for fact in table.view().facts)


def test_pn_09_a_turn_that_the_gm_skips_closes_it_too():
    table = duel_struck()
    table.act("", "skip", who="bo")
    assert "mulligan" not in table.offered("ada") | table.offered("bo")


def test_pn_09_what_the_gm_rules_is_final():
    table = duel_struck()
    table.act("", "deal", words="Through the hand", standing="fighting")
    assert "mulligan" not in table.offered("ada") | table.offered("bo")
    failed = duel_struck(d20=2)
    assert "mulligan" in failed.offered("ada")
    failed.act("", "backfire", what="nothing")
    assert "mulligan" not in failed.offered("ada") | failed.offered("bo")


def test_pn_09_a_wound_that_was_healed_meanwhile_stays_healed():
    table = duel_struck()
    table.sheets["bo"] = sheet("Bo", 2, wounds={"An old one": 6})
    table.act("bo", "mulligan", [6, 6, 6])
    assert wounds(table, "bo") == [("An old one", 6)]


def test_pn_09_a_place_can_be_rolled_for_again_until_somebody_acts():
    table = ordered(mulligans=2)
    assert (table.state.round, table.state.acting) == (1, ("ada",))
    assert table.offered("bo") == {"mulligan"} and "mulligan" not in table.offered("ada"), "Ada is first anyway"
    table.act("bo", "mulligan", [18, 3, 3, 3])
    assert table.points("bo") == 1
    assert (table.state.round, table.state.acting) == (1, ("bo",))
    assert table.text("PN-07").startswith("Bo rolls again for initiative: +9.")
    assert "The order is: Bo; Ada; Cy." in table.text("PN-07")
    assert table.offered("ada") == {"mulligan"}
    table.act("bo", "act", words="waits")
    assert "mulligan" not in table.offered("ada") | table.offered("bo")
    assert table.replayed() == table.state


def test_pn_09_before_all_have_rolled_a_place_can_be_rolled_for_again_too():
    table = fight(mulligans=1)
    assert table.offered("ada") == {"initiative"}
    table.act("ada", "initiative", [5, 3, 3, 3])
    assert table.offered("ada") == {"mulligan"}
    table.act("ada", "mulligan", [12, 3, 3, 3])
    assert table.offered("ada") == set() and not table.state.round
    assert table.text("PN-09") == "Ada spends a mulligan point; none is left."


def test_pn_09_who_comes_later_can_roll_again_and_the_round_goes_on():
    lines = [line("Ada", "us"), line("Cy", "them"), line("Bo", "them", caught=True)]
    table = Table(Fight(), [sheet("Ada"), sheet("Cy"), sheet("Bo", 2)], contestants=lines)
    table.act("ada", "initiative", [15, 3, 3, 3])
    table.act("cy", "initiative", [10, 3, 3, 3])
    table.act("ada", "act", words="waits")
    table.act("", "ready", who="bo")
    assert table.offered("cy") == table.offered("ada") == set(), "Bo rolls first"
    table.act("bo", "initiative", [5, 3, 3, 3])
    assert table.state.acting == ("cy",) and table.offered("bo") == {"mulligan"}
    table.act("bo", "mulligan", [18, 3, 3, 3])
    assert (table.state.round, table.state.acting) == (1, ("cy",))
    table.act("cy", "act", words="waits")
    assert table.state.acting == ("bo",)
    assert table.replayed() == table.state


def test_pn_07_a_d6_is_no_roll_to_make_again():
    table = duel()
    assert "mulligan" not in table.offered("ada") | table.offered("bo")


def test_pn_09_new_dice_say_at_their_button_what_they_may_come_to():
    table = duel_struck(12)  # 12 over 9: a hit
    assert table.offer("ada", "mulligan").title.startswith("Roll the d20 again: ")
    assert table.offer("ada", "mulligan").title.endswith("45% to miss"), "a d20 of 9 or less"
    assert table.offer("bo", "mulligan").title.endswith(f": {percent(Fraction(81, 216))} that it misses"), "12 or more"
    missed = duel_struck(8)
    assert missed.offer("ada", "mulligan").title == "Roll the d20 again: 55% to hit"


def test_pn_09_the_steps_of_a_defence_that_is_rolled_again_say_how_both_parts_are_read():
    table = duel_struck()
    table.act("bo", "mulligan", [6, 6, 6])
    assert table.text("PN-02") == "15 against 18: not over it, a failure."
    assert table.text("PN-03") == "15 less 18 is a degree of −3: sufficient failure."
