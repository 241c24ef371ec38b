"""A fight: the order, attacks that two people roll, wounds, and how it ends."""
from __future__ import annotations

from fractions import Fraction

import pytest

from rules.systems.pnc.dice import Roll
from rules.systems.pnc.fight import Fight, Opposed
from rules.systems.pnc.fight.state import Phase
from rules.systems.pnc.standard_roll import AttackRoll
from rules.values import BadMove
from tests.rules.pnc.playing import Table, sheet


def line(name, side, **more):
    return {"sheet": name.lower(), "side": side, "player": name in ("Ada", "Bo"), **more}


def fight(*extra, mulligans=0, caught=(), faces=None, **setup):
    """Ada and Bo (players' characters) against Cy; more may come."""
    sheets = [sheet("Ada", mulligans, sword=1), sheet("Bo", mulligans), sheet("Cy", armour=2), *extra]
    lines = [line(each.name, "them" if each.id == "cy" else "us", caught=each.name in caught) for each in sheets]
    return Table(Fight(), sheets, faces, contestants=lines, **setup)


def ordered(**more):
    """The order is Ada (+6), Cy (+1), Bo (−4)."""
    table = fight(**more)
    for who, d20 in (("ada", 15), ("bo", 5), ("cy", 10)):
        table.act(who, "initiative", [d20, 3, 3, 3])
        if "keep" in table.offered(who):
            table.act(who, "keep")
    return table


def struck(d20=13, **more):
    """Ada has attacked Cy with this d20 against 9."""
    table = ordered(**more)
    table.act("ada", "attack", target="cy", words="a thrust")
    table.act("cy", "defend", [3, 3, 3])
    table.act("ada", "strike", [d20] if d20 not in (1, 20) else [d20, 5])
    return table


def test_pn_07_degrees_set_the_order():
    table = ordered()
    assert [[each.name for each in group] for group in table.state.order] == [["Ada"], ["Cy"], ["Bo"]]
    assert (table.state.round, table.state.acting) == (1, ("ada",))
    assert "The order is: Ada; Cy; Bo." in table.told("PN-07")


def test_pn_07_equal_degrees_act_at_the_same_moment():
    table = fight()
    for who in ("ada", "bo", "cy"):
        table.act(who, "initiative", [10, 3, 3, 3])
    assert table.state.acting == ("ada", "bo", "cy")


def test_pn_07_factors_count_on_initiative_too():
    table = fight()
    table.act("ada", "initiative", [10, 3, 3, 3, 6], circumstances=[{"rung": "hard", "reason": "On the ground"}])
    assert table.state.combatant("ada").score == -2
    shares = dict(table.kind.forecast(table.state, table.sheets, "bo", "initiative", {}))["Acting first"].shares
    assert shares[0][1] + shares[1][1] == 1


def test_pn_07_a_d6_each_with_ties_rolled_off():
    table = fight(initiative="d6", faces=[4, 4, 6, 2, 5])
    assert [[each.name for each in group] for group in table.state.order] == [["Cy"], ["Bo"], ["Ada"]]
    assert table.state.acting == ("cy",)
    assert "Ada shows 4" in table.told("PN-07")


def test_pn_07_who_is_caught_off_guard_can_not_act_until_the_gm_says_so():
    table = fight(caught=("Cy",))
    assert table.offered("cy") == set()
    table.act("ada", "initiative", [15, 3, 3, 3])
    table.act("bo", "initiative", [5, 3, 3, 3])
    assert table.state.acting == ("ada",)
    table.act("", "ready", who="cy")
    assert table.state.phase == Phase.INITIATIVE
    table.act("cy", "initiative", [10, 3, 3, 3])
    assert table.state.acting == ("ada",)
    table.act("ada", "hold")
    assert table.state.acting == ("cy",)


