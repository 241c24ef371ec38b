"""Rounds, turns, strategies, help and range of a conflict (PQ-05, PQ-08, PQ-11, PQ-12, PQ-13, PQ-20)."""
from __future__ import annotations

from typing import Any

import pytest

from rules.moves import Need
from rules.systems.pdq.conflict.state import Phase
from rules.values import BadMove
from tests.rules.pdq.walking import KIND, Table, sheet

ADA = sheet("Ada", fists=3, speed=1)
BO = sheet("Bo", sword=2)
CY = sheet("Cy", sword=2)
DEE = sheet("Dee", claws=1, slow=-1)


def sides(*heroes: str, foes: tuple[str, ...] = ("dee",), **more: dict[str, Any]) -> list[dict[str, Any]]:
    """Contestants of two sides; what more is to say of one comes by its id."""
    lines = [{"sheet": id_, "side": side} for side, ids in (("heroes", heroes), ("foes", foes)) for id_ in ids]
    return [{**line, **more.get(line["sheet"], {})} for line in lines]


def table(**setup: Any) -> Table:
    """Ada, Bo and Cy against Dee; Bo and Cy are tied."""
    return Table([ADA, BO, CY, DEE], **{"contestants": sides("ada", "bo", "cy"), **setup})


def pass_until(played: Table, who: str) -> None:
    while who not in played.state.acting:
        played.act(played.state.acting[0], "pass")


def test_pq_11_the_highest_rank_acts_first_and_the_tied_together() -> None:
    played = table()
    assert played.state.order == (("ada",), ("bo", "cy"), ("dee",))
    assert (played.state.round, played.state.acting) == (1, ("ada",))
    played.act("ada", "pass")
    assert played.state.acting == ("bo", "cy")
    played.act("cy", "pass")
    assert played.state.acting == ("bo",)


def test_pq_11_surprise_goes_before_speed_and_speed_before_rank() -> None:
    quick = sheet("Dee", claws=1)
    more = {"bo": {"surprises": True}, "dee": {"speed": ["dee.claws"]}}
    played = Table([ADA, BO, quick], contestants=sides("ada", "bo", **more))
    assert played.state.order == (("bo",), ("dee",), ("ada",))


def test_pq_11_nobody_is_quick_by_being_slow() -> None:
    played = Table([ADA, DEE], contestants=sides("ada", dee={"speed": ["dee.slow"]}))
    assert played.state.order == (("ada",), ("dee",))


def test_pq_11_ties_may_be_rolled_and_rolled_again() -> None:
    setup = {"contestants": sides("bo", "cy"), "ties": "roll"}
    sheets = {sheet.id: sheet for sheet in (BO, CY, DEE)}
    assert KIND.start(setup, sheets) == Need((6, 6))
    assert KIND.start(setup, sheets, (4, 4)) == Need((6, 6))
    faces = iter((4, 4, 2, 5))
    played = Table([BO, CY, DEE], dice=lambda sides: next(faces), **setup)
    assert played.state.order == (("cy",), ("bo",), ("dee",))
    assert played.last is not None
    assert [(die.role, die.face) for die in played.last.outcome.dice] == [("Bo", 4), ("Cy", 4), ("Bo", 2), ("Cy", 5)]
    with pytest.raises(BadMove, match="Enter 2 dice"):
        KIND.start(setup, sheets, (1, 2, 3))


def test_pq_11_a_free_round_against_the_unaware() -> None:
    more = {"bo": {"surprises": True}, "dee": {"unaware": True}}
    played = Table([ADA, BO, DEE], contestants=sides("ada", "bo", **more), free_round=True)
    assert (played.state.round, played.state.acting) == (0, ("bo",))
    assert played.options("bo", "attack", "targets") == ["dee"]
    played.act("bo", "pass")
    assert (played.state.round, played.state.acting) == (1, ("bo",))
    assert played.who("dee").unaware
    pass_until(played, "dee")
    assert not played.who("dee").unaware


def test_pq_11_a_free_round_reaches_the_unaware_alone() -> None:
    more = {"ada": {"surprises": True}, "cy": {"unaware": True}}
    played = Table([ADA, CY, DEE], contestants=sides("ada", foes=("cy", "dee"), **more), free_round=True)
    assert played.options("ada", "attack", "targets") == ["cy"]


