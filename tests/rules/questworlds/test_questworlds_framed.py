"""Framed contests in the rules alone: what each rule does to a frame, the dice and what is learned."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.procedure import CampaignContext, PastContest, Perspective
from rules.sheet import Lose, Raise, Spend, Trait
from rules.systems.questworlds import growth
from rules.systems.questworlds.roll import Clash, Result, Side
from rules.systems.questworlds.simple_contest.odds import odds
from rules.systems.questworlds.simple_contest.state import Phase, State
from rules.systems.questworlds.traits import together
from rules.values import BadMove
from tests.rules.questworlds.framing import ILSE, KIND, SETTINGS, SHEETS, act, begun, framed, rolled, text


def test_qw_12_a_point_is_offered_but_never_on_a_critical_or_from_an_empty_pool() -> None:
    state, _ = rolled(framed(), 3, 5)
    assert state.phase is Phase.POINT and state.may_spend("i")
    assert rolled(framed(), 14, 5)[0].outcomes
    assert rolled(framed(begun(CampaignContext())), 3, 5)[0].outcomes
    state, turn = act(state, "spend", "i")
    assert state.outcomes[0].ours == "critical" and turn.effects


def test_qw_13_and_14_the_outcome_has_its_rank() -> None:
    state, turn = rolled(framed(begun(CampaignContext())), 19, 5)
    assert (state.outcomes[0].outcome, state.outcomes[0].rank) == ("defeat", 2)
    assert "loses by rank 2" in turn.outcome.steps[0].text


def test_qw_21_a_stretch_may_bump_down() -> None:
    clash = Clash(Side(14), Side(14), (3, 20), down=(1, 0))
    assert clash.mastered[0] is Result.FAILURE
    state, _ = act(framed(), "modify", whom="i", line="stretch:bump", reason="A long way off")
    assert state.clash("i", (3, 20)).results[0] is Result.FAILURE
    with pytest.raises(BadMove, match="Choose one of"):
        act(framed(), "modify", whom="i", line="situation:bump", reason="Rain")


def test_qw_21_each_kind_has_its_own_amounts() -> None:
    with pytest.raises(BadMove, match="Choose one of"):
        act(framed(), "modify", whom="i", line="situation:9", reason="Rain")


def test_qw_22_nothing_of_the_same_keyword_augments() -> None:
    state = framed(ability="b")
    with pytest.raises(BadMove, match="same keyword"):
        act(state, "augment", "i", trait="k", whom="i", words="I know maps")
    assert act(state, "augment", "i", trait="a", whom="i", words="A glint")[0].proposals


def test_qw_23_a_flaw_that_loses_its_contest_does_not_hinder() -> None:
    state, _ = act(framed(), "hinder", dice=(20, 3), trait="f", amount="-3", how="rolled")
    assert not state.modifiers and not state.learned
    state, turn = act(framed(), "hinder", dice=(3, 20), trait="f", amount="-6", how="rolled")
    assert state.modifiers[0].amount == -6 and "In debt: 3 against 19, a success." in text(turn, "QW-10")


def test_qw_24_a_compelled_act_earns_a_point() -> None:
    state, turn = act(framed(), "compel", trait="f")
    assert state.ended == "submitted" and Spend("i", "xp", 1) in turn.effects


def test_qw_26_two_abilities_are_averaged() -> None:
    state, _ = act(begun(), "choose", "i", tactic="Both hands", ability="a", second="k")
    assert state.score("i") == 16


def test_qw_27_a_better_result_wins_both_goals() -> None:
    _, turn = rolled(framed(begun(CampaignContext()), second_prize="And the key"), 3, 19)
    assert "Both goals" in text(turn, "QW-27")
    _, turn = rolled(framed(begun(CampaignContext()), second_prize="And the key"), 5, 3)
    assert "chooses which" in text(turn, "QW-27")


def test_qw_30_a_use_may_ask_for_a_score() -> None:
    with pytest.raises(BadMove, match="This takes a score of 15"):
        act(framed(least="15"), "set")
    assert act(framed(least="14"), "set")[0].frame_stands


def test_qw_05_the_frame_warns_that_every_roll_fails() -> None:
    state = framed(ability="")
    for _ in range(2):
        state, _ = act(state, "modify", whom="i", line="stretch:-3", reason="Far off")
    assert any("whatever the die shows" in fact for fact in KIND.view(state, SHEETS, Perspective()).facts)


def test_qw_80_an_ability_teaches_once_a_session_and_a_session_five_times() -> None:
    first, turn = rolled(framed(begun(CampaignContext())), 20, 5)
    assert Spend("i", "xp", 1) in turn.effects
    context = CampaignContext(past=(PastContest(3, "The ledger", True, first),))
    _, turn = rolled(framed(begun(context)), 20, 5)
    assert not turn.effects and "has earned its point" in text(turn, "QW-80")
    later = CampaignContext(past=(PastContest(3, "The ledger", False, first),))
    _, turn = rolled(framed(begun(later)), 20, 5)
    assert Spend("i", "xp", 1) in turn.effects
    _, turn = rolled(framed(begun(CampaignContext(), growth="milestone")), 20, 5)
    assert not turn.effects


def hindered(context: CampaignContext) -> tuple[State, Any]:
    """A contest that a flaw hinders, with its dice."""
    state, _ = act(framed(begun(context)), "hinder", trait="f", amount="-3", how="straight")
    return rolled(state, 3, 19)


def test_qw_80_a_lesson_knows_its_session_better_than_the_contests_scene_does() -> None:
    first, turn = hindered(CampaignContext(session="first"))
    assert Spend("i", "xp", 1) in turn.effects
    _, turn = hindered(CampaignContext(session="second", past=(PastContest(3, "The ledger", True, first),)))
    assert Spend("i", "xp", 1) in turn.effects
    _, turn = hindered(CampaignContext(session="first", past=(PastContest(3, "The ledger", False, first),)))
    assert not turn.effects, "once a session"


def test_qw_80_a_hindrance_teaches_when_its_penalty_meets_the_dice_and_not_before() -> None:
    state, turn = act(framed(begun(CampaignContext())), "hinder", trait="f", amount="-3", how="straight")
    assert not turn.effects and "once the penalty has met the dice" in text(turn, "QW-80")
    with pytest.raises(BadMove, match="hinders Ilse already"):
        act(state, "hinder", trait="f", amount="-6", how="straight")
    without, _ = act(state, "take_back", line="0")
    assert not rolled(without, 3, 19)[1].effects
    assert Spend("i", "xp", 1) in rolled(state, 3, 19)[1].effects
    start = framed(begun(CampaignContext()), assured="rolled")
    assured, _ = act(start, "hinder", trait="f", amount="-3", how="straight")
    assert not rolled(assured, 3, 19)[1].effects, "an assured contest teaches nothing"


def test_qw_61_what_lasts_stacks_by_rank_or_by_value() -> None:
    lines = (Trait("1", "benefit", "Loved", 4), Trait("2", "consequence", "A slip", 1))
    assert (together(lines), together(lines, by_value=True)) == (9, 17)


def test_qw_81_and_82_advances_and_who_catches_up() -> None:
    given = {"first": "raise", "first_on": "k", "second": "raise_more", "second_on": "b", "catch_up": ["a"]}
    turn = growth.do(ILSE, SETTINGS, "advance", given)
    assert set(turn.effects) == {Spend("i", "xp", -10), Raise("k", 3), Raise("b", 9), Raise("a", 3)}
    with pytest.raises(BadMove, match="crosses a mastery"):
        growth.do(
            ILSE, SETTINGS, "advance",
            {**given, "first_on": "b", "second": "new", "second_name": "Ropes", "second_on": ""},
        )
    dropped = growth.do(
        ILSE, SETTINGS, "advance", {"first": "drop", "first_on": "f", "second": "new", "second_name": "Ropes"}
    )
    assert Lose("f") in dropped.effects
    poor = replace(ILSE, pools=(("xp", 9),))
    assert "advance" not in {offer.action for offer in growth.offers(poor, SETTINGS)}


def test_qw_73_in_a_package_the_keyword_rises_alone() -> None:
    given = {"first": "raise", "first_on": "k", "second": "new", "second_name": "Ropes"}
    turn = growth.do(ILSE, {**SETTINGS, "keywords": "package"}, "advance", given)
    assert Raise("b", -3) in turn.effects


def test_the_odds_of_a_frame_are_those_of_every_throw() -> None:
    state = framed(resistance="1M")
    wins = sum(
        state.clash("i", (ours, theirs)).outcome == "victory" for ours in range(1, 21) for theirs in range(1, 21)
    )
    assert odds(state, "i").outcomes[0][1] * 400 == wins


def test_qw_23_a_flaw_that_was_overcome_is_not_tried_again() -> None:
    state = framed(begun(CampaignContext()))
    state, turn = act(state, "hinder", trait="f", amount="-3", how="rolled", dice=(20, 2))
    assert "overcomes In debt" in text(turn, "QW-23") and state.overcome == ("f",)
    with pytest.raises(BadMove):
        act(state, "hinder", trait="f", amount="-3", how="rolled", dice=(2, 20))