def test_pn_07_who_comes_later_with_a_d6_goes_behind_those_who_showed_the_same():
    table = fight(caught=("Cy",), initiative="d6", faces=[5, 2])
    table.act("", "ready", who="cy")
    table.act("cy", "initiative", [5])
    assert [[each.name for each in group] for group in table.state.order] == [["Ada"], ["Cy"], ["Bo"]]


def test_pn_07_the_gm_rolls_for_the_rest():
    table = fight()
    table.act("ada", "initiative", [15, 3, 3, 3])
    table.act("", "roll_the_rest", [5, 3, 3, 3, 20, 5, 3, 3, 3])
    assert [[each.name for each in group] for group in table.state.order] == [["Cy"], ["Ada"], ["Bo"]]
    assert table.last is not None and len(table.last.outcome.dice) == 9


def test_pn_07_holding_until_ones_next_turn_and_never_before_it_has_come():
    table = ordered()
    assert table.offered("cy") == set()
    table.act("ada", "hold")
    assert table.state.acting == ("cy",) and "attack" in table.offered("ada")
    table.act("ada", "attack", target="cy")
    table.act("cy", "defend", [3, 3, 3])
    table.act("ada", "strike", [10])
    table.act("ada", "unmarked")
    assert table.state.acting == ("cy",) and table.offered("ada") == set()
    table.act("cy", "act", words="looks for the door")
    table.act("bo", "hold")
    assert (table.state.round, table.state.acting) == (2, ("ada",))
    assert "attack" in table.offered("bo")
    table.act("bo", "act", words="shouts")
    assert not table.state.combatant("bo").held
    table.act("ada", "act", words="waits")
    table.act("cy", "act", words="waits")
    assert table.state.acting == ("bo",), "what was held leaves the next turn as it is"


def test_pn_07_a_held_turn_is_gone_when_the_next_one_comes():
    table = ordered()
    table.act("ada", "hold")
    table.act("cy", "act", words="waits")
    table.act("bo", "act", words="waits")
    assert table.state.acting == ("ada",) and not table.state.combatant("ada").held


def test_pn_06_each_rolls_their_own_part():
    table = ordered()
    table.act("ada", "attack", target="cy", features=["ada.sword"], words="a thrust")
    assert table.state.phase == Phase.DEFENCE and table.offered("ada") == set()
    table.act("cy", "defend", [3, 3, 3, 6], features=["cy.armour"])
    assert table.state.attack.button == "1d20 against 4d6, the highest three"
    assert (table.state.phase, table.offered("cy"), table.offered("ada")) == (Phase.STRIKE, set(), {"strike"})
    result = table.act("ada", "strike", [16])
    assert (result["d6"], result["degree"], result["damage"]) == (12, 4, "hurt")
    assert table.told("PN-06").endswith("A hit: +4, sufficient success: Cy is hurt.")


def test_pn_05_what_helps_the_defender_is_the_attackers_penalty():
    table = ordered()
    table.act("ada", "attack", target="cy")
    table.act("", "judge", circumstances=[{"rung": "easy", "reason": "From above"}, {"rung": "hard", "reason": "Rain"}])
    table.act("", "dismiss", which="1")
    table.act("cy", "defend", [3, 3, 3, 3], features=["cy.armour"])
    assert [(each.reason, each.counts) for each in table.state.attack.weights] == [("From above", 1), ("Armour", -2)]
    assert "Armour (Cy): very easy, 2 penalty dice." in table.told("PN-05")


def test_pn_10_a_hit_becomes_a_wound_with_its_degree():
    table = struck()
    table.act("ada", "wound", words="An open cut on the arm")
    wound = table.sheets["cy"].traits[-1]
    assert (wound.kind, wound.name, wound.value) == ("wound", "An open cut on the arm", 4)
    assert table.told("PN-10") == "Cy is hurt: An open cut on the arm (+4, sufficient success)."
    assert table.state.acting == ("cy",)


def test_pn_10_a_graze_may_leave_no_mark():
    table = struck(d20=10)
    table.act("ada", "unmarked")
    assert len(table.sheets["cy"].traits) == 1