def test_pq_11_a_held_action_comes_between_turns() -> None:
    played = table()
    played.act("ada", "hold")
    assert "Ada holds the action: it can come between any two turns of this round." in played.text("PQ-11")
    assert "attack" in played.offered("ada")
    played.act("bo", "pass")
    assert "attack" not in played.offered("ada"), "those of one moment are not interrupted"
    played.act("cy", "pass")
    played.act("ada", "act", words="Cuts the rope")
    assert played.state.acting == ("dee",)
    played.act("dee", "pass")
    assert played.state.round == 2


def test_pq_11_a_held_action_is_lost_when_the_round_ends() -> None:
    played = table()
    played.act("ada", "hold")
    pass_until(played, "dee")
    played.act("dee", "pass")
    assert played.state.phase is Phase.LAST_CALL
    assert {"attack", "act", "let_go"} <= played.offered("ada")
    assert not played.offered("bo")
    played.act("ada", "let_go")
    assert (played.state.round, played.state.acting) == (2, ("ada",))


def test_pq_11_a_holder_who_attacks_leaves_the_turn_to_whose_it_was() -> None:
    played = table()
    played.act("ada", "hold")
    played.act("ada", "attack", targets=["dee"], qualities=["ada.fists"])
    played.act("dee", "defend", [1, 1, 6, 6], qualities=["dee.claws"])
    assert played.state.acting == ("bo", "cy")


def test_pq_11_the_gm_skips_somebody_who_is_not_there() -> None:
    played = table()
    played.act("", "skip", who="ada")
    assert played.state.acting == ("bo", "cy")


def test_pq_12_each_target_after_the_first_costs_a_downshift() -> None:
    played = Table([ADA, BO, CY, DEE], contestants=sides("ada", foes=("bo", "cy", "dee")))
    played.act("ada", "attack", targets=["dee", "bo", "cy"], qualities=["ada.fists"])
    played.act("bo", "defend", qualities=["bo.sword"])
    played.act("dee", "defend", qualities=["dee.claws"])
    result = played.act("cy", "defend", [3, 3, 1, 1, 2, 2, 5, 5], qualities=["cy.sword"])
    assert result["attack"] == 6 + 2
    assert [(hit["target"], hit["defence"]) for hit in result["hits"]] == [("dee", 4), ("bo", 8), ("cy", 14)]
    assert [hit["damage"]["defender"] for hit in result["hits"]] == [4, 1, 0]
    assert "2 downshifts for each target after the first" in played.text("PQ-12")
    assert played.last is not None
    assert [die.role for die in played.last.outcome.dice] == ["Ada", "Ada", "Dee", "Dee", "Bo", "Bo", "Cy", "Cy"]


def test_pq_12_flipping_out_lifts_the_attack_and_lowers_reactions_until_the_next_turn() -> None:
    played = Table([BO, DEE], contestants=sides("bo"))
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"], strategy="flip_out")
    assert played.act("dee", "defend", [1, 1, 6, 6])["attack"] == 2 + 6
    played.act("dee", "attack", targets=["bo"], qualities=["dee.claws"])
    assert played.act("bo", "defend", [1, 1, 1, 2], qualities=["bo.sword"])["hits"][0]["defence"] == 3 + 2
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    assert played.act("dee", "defend", [1, 1, 6, 6])["attack"] == 2 + 4
    played.act("dee", "attack", targets=["bo"], qualities=["dee.claws"])
    assert played.act("bo", "defend", [1, 1, 1, 2], qualities=["bo.sword"])["hits"][0]["defence"] == 3 + 4


def test_pq_12_flipping_out_lowers_other_actions_and_waits_for_the_next_attack() -> None:
    played = Table([BO, DEE], contestants=sides("bo"))
    result = played.act("bo", "act", [3, 3], qualities=["bo.sword"], strategy="flip_out", difficulty="good")
    assert (result["total"], result["success"]) == (6 + 2, False)
    played.act("dee", "pass")
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    assert played.act("dee", "defend", [1, 1, 6, 6])["attack"] == 2 + 6
    played.act("dee", "pass")
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    assert played.act("dee", "defend", [1, 1, 6, 6])["attack"] == 2 + 4


