"""A fight: the order, attacks that two people roll, wounds, and how it ends."""
from __future__ import annotations

from fractions import Fraction

import pytest

from rules.systems.pnc.dice import Roll
from rules.systems.pnc.fight import Fight
from rules.systems.pnc.fight.state import Phase
from rules.systems.pnc.standard_roll import AttackRoll
from rules.values import BadMove
from tests.rules.pnc.fighting import fight, line, ordered, struck, wounds
from tests.rules.pnc.playing import Table, sheet


def test_pn_07_degrees_set_the_order():
    table = ordered()
    assert [[member.name for member in group] for group in table.state.order] == [["Ada"], ["Cy"], ["Bo"]]
    assert (table.state.round, table.state.acting) == (1, ("ada",))
    assert "The order is: Ada; Cy; Bo." in table.text("PN-07")


def test_pn_07_the_gm_skips_a_turn_and_a_player_holds_one():
    table = ordered()
    table.act("", "skip", who="ada")
    assert "Ada passes." in table.text("PN-07") and table.state.acting == ("cy",)
    table.act("cy", "hold")
    assert "Cy holds, until the next time round at the latest." in table.text("PN-07")
    assert table.state.combatant("cy").held and "hold" not in table.offered("cy")


def test_pn_07_equal_degrees_act_at_the_same_moment():
    table = fight()
    for who, d20 in (("ada", 15), ("bo", 5), ("cy", 15)):
        table.act(who, "initiative", [d20, 3, 3, 3])
    assert table.state.acting == ("ada", "cy")
    assert "It is the turn of Ada and Cy, at the same moment." in table.text("PN-07")
    assert "at the same moment" not in ordered().text("PN-07")


def test_pn_07_factors_count_on_initiative_too():
    table = fight()
    table.act("ada", "initiative", [10, 3, 3, 3, 6], circumstances=[{"rung": "hard", "reason": "On the ground"}])
    assert table.state.combatant("ada").score == -2
    outcomes = dict(table.kind.forecast(table.state, table.sheets, "bo", "initiative", {}))["Acting first"].outcomes
    assert outcomes[0][1] + outcomes[1][1] == 1


def test_pn_07_a_d6_each_with_ties_rolled_off():
    table = fight(initiative="d6", faces=[4, 4, 6, 2, 5])
    assert [[member.name for member in group] for group in table.state.order] == [["Cy"], ["Bo"], ["Ada"]]
    assert table.state.acting == ("cy",)
    assert "Ada shows 4" in table.text("PN-07")


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
    assert [[member.name for member in group] for group in table.state.order] == [["Ada"], ["Cy"], ["Bo"]]


def test_pn_07_the_gm_rolls_for_the_rest():
    table = fight()
    table.act("ada", "initiative", [15, 3, 3, 3])
    table.act("", "roll_the_rest", [5, 3, 3, 3, 20, 5, 3, 3, 3])
    assert [[member.name for member in group] for group in table.state.order] == [["Cy"], ["Ada"], ["Bo"]]
    assert table.last is not None and len(table.last.outcome.dice) == 9


def test_pn_07_holding_until_ones_next_turn_and_never_before_it_has_come():
    table = ordered()
    assert table.offered("cy") == set()
    table.act("ada", "hold")
    assert table.state.acting == ("cy",) and "attack" in table.offered("ada")
    table.act("ada", "attack", target="cy")
    assert table.text("PN-06") == "Ada attacks Cy from hold."
    table.act("cy", "defend", [3, 3, 3])
    table.act("ada", "strike", [6])
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
    assert table.text("PN-06") == "Ada attacks Cy: “a thrust”."
    assert table.state.phase == Phase.DEFENCE and table.offered("ada") == set()
    table.act("cy", "defend", [3, 3, 3, 6], features=["cy.armour"])
    assert table.state.attack.button == "1d20 against 4d6, the highest three"
    assert (table.state.phase, table.offered("cy"), table.offered("ada")) == (Phase.STRIKE, set(), {"strike"})
    result = table.act("ada", "strike", [16])
    assert (result["d6"], result["degree"], result["damage"]) == (12, 4, "hurt")
    assert table.text("PN-06").endswith("A hit: +4, sufficient success: Cy is hurt.")
    assert table.text("PN-10") == "On Cy’s sheet: Hurt by Ada: a thrust (+4, sufficient success)."


def test_pn_05_what_helps_the_defender_is_the_attackers_penalty():
    table = ordered()
    table.act("ada", "attack", target="cy")
    table.act("", "judge", circumstances=[{"rung": "easy", "reason": "From above"}, {"rung": "hard", "reason": "Rain"}])
    table.act("", "dismiss", which="1")
    table.act("cy", "defend", [3, 3, 3, 3], features=["cy.armour"])
    assert [(weight.reason, weight.counts)
            for weight in table.state.attack.weights] == [("From above", 1), ("Armour", -2)]
    assert "Armour (Cy): very easy, 2 penalty dice." in table.text("PN-05")