def test_pn_06_a_miss_ends_the_attack():
    table = struck(d20=6)
    assert table.state.attack is None and table.state.acting == ("cy",)
    assert table.told("PN-06").endswith("−3, sufficient failure: a miss.")


@pytest.mark.parametrize("what", ["nothing", "wound", "place", "turn", "free"])
def test_pn_06_a_great_failure_may_turn_on_the_attacker(what):
    table = struck(d20=4)
    assert table.state.phase == Phase.BACKFIRE
    assert table.offered("ada") == table.offered("cy") == set()
    if what == "wound":
        with pytest.raises(BadMove, match="how the attacker is hurt"):
            table.act("", "backfire", what=what)
    table.act("", "backfire", what=what, words="The blade snaps")
    assert (table.sheets["ada"].traits[-1].name == "The blade snaps") == (what == "wound")
    if what == "wound":
        assert table.sheets["ada"].traits[-1].value == -5
    if what == "place":
        assert [[each.name for each in group] for group in table.state.order] == [["Cy"], ["Bo"], ["Ada"]]
    if what == "free":
        assert "free_attack" in table.offered("cy")
        table.act("cy", "free_attack")
        table.act("ada", "defend", [6, 6, 6])
        table.act("cy", "strike", [14])
        assert table.state.acting == ("cy",), "a free attack costs no turn"
        assert "free_attack" not in table.offered("cy")
    table.act("cy", "act", words="waits")
    table.act("bo", "act", words="waits")
    first = {"place": "cy", "turn": "cy"}.get(what, "ada")
    assert table.state.acting == (first,)
    if what == "turn":
        assert "Ada loses this turn." in table.told("PN-06")


def test_pn_09_each_rolls_their_own_part_again():
    table = fight(mulligans=2)
    for who, d20 in (("ada", 15), ("bo", 10), ("cy", 5)):
        table.act(who, "initiative", [d20, 3, 3, 3])
    table.act("ada", "keep")
    table.act("bo", "mulligan", [4, 3, 3, 3])
    assert table.points("bo") == 1 and not table.state.round
    table.act("bo", "keep")
    table.act("ada", "act", words="waits")
    table.act("cy", "attack", target="bo")
    table.act("bo", "defend", [3, 3, 3])
    table.act("cy", "strike", [15])
    assert table.state.phase == Phase.SECOND_THOUGHTS
    assert table.offered("bo") == {"stand", "mulligan"} and table.offered("cy") == set()
    table.act("bo", "mulligan", [6, 6, 6])
    assert table.points("bo") == 0
    assert table.state.attack is None and table.told("PN-06").endswith("−3, sufficient failure: a miss.")


def test_pn_09_what_falls_anew_has_to_be_let_stand_anew():
    table = fight(sheet("Dee"), mulligans=2)
    table.sheets["dee"] = sheet("Dee", 2)
    lines = [line("Ada", "us"), line("Bo", "them")]
    table = Table(Fight(), [sheet("Ada", 2), sheet("Bo", 2)], [6, 1], contestants=lines, initiative="d6")
    table.act("ada", "attack", target="bo")
    table.act("bo", "defend", [3, 3, 3])
    table.act("ada", "strike", [15])
    table.act("ada", "stand")
    assert table.offered("ada") == set()
    table.act("bo", "mulligan", [6, 6, 6])
    assert table.offered("ada") == {"stand", "mulligan"} == table.offered("bo")
    table.act("ada", "mulligan", [20, 5])
    assert table.points("ada") == 2, "the 20 gave back what was spent"
    table.act("bo", "stand")
    table.act("ada", "stand")
    assert table.state.phase == Phase.WOUND
    assert table.replayed() == table.state


def test_pn_11_it_ends_when_one_side_is_left():
    table = struck()
    table.act("", "deal", words="Straight through", standing="dead")
    assert table.state.over and table.state.winner == "us"
    assert table.told("PN-11").endswith("Only us still stands: the fight is over.")
    assert table.replayed() == table.state
    assert not table.kind.offers(table.state, table.sheets)