def test_pq_12_a_strategy_ends_with_the_own_turn_even_where_that_is_held() -> None:
    played = Table([BO, DEE], contestants=sides("bo"))
    played.act("bo", "pass", strategy="cagey")
    assert played.who("bo").strategy == "cagey"
    played.act("dee", "pass")
    played.act("bo", "hold")
    played.act("dee", "attack", targets=["bo"], qualities=["dee.claws"])
    assert played.act("bo", "defend", [1, 1, 1, 2], qualities=["bo.sword"])["hits"][0]["defence"] == 3 + 4


def test_pq_12_playing_it_cagey_lowers_the_attack_and_lifts_reactions() -> None:
    played = Table([BO, DEE], contestants=sides("bo"))
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"], strategy="cagey")
    assert played.act("dee", "defend", [1, 1, 6, 6])["attack"] == 2 + 2
    played.act("dee", "attack", targets=["bo"], qualities=["dee.claws"])
    assert played.act("bo", "defend", [1, 1, 1, 2], qualities=["bo.sword"])["hits"][0]["defence"] == 3 + 6


def test_pq_12_an_attack_that_goes_below_poor_fails_without_dice() -> None:
    played = Table([DEE, BO], contestants=sides("dee", foes=("bo",)))
    played.act("bo", "pass")
    result = played.act("dee", "attack", targets=["bo"], qualities=["dee.slow"], strategy="cagey")
    assert (result["automatic"], result["attack"]) == ("failure", None)
    assert result["hits"][0]["damage"] == {"attacker": 0, "defender": 0}
    assert played.state.acting == ("bo",)


def test_pq_13_a_defender_rolls_or_stands() -> None:
    rolled = Table([BO, DEE], contestants=sides("bo"))
    rolled.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    assert rolled.act("dee", "defend", [3, 3, 4, 5], qualities=["dee.claws"])["hits"][0]["defence"] == 11
    standing = Table([BO, DEE], contestants=sides("bo"), defence="stand")
    standing.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    line = {"kind": "upshift", "amount": 2, "reason": "Behind the wall"}
    result = standing.act("dee", "defend", [3, 3], qualities=["dee.claws", "dee.slow"], lines=[line])
    assert result["hits"][0]["defence"] == 9
    assert "do not move a target number" in standing.text("PQ-13")


def test_pq_13_a_reaction_below_poor_counts_nothing_and_the_attack_hits() -> None:
    played = Table([BO, DEE], contestants=sides("bo"))
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    lines = [{"kind": "downshift", "amount": 3, "reason": "Tied up"}]
    result = played.act("dee", "defend", [1, 2], qualities=["dee.claws"], lines=lines)
    assert result["hits"] == [{"target": "dee", "defence": 0, "damage": {"attacker": 0, "defender": 7}}]
    assert "counts 0" in played.text("PQ-13")


def test_pq_05_a_grant_waits_for_the_next_roll_and_counts_once() -> None:
    played = Table([BO, DEE], contestants=sides("bo"))
    played.act("bo", "attack", targets=["dee"], qualities=["bo.sword"])
    played.act("", "grant", who="bo", reason="The cloak over the lamp")
    assert played.act("dee", "defend", [1, 1, 6, 6])["attack"] == 2 + 6
    assert "The cloak over the lamp" in played.text("PQ-05")
    assert played.who("bo").grants == ()
    with pytest.raises(BadMove, match="what the upshift is for"):
        played.act("", "grant", who="bo", reason="  ")


def test_pq_08_attacking_together_costs_the_helpers_turn() -> None:
    played = table()
    assert played.options("bo", "help", "to") == ["ada", "cy"]
    assert "help" not in played.offered("ada"), "the quickest rolls, so Ada helps nobody"
    played.act("bo", "help", to="ada", qualities=["bo.sword"])
    played.act("cy", "help", to="ada", qualities=["cy.sword"])
    played.act("ada", "attack", targets=["dee"], qualities=["ada.fists"], helpers=["bo"])
    assert "Bo helps Ada" in played.text("PQ-08")
    assert played.act("dee", "defend", [1, 1, 6, 6], qualities=["dee.claws"])["attack"] == 2 + 6 + 4
    assert played.state.acting == ("cy",), "Bo has spent the turn, Cy has not"
    assert played.who("cy").pledge is None


