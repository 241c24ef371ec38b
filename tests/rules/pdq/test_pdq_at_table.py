"""A test as a procedure, and the roll of the tray in one act: whose word it is, what counts, what it comes to."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import pytest

from rules.codec import canonical
from rules.modifiers import Modifier
from rules.moves import Need
from rules.procedure import ActResult
from rules.registry import kind_of
from rules.sheet import NewAllocation, Sheet, Spend
from rules.strike import DISMISS
from rules.systems.pdq.at_table import TestAtTable
from rules.systems.pdq.at_table.state import State
from rules.tray import Around, Obstacle, Rehearsal, TrayAct, TrayRoll, in_one, rehearse
from rules.values import BadMove
from tests.rules.pdq.walking import sheet

KIND = TestAtTable()
ADA, BO = sheet("Ada", fists=1, rope=2, slow=-1), sheet("Bo", sword=1, grudge=2)
WALL = Obstacle("The wall", {"difficulty": "good"})
HURTS = Obstacle("The fall", {"difficulty": "master", "harm": True})
SHIFT = {"kind": "upshift", "amount": 1, "reason": "High ground"}


def planned(around: Around, whose: Sheet = ADA, **given: Any) -> TrayRoll:
    setup = {"contestants": [{"sheet": whose.id}], "title": "Over the wall"}
    return KIND.from_tray(whose, setup, given, around)


def rehearsed(around: Around, whose: Sheet = ADA, **given: Any) -> Rehearsal:
    return rehearse(KIND, planned(around, whose, **given), {whose.id: whose, **around.others})


def rolled(around: Around, *faces: int, whose: Sheet = ADA, **given: Any) -> ActResult[Any]:
    came = in_one(KIND, planned(around, whose, **given), {whose.id: whose, **around.others}, faces)
    assert not isinstance(came, Need), came
    return came


def words(came: ActResult[Any]) -> str:
    return " ".join(step.text for step in came.steps)


def test_pq_02_one_act_from_the_tray_to_the_result() -> None:
    around = Around(against=WALL)
    before = rehearsed(around, traits=["ada.rope"])
    assert (before.button, before.rolls) == ("Roll 2d6 +4 against 9", True)
    assert before.odds[0][1].outcomes[0][:2] == ("Success", Fraction(30, 36))
    came = rolled(around, 2, 3, traits=["ada.rope"])
    assert came.result["total"] == came.result["target"] == 9 and came.result["success"] is True
    state = KIND.fold(KIND.write(event) for event in came.events)
    assert KIND.is_over(state) and {offer.action for offer in KIND.offers(state, {"ada": ADA})} == {DISMISS}
    assert KIND.story(state) == ("Ada succeeded, 9 against 9.",)
    (told,) = came.rolls
    again = kind_of(told.move).resolve(kind_of(told.move).read(told.given), told.dice)
    assert not isinstance(again, Need) and again.result == told.result


def test_pq_02_a_story_says_who_teamed_up_and_what_it_came_to_without_a_roll() -> None:
    state = KIND.fold(KIND.write(event) for event in rolled(Around(against=WALL), 2, 3, traits=["ada.rope"]).events)
    assert KIND.story(replace(state, team=("Bo", "Cy"))) == ("Ada succeeded, 9 against 9.", "Bo and Cy teamed up.")
    assert KIND.story(replace(state, total=None)) == ("Ada succeeded, without a roll.",)
    assert KIND.story(replace(state, hard=None)) == () == KIND.story(replace(state, outcome=""))


def _hurt(damage: int) -> Sheet:
    """Ada, whose rope has lost so many ranks."""
    return replace(ADA, traits=tuple(
        replace(quality, damage=damage) if quality.id == "ada.rope" else quality for quality in ADA.traits))


def test_pq_16_what_is_hurt_counts_as_it_is_and_what_is_below_poor_is_not_offered() -> None:
    hurt = _hurt(2)
    assert rehearsed(Around(against=WALL), hurt, traits=["ada.rope"]).button == "Roll 2d6 against 9"
    gone = _hurt(4)
    offer = KIND.tray(gone, {}, Around((("x", "The wall · good 9"),)))
    assert "ada.rope" not in dict((offer.options or {})["traits"])
    with pytest.raises(BadMove, match="Ada is out of action"):
        rehearsed(Around(against=WALL), gone)


@pytest.mark.parametrize(("given", "hard", "button"), [
    ((), "expert", "Roll 2d6 +4 against 11"),
    ((Modifier("upshift", 1, ""),), 9, "Roll 2d6 +6 against 9"),
    ((Modifier("badass", 2, "Grand"),), 9, "Roll 3d6 +6 against 9"),
    ((Modifier("downshift", 2, "Mud"),), 9, "Roll 2d6 against 9"),
    ((Modifier("downshift", 4, ""),), 9, "Fail without a roll"),
])
def test_the_button_says_what_falls(given: tuple[Modifier, ...], hard: Any, button: str) -> None:
    around = Around(against=Obstacle("It", {"difficulty": hard}), waiting=given)
    assert rehearsed(around, traits=["ada.rope"]).button == button


@pytest.mark.parametrize(("difficulty", "shifts", "automatic"), [("poor", 0, "success"), ("good", -3, "failure")])
def test_pq_04_06_no_dice_where_none_are_needed(difficulty: str, shifts: int, automatic: str) -> None:
    around = Around(against=Obstacle("It", {"difficulty": difficulty, "simple": True}),
                    waiting=(Modifier("downshift", -shifts, "Mud"),) if shifts else ())
    assert rehearsed(around, traits=["ada.fists"]).button in ("Succeed without a roll", "Fail without a roll")
    came = rolled(around, traits=["ada.fists"])
    assert came.result["automatic"] == automatic and not came.dice


def test_pq_07_failing_that_hurts_waits_to_be_placed_and_is_noted_in_the_scene() -> None:
    came = rolled(Around(against=HURTS), 1, 2, traits=["ada.fists"])
    assert came.effects == (NewAllocation("ada", "damage", 8, "Over the wall"), Spend("ada", "hurt", 1))
    assert not rolled(Around(against=WALL), 1, 2, traits=["ada.fists"]).effects


def test_pq_08_who_teams_up_counts_and_is_named() -> None:
    around = Around(against=WALL, others={"bo": BO})
    roll = planned(around, traits=["ada.fists"], help=["bo.sword"])
    assert (roll.uses, roll.with_others) == (("ada.fists",), ("bo",))
    came = rolled(around, 2, 3, traits=["ada.fists"], help=["bo.sword"])
    assert came.result["total"] == 9 and "Ada and Bo team up" in words(came)


def test_pq_09_a_quality_of_whoever_it_is_against_sets_it_on_the_gms_word_alone() -> None:
    around = Around(others={"bo": BO}, runs=True)
    came = rolled(around, 6, 5, difficulty="poor", against="bo.grudge")
    assert came.result["target"] == 11 and "The difficulty comes from the target’s own" in words(came)
    with pytest.raises(BadMove):  # a player's press says nothing of it
        rehearsed(replace(around, runs=False), difficulty="poor", against="bo.grudge")


def test_pq_05_what_the_gm_gave_counts_whatever_is_ticked() -> None:
    for kind, button in (("upshift", "Roll 2d6 +4 against 9"), ("downshift", "Roll 2d6 against 9")):
        around = Around(against=WALL, waiting=(Modifier(kind, 1, "The rope trick"),))
        roll = planned(around, traits=["ada.fists"])
        assert [(act.action, act.by) for act in roll.acts] == [("set", ""), ("grant", ""), ("roll", "ada")]
        assert rehearsed(around, traits=["ada.fists"]).button == button
        assert "says" not in words(rolled(around, 2, 3, traits=["ada.fists"]))


def test_what_a_player_says_is_marked_and_what_the_gm_says_is_not() -> None:
    around = Around(against=WALL)
    said = rehearsed(around, traits=["ada.fists"], lines=[SHIFT])
    assert said.odds[0][0] == "Ada says: 1 upshift for “High ground”."
    assert "Ada says: 1 upshift" in words(rolled(around, 2, 3, lines=[SHIFT]))
    assert "says" not in words(rolled(replace(around, runs=True), 2, 3, lines=[SHIFT]))
    with pytest.raises(BadMove, match="Ask the GM to grant more"):
        rehearsed(around, lines=[{**SHIFT, "amount": 9}])


def test_a_players_press_holds_for_the_gm_only_what_the_gm_has_put_there() -> None:
    """Whatever comes along with it, the difficulty and what failing does are the obstacle's."""
    for said in ({"difficulty": "poor"}, {"simple": True}, {"harm": False}, {"against": "bo.sword"}):
        roll = planned(Around(against=HURTS, others={"bo": BO}), traits=["ada.fists"], **said)
        assert roll.acts[0].by == "" and roll.acts[0].given == dict(HURTS.values), said
        assert all(act.by for act in roll.acts[1:])
    between_scenes = planned(Around(), difficulty="poor", simple=False)
    assert [(act.action, act.by) for act in between_scenes.acts] == [("say", "ada"), ("roll", "ada")]
    assert "Ada says: against poor 5." in words(rolled(Around(), 2, 3, difficulty="poor"))
    with pytest.raises(BadMove, match="Ask the GM for the difficulty"):
        planned(Around(), traits=["ada.fists"])


def test_one_rolls_and_not_before_it_is_known_how_hard_it_is() -> None:
    with pytest.raises(BadMove, match="Choose one who rolls"):
        KIND.start({"contestants": []}, {"ada": ADA})
    with pytest.raises(BadMove, match="Ask the GM for the difficulty"):
        KIND.button(State("ada", "Ada", "Over the wall"), {"ada": ADA}, TrayAct("roll", "ada", {}))


def test_its_events_are_the_whole_of_it() -> None:
    came = rolled(Around(against=HURTS, others={"bo": BO}), 1, 1, traits=["ada.rope"], help=["bo.sword"], lines=[SHIFT])
    stored = [KIND.write(event) for event in came.events]
    assert canonical(stored) == canonical([KIND.write(KIND.read(event)) for event in stored])
    before, after = KIND.fold(stored[:-1]), KIND.fold(stored)
    assert before.hard and not before.outcome and after.outcome == "failure"
    assert after.terms and [shift.said_by for shift in after.terms.shifts] == ["Ada"] and after.team == ("Ada", "Bo")