def test_pn_05_the_defence_says_what_it_rolled_and_what_all_factors_made_of_it():
    table = ordered()
    table.act("ada", "attack", target="cy")
    table.act("cy", "defend", [3, 3, 4])
    assert table.text("PN-06") == "Cy rolls 3d6: 10 to get over." and table.text("PN-05") == ""
    table = ordered()
    table.act("ada", "attack", target="cy", features=["ada.sword"])
    table.act("cy", "defend", [3, 3, 4, 5], features=["cy.armour"])
    assert table.text("PN-06") == "Cy rolls 4d6: 12 to get over."
    assert table.text("PN-05") == ("All factors together make it 1d20 against 4d6, the highest three. "
                                   "Armour (Cy): very easy, 2 penalty dice.")


def test_pn_05_the_gm_adds_circumstances_until_the_defence_is_rolled():
    table = ordered()
    assert "judge" not in table.offered("")
    table.act("ada", "attack", target="cy")
    assert "judge" in table.offered("") and "dismiss" not in table.offered("")
    table.act("", "judge", circumstances=[{"rung": "hard", "reason": "Rain"}])
    assert "dismiss" in table.offered("")
    table.act("cy", "defend", [3, 3, 3, 3])
    assert not table.offered("") & {"judge", "dismiss"}, "the dice lie: what made it harder is settled"
    table.act("ada", "strike", [13])
    assert not table.offered("") & {"judge", "dismiss"}


def test_pn_10_a_hit_is_a_wound_in_the_words_of_its_degree_until_somebody_says_it_better():
    table = struck()
    assert wounds(table) == [("Hurt by Ada: a thrust", 4)]
    assert table.state.acting == ("cy",), "nobody has to press anything"
    assert table.offer("ada", "wound").now == {"words": "Hurt by Ada: a thrust"}
    table.act("ada", "wound", words="An open cut on the arm")
    assert wounds(table) == [("An open cut on the arm", 4)]
    assert table.text("PN-10") == "On Cy’s sheet: An open cut on the arm (+4, sufficient success)."
    table.act("ada", "unmarked")
    assert wounds(table) == [] and table.text("PN-10") == "The hit leaves no mark on Cy."
    assert "unmarked" not in table.offered("ada")
    table.act("", "deal", words="A scratch after all", standing="fighting")
    assert wounds(table) == [("A scratch after all", 4)] and not table.text("PN-11")
    assert table.replayed() == table.state


def test_pn_10_words_for_a_wound_can_be_found_until_the_next_attack():
    table = struck()
    table.act("cy", "act", words="swears")
    assert {"wound", "unmarked"} <= table.offered("ada") and "deal" in table.offered("")
    table.act("bo", "attack", target="cy")
    assert table.offered("ada") == set() and "deal" not in table.offered("")
    assert wounds(table) == [("Hurt by Ada: a thrust", 4)]


def test_pn_10_a_graze_leaves_no_mark_unless_somebody_says_so():
    table = struck(d20=10)
    assert wounds(table) == [] and "unmarked" not in table.offered("ada")
    table.act("ada", "wound", words="A torn sleeve")
    assert wounds(table) == [("A torn sleeve", 1)]


def test_pn_10_a_long_story_of_an_attack_leaves_a_short_line():
    table = ordered()
    table.act("ada", "attack", target="cy", words="a thrust " * 20)
    table.act("cy", "defend", [3, 3, 3])
    table.act("ada", "strike", [17])
    assert wounds(table) == [("Crippled by Ada", 8)]
    table.act("cy", "attack", target="ada", words="With the club.")
    table.act("ada", "defend", [3, 3, 3])
    table.act("cy", "strike", [14])
    assert wounds(table, "ada") == [("Badly hurt by Cy: With the club", 5)]


def test_pn_10_a_hit_without_words_says_who_it_was():
    table = ordered()
    table.act("ada", "attack", target="cy")
    table.act("cy", "defend", [3, 3, 3])
    table.act("ada", "strike", [11])
    assert wounds(table) == [("Hurt by Ada", 2)]


def test_pn_06_a_miss_ends_the_attack():
    table = struck(d20=6)
    assert table.state.attack is None and table.state.acting == ("cy",)
    assert table.text("PN-06").endswith("−3, sufficient failure: a miss.")


@pytest.mark.parametrize("what", ["nothing", "wound", "place", "turn", "free"])
def test_pn_06_a_great_failure_may_turn_on_the_attacker(what):
    table = struck(d20=4)
    assert table.state.acting == ("cy",) and "backfire" in table.offered("")
    assert "The great failure may turn on Ada: the GM says how." in table.view().facts
    if what == "wound":
        with pytest.raises(BadMove, match="how the attacker is hurt"):
            table.act("", "backfire", what=what)
    table.act("", "backfire", what=what, words="The blade snaps")
    assert "backfire" not in table.offered("") and not any("may turn" in fact for fact in table.view().facts)
    assert wounds(table, "ada") == ([("The blade snaps", -5)] if what == "wound" else [])
    if what == "place":
        assert [[member.name for member in group] for group in table.state.order] == [["Cy"], ["Bo"], ["Ada"]]
    if what == "free":
        assert "free_attack" in table.offered("cy")
        table.act("cy", "free_attack")
        assert table.text("PN-06") == "Cy attacks Ada, free of cost."
        table.act("ada", "defend", [6, 6, 6])
        table.act("cy", "strike", [14])
        assert table.state.acting == ("cy",), "a free attack costs no turn"
        assert "free_attack" not in table.offered("cy")
    table.act("cy", "act", words="waits")
    table.act("bo", "act", words="waits")
    first = {"place": "cy", "turn": "cy"}.get(what, "ada")
    assert table.state.acting == (first,)
    if what == "turn":
        assert "Ada loses this turn." in table.text("PN-06")