def test_pq_08_help_can_be_taken_back_and_needs_a_quality() -> None:
    played = table()
    with pytest.raises(BadMove, match="a quality to help with"):
        played.act("bo", "help", to="ada", qualities=[])
    played.act("bo", "help", to="ada", qualities=["bo.sword"])
    played.act("bo", "withdraw")
    assert played.options("ada", "attack", "helpers") == []


def test_pq_08_other_actions_are_teamed_up_for_too() -> None:
    played = table()
    played.act("bo", "help", to="ada", qualities=["bo.sword"])
    result = played.act("ada", "act", [1, 1], qualities=["ada.fists"], helpers=["bo"], difficulty=12)
    assert (result["total"], result["success"]) == (12, True)


def test_pq_20_moving_in_yards() -> None:
    played = Table([BO, DEE], contestants=sides("bo", dee={"position": 65}), ranges=True)
    assert "attack" not in played.offered("bo"), "Dee is too far"
    with pytest.raises(BadMove, match="can move 5 yards"):
        played.act("bo", "move", to=6, qualities=["bo.sword"])
    played.act("bo", "move", to=5, qualities=["bo.sword"])
    assert "move" not in played.offered("bo")
    assert (played.offer("bo", "attack").options or {})["targets"] == (("dee", "Dee, far (60 yards)"),)
    played.act("bo", "attack", targets=["dee"])
    played.act("dee", "move", to=66)
    played.act("dee", "defend", [1, 1, 6, 6])
    assert (played.who("bo").position, played.who("dee").position) == (5, 66)
    played.act("", "place", who="dee", to=6)
    assert played.who("dee").position == 6


def test_pq_20_is_not_asked_for_when_the_setting_is_off() -> None:
    played = table()
    assert "move" not in played.offered("ada")
    assert "place" not in played.offered("")


@pytest.mark.parametrize("by, action, given, sentence", [
    ("bo", "attack", {"targets": ["dee"]}, "It is the turn of Ada."),
    ("ada", "defend", {}, "You can’t do that right now"),
    ("ada", "attack", {"targets": []}, "Choose a target"),
    ("ada", "attack", {"targets": ["bo"]}, "Choose from these: Dee."),
    ("ada", "attack", {"targets": ["dee", "dee"]}, "twice"),
    ("ada", "attack", {"targets": ["dee"], "qualities": ["bo.sword"]}, "Choose from these"),
    ("ada", "attack", {"targets": ["dee"], "qualities": ["ada.speed"], "lead": "ada.fists"}, "that you apply"),
    ("ada", "attack", {"targets": ["dee"], "weapon": True}, "no field of this name"),
    ("ada", "hold", {"words": "x"}, "no field of this name"),
    ("ada", "dance", {}, "do that right now"),
    ("", "kill", {"target": "dee"}, "turn of Ada"),
    ("ada", "grant", {"who": "ada", "reason": "x"}, "do that right now"),
])
def test_what_is_not_offered_is_refused(by: str, action: str, given: dict[str, Any], sentence: str) -> None:
    played = table()
    before = played.state
    with pytest.raises(BadMove, match=sentence):
        played.act(by, action, **given)
    assert played.state == before


def test_actions_without_dice_take_none() -> None:
    played = table()
    with pytest.raises(BadMove, match="dice"):
        KIND.act(played.state, played.sheets, "ada", "pass", {}, (3,))


def test_while_an_attack_is_under_way_the_targets_answer_first() -> None:
    played = table()
    played.act("ada", "attack", targets=["dee"])
    with pytest.raises(BadMove, match="reaction of Dee"):
        played.act("ada", "pass")


@pytest.mark.parametrize("change, sentence", [
    ({"contestants": sides("ada", "bo", foes=())}, "two sides"),
    ({"contestants": sides("ada", "ada")}, "twice"),
    ({"contestants": sides("zoe")}, "of this campaign"),
    ({"contestants": sides("ada", ada={"side": " "})}, "Choose a side"),
    ({"contestants": sides("ada", ada={"surprises": True, "unaware": True})}, "both surprise"),
    ({"contestants": sides("ada", ada={"speed": ["bo.sword"]})}, "from the sheet of Ada"),
    ({"free_round": True}, "free round needs"),
    ({"ties": "vote"}, "Choose one of"),
])
def test_a_conflict_that_can_not_begin(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadMove, match=sentence):
        table(**change)