@pytest.mark.parametrize("standing", ["surrendered", "escaped"])
def test_pn_11_one_may_give_up_or_get_away(standing):
    table = ordered()
    table.act("ada", "act", words="waits")
    table.act("cy", "leave", standing=standing)
    assert table.state.over and table.state.combatant("cy").standing == standing


def test_pn_11_the_gm_says_how_somebody_stands():
    table = ordered()
    table.act("", "stands", who="bo", standing="unconscious", words="The fumes")
    assert table.state.combatant("bo").state == "unconscious"
    with pytest.raises(BadMove, match="already"):
        table.act("", "stands", who="bo", standing="unconscious")
    table.act("", "stands", who="bo", standing="fighting")
    table.act("", "end", words="They talk")
    assert table.state.over and table.state.winner == ""


def test_pn_11_two_sides_and_somebody_who_can_act():
    lines = [line("Ada", "us"), line("Cy", "us")]
    with pytest.raises(BadMove, match="two sides"):
        Table(Fight(), [sheet("Ada"), sheet("Cy")], contestants=lines)
    lines = [line("Ada", "us", caught=True), line("Cy", "them", caught=True)]
    with pytest.raises(BadMove, match="able to act"):
        Table(Fight(), [sheet("Ada"), sheet("Cy")], contestants=lines)


def test_pn_06_odds_before_each_part():
    table = ordered()
    table.act("ada", "attack", target="cy")
    (_, before), = table.state.forecast
    assert {label: share for label, share, _ in before.shares}["Hurt"] == AttackRoll().odds(
        Roll(), "damage")["hurt"]
    (_, own), = table.kind.forecast(table.state, table.sheets, "cy", "defend", {"features": ["cy.armour"]})
    assert {label: share for label, share, _ in own.shares}["Hurt"] == AttackRoll().odds(
        Roll(penalty=2), "damage")["hurt"]
    table.act("cy", "defend", [6, 6, 6])
    (_, after), = table.state.forecast
    hits = sum(share for _, share, tone in after.shares if tone == "good")
    assert hits == Fraction(1, 10), "19 and 20 are over 18"


def test_what_is_not_offered_is_refused_with_what_is_waited_for():
    table = ordered()
    with pytest.raises(BadMove, match="It is the turn of Ada"):
        table.act("cy", "attack", target="ada")
    with pytest.raises(BadMove, match="Choose from these"):
        table.act("ada", "attack", target="bo")


def opposed(**more):
    lines = [{"sheet": "ada", "side": "x", "player": True, "leads": True}, {"sheet": "cy", "side": "y", **more}]
    return Table(Opposed(), [sheet("Ada", 1, sneaking=1), sheet("Cy", ears=1)], contestants=lines)


def test_pn_06_an_opposed_roll_hurts_nobody():
    table = opposed()
    assert (table.offered("ada"), table.offered("cy")) == ({"weigh"}, {"defend"})
    table.act("ada", "weigh", features=["ada.sneaking"])
    table.act("cy", "defend", [4, 4, 4], features=["cy.ears"])
    (_, odds), = table.state.forecast
    assert [label for label, _, _ in odds.shares] == ["Success", "Failure"]
    table.act("ada", "strike", [5])
    assert table.offered("ada") == {"stand", "mulligan"}
    result = table.act("ada", "mulligan", [4])
    assert table.state.over and result["reading"] == "Cy prevails; Ada has −8, spectacular failure."
    assert table.state.outcome == "Cy prevails; Ada has −8, spectacular failure"
    assert len(table.sheets["ada"].traits) == 1 and table.replayed() == table.state


def test_pn_06_one_of_the_two_has_the_d20():
    with pytest.raises(BadMove, match="which one of them rolls the d20"):
        opposed(leads=True)