@pytest.mark.parametrize(("d20", "may"), [(5, False), (4, True)])
def test_pn_06_only_a_great_failure_turns_on_the_attacker(d20, may):
    table = struck(d20=d20)
    assert ("backfire" in table.offered("")) == may
    assert table.text("PN-06").endswith("Ada." if may else "a miss.")
    table.act("cy", "act", words="waits")
    assert ("backfire" in table.offered("")) == may, "the GM may take their time"
    table.act("bo", "attack", target="cy")
    assert ("backfire" in table.offered("")) == may, "and other attacks do not end it"


def test_pn_06_a_great_failure_waits_for_the_gm_whatever_is_done_meanwhile():
    table = struck(d20=4)
    table.act("cy", "attack", target="ada", words="back")
    table.act("ada", "defend", [3, 3, 3])
    table.act("cy", "strike", [2])
    assert [(failed.by, failed.target) for failed in table.state.unruled] == [("ada", "cy"), ("cy", "ada")]
    asked = [ask.text for ask in table.kind.asks(table.state, table.sheets) if ask.action == "backfire"]
    assert asked == ["say what the 2 great failures do to Ada and Cy"]
    table.act("", "stands", who="cy", standing="surrendered")
    assert not table.state.over, "nobody of the other side is left, and the GM has still to say it"
    assert table.view().waits_for == "Waiting " + "; ".join(f"for the GM: {text}" for text in asked) + "."
    table.act("", "backfire", what="nothing")
    table.act("", "backfire", what="wound", words="Fell on his own blade")
    assert table.state.over and wounds(table) == [("Fell on his own blade", -7)]


def test_pn_11_it_ends_when_one_side_is_left():
    table = struck()
    table.act("", "deal", words="Straight through", standing="dead")
    assert table.state.over and table.state.winner == "us"
    assert table.text("PN-11").endswith("Nobody but us is still standing: the fight is over.")
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
    (_, before), = table.view().detail.attack.forecast
    assert {label: chance for label, chance, _ in before.outcomes}["Hurt"] == AttackRoll().odds(
        Roll(), "damage")["hurt"]
    (_, own), = table.kind.forecast(table.state, table.sheets, "cy", "defend", {"features": ["cy.armour"]})
    assert {label: chance for label, chance, _ in own.outcomes}["Hurt"] == AttackRoll().odds(
        Roll(penalty=2), "damage")["hurt"]
    table.act("cy", "defend", [6, 6, 6])
    (_, after), = table.view().detail.attack.forecast
    hits = sum(chance for _, chance, tone in after.outcomes if tone == "good")
    assert hits == Fraction(1, 10), "19 and 20 are over 18"


def test_what_is_not_offered_is_refused_with_what_is_waited_for():
    table = ordered()
    with pytest.raises(BadMove, match="Waiting for Ada: attack Cy, or another action"):
        table.act("cy", "attack", target="ada")
    with pytest.raises(BadMove, match="Choose from these"):
        table.act("ada", "attack", target="bo")


def test_pn_06_of_several_foes_the_one_last_exchanged_with_stands_chosen():
    lines = [line(name, "us" if name == "Ada" else "them") for name in ("Ada", "Cy", "Di", "Ed")]
    table = Table(Fight(), [sheet(name) for name in ("Ada", "Cy", "Di", "Ed")], [6, 5, 4, 3],
                  contestants=lines, initiative="d6")

    def strikes(by, target):
        table.act(by, "attack", target=target)
        table.act(target, "defend", [3, 3, 3])
        table.act(by, "strike", [8])

    assert table.offer("ada", "attack").now is None, "nobody has met anyone"
    strikes("ada", "cy")
    assert table.offer("cy", "attack").now == {"target": "ada"}, "the one foe"
    strikes("cy", "ada")
    table.act("di", "act", words="waits")
    table.act("ed", "act", words="waits")
    assert table.offer("ada", "attack").now == {"target": "cy"}
    strikes("ada", "di")
    table.act("cy", "act", words="waits")
    table.act("di", "act", words="waits")
    strikes("ed", "ada")
    assert table.offer("ada", "attack").now == {"target": "ed"}, "whoever last came at her"
    table.act("", "stands", who="ed", standing="surrendered")
    assert table.offer("ada", "attack").now == {"target": "di"}, "of those who still fight"
