"""Heads, forces, two sides of a group, two goals: what a frame does with more than one against one."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.codec import Unreadable
from rules.procedure import CampaignContext
from rules.sheet import Gain, Spend, SpendShared
from rules.systems.questworlds.abilities import thresholds
from rules.systems.questworlds.crowds import heads
from rules.systems.questworlds.simple_contest.odds import odds, results, with_others
from rules.systems.questworlds.simple_contest.state import Phase
from rules.values import BadMove
from tests.rules.questworlds.framing import (
    FULL,
    GROUP,
    ILSE,
    KIND,
    SHEETS,
    TAM,
    act,
    begun,
    framed,
    group,
    rolled,
    rolled_by_both,
    text,
)

COUNTS = st.integers(1, 400)


@given(COUNTS, COUNTS, st.sampled_from(["bodies", "words"]))
def test_qw_28_heads_divide_and_only_so_many_get_at_one(them: int, us: int, way: str) -> None:
    heads_at, other = heads(them, us, way), heads(us, them, way)
    assert heads_at.engaged <= {"bodies": 6, "words": 2}[way] and heads_at.engaged <= heads_at.each
    assert heads_at.each * min(them, us) >= max(them, us) > (heads_at.each - 1) * min(them, us)
    assert -3 <= heads_at.rank <= 3 and heads_at.rank == -other.rank
    assert (heads_at.rank > 0) == (them > us) and (heads_at.rank < 0) == (us > them)


@pytest.mark.parametrize(("them", "rank"), [(1, 0), (2, 1), (3, 2), (4, 2), (5, 3), (6, 3), (40, 3)])
def test_qw_28_the_more_there_are_the_harder_it_is(them: int, rank: int) -> None:
    assert heads(them, 1).rank == rank
    assert heads(them, 1, "words").rank == min(rank, 1)


def test_qw_28_a_crowd_makes_the_resistance_higher_and_ganging_up_lower() -> None:
    state, turn = act(framed(), "crowd", them=3, us=1)
    assert state.against("i").resistance == 20 and "3 of them on one of us" in text(turn, "QW-28")
    state, _ = act(state, "crowd", them=1, us=2)
    assert state.against("i").resistance == 11, "what was counted before no longer counts"
    state, turn = act(state, "crowd", them=3, us=1, amount="9")
    assert state.against("i").resistance == 23 and "the heads say +6" in text(turn, "QW-28")
    state, _ = act(framed(resistance="7"), "crowd", them=1, us=9)
    assert state.against("i").resistance == 6, "no rank takes a resistance under 6"
    state, _ = act(framed(resistance="3"), "crowd", them=1, us=9)
    assert state.against("i").resistance == 6, "a score of 3 is 6 from the start"


def test_qw_28_a_mob_divides_among_the_group_and_falls_away() -> None:
    state, _ = act(group(CampaignContext()), "oppose", name="Dockers")
    state, _ = act(state, "crowd", them=8, us=2)
    assert [state.clash(who, (1, 1)).resistance.score for who in ("i", "t")] == [20, 20]
    state, _ = act(state, "set")
    state, _ = act(state, "roll", "i", dice=(14, 19))
    state, turn = act(state, "roll", "t", dice=(19, 3))
    assert "Some of the crowd fall away." in text(turn, "QW-28") and "The crowd closes in." in text(turn, "QW-28")


def test_qw_28_saying_anew_what_stands_against_it_keeps_the_heads_of_the_same_crowd() -> None:
    state, _ = act(framed(), "crowd", them=3, us=1)
    state, _ = act(state, "oppose", name="The clerk", resistance="1M")
    assert (state.against("i").resistance, state.against("i").crowd) == (27, 6)
    state, _ = act(state, "oppose", name="Her dog", resistance="14")
    assert (state.against("i").resistance, state.against("i").crowd) == (14, 0)


def test_qw_29_whoever_contributes_rolls_the_forces_number_and_augments_it() -> None:
    state, turn = act(framed(), "mass", role="contributes", force="The river guard", score="5M")
    assert state.score("i") == 25 and "augment" in text(turn, "QW-29")
    state, turn = act(state, "choose", "i", tactic="From the boats")
    assert state.score("i") == 25 and "The river guard 5M" in text(turn, "QW-29")
    state, _ = act(state, "augment", "i", trait="k", whom="i", words="I know the sandbanks")
    state, _ = act(state, "answer", proposal="0", verdict="assured6")
    assert state.terms("i").score == 31
    with pytest.raises(BadMove, match="number"):
        act(framed(), "mass", role="contributes", force="The river guard")


def test_qw_29_who_decides_uses_an_ability_and_who_is_caught_in_it_meets_a_resistance_by_how_it_goes() -> None:
    state, _ = act(framed(), "mass", role="contributes", force="The river guard", score="17")
    state, turn = act(state, "mass", role="decides", force="The river guard")
    assert state.phase is Phase.FRAME and not state.entrant("i").chosen, "the force’s number is given back"
    assert "decides" in text(turn, "QW-29")
    state, _ = act(state, "choose", "i", tactic="I lead them", ability="k")
    for fate, number in (("lost", 20), ("open", 14), ("won", 11)):
        result, turn = act(state, "mass", role="suffers", fate=fate)
        assert result.against("i").resistance == number and text(turn, "QW-29")
    assert act(state, "mass", role="suffers", fate="lost", resistance="1M")[0].against("i").resistance == 21


def test_qw_30_a_campaign_names_its_thresholds() -> None:
    state = framed(begun(thresholds="apprentice 15, master 1M2"), threshold="apprentice")
    with pytest.raises(BadMove, match="This takes a score of 15"):
        act(state, "set")
    assert [threshold.least for threshold in thresholds("apprentice 15, journeyman 5M; master 1M2")] == [15, 25, 41]
    for bad in ("apprentice", "15", "apprentice 0", "adept 15, Adept 5M"):
        with pytest.raises(BadMove):
            thresholds(bad)


def test_qw_30_and_25_another_tactic_is_asked_for() -> None:
    state, turn = act(framed(), "send_back", whom="i", reason="Nobody leaps so far")
    assert state.phase is Phase.FRAME and "Nobody leaps so far." in text(turn, "QW-30")


def test_qw_27_on_a_better_die_one_goal_is_chosen_before_it_ends() -> None:
    state, _ = rolled(framed(begun(CampaignContext()), second_prize="And the key"), 5, 3)
    assert {offer.action for offer in KIND.offers(state, SHEETS)} == {"choose_goal", "dismiss", "give"}
    state, turn = act(state, "choose_goal", "i", goal="second")
    assert "And the key" in text(turn, "QW-27") and "It is not won: The ledger." in text(turn, "QW-27")
    assert act(state, "close")[0].ended == "done"
    for dice in ((5, 19), (3, 5)):  # both are won; none is
        after, _ = rolled(framed(begun(CampaignContext()), second_prize="And the key"), *dice)
        assert "choose_goal" not in {offer.action for offer in KIND.offers(after, SHEETS)}


def test_qw_27_goals_that_do_not_conflict_are_no_contest() -> None:
    state, turn = act(framed(), "no_conflict")
    assert state.ended == "no conflict" and text(turn, "QW-27")


def test_qw_42_two_of_a_group_may_stand_against_each_other() -> None:
    state, _ = act(group(CampaignContext()), "oppose", whom="i", rival="t")
    assert state.phase is Phase.MODIFY and state.rival("t").id == "i" and state.against("t") is None
    state, _ = act(state, "set")
    state, turn = rolled_by_both(state, 5, 19)
    assert [(outcome.who, outcome.outcome) for outcome in state.outcomes] == [("i", "victory"), ("t", "defeat")]
    assert state.side == "victory" and "1 to 0" in text(turn, "QW-42") and "against Tam" in text(turn, "QW-42")
    assert Spend("t", "xp", 1) in turn.effects
    with pytest.raises(BadMove, match="two different"):
        act(group(), "oppose", whom="i", rival="i")


def test_qw_12_two_of_a_group_decide_on_story_points_in_secret() -> None:
    state, _ = act(group(), "oppose", whom="i", rival="t")
    state, _ = act(state, "set")
    state, _ = rolled_by_both(state, 5, 4)
    state, turn = act(state, "spend", "i")
    assert turn.sealed and not turn.effects
    state, turn = act(state, "spend", "t")
    assert turn.effects[:2] == (SpendShared("story_points", -1),) * 2


def test_qw_90_when_the_last_point_is_spent_nobody_waits_for_another() -> None:
    pool = CampaignContext(pools=(("story_points", 1),))
    for empty in (False, True):
        state, _ = act(group(pool), "oppose", name="The clerk")
        state, _ = act(state, "set")
        state, _ = act(state, "roll", "i", dice=(3, 5))
        state, _ = act(state, "roll", "t", dice=(4, 5))
        assert {offer.action for offer in GROUP.offers(state, SHEETS)} == {"spend", "stand", "dismiss", "call_off"}
        if empty:  # somebody else's plot edit took it
            state = GROUP.with_context(state, CampaignContext())
            assert {offer.action for offer in GROUP.offers(state, SHEETS)} == {"stand", "dismiss", "call_off"}
        state, _ = act(state, "stand" if empty else "spend", "i")
        assert state.outcomes


def test_qw_42_what_the_whole_contest_brought_goes_onto_all_of_a_side() -> None:
    state, _ = act(group(CampaignContext()), "oppose", name="The clerk")
    state, _ = act(state, "set")
    for who in ("i", "t"):
        state, _ = act(state, "roll", who, dice=(19, 3))
    state, turn = act(state, "give", whom="ours", kind="consequence", rank="2", name="Driven off")
    assert [(effect.sheet, effect.value) for effect in turn.effects if isinstance(effect, Gain)] == [("i", 2), ("t", 2)]
    assert "Ilse and Tam" in text(turn, "QW-60") and len(state.gave) == 2


def test_qw_76_the_people_of_an_occupation_are_a_stretch() -> None:
    state, turn = act(begun(), "choose", "i", tactic="I ask around", ability="k", contacts=True)
    assert [(line.kind, line.amount) for line in state.lines("i")] == [("stretch", -6)] and text(turn, "QW-76")
    state, _ = act(state, "choose", "i", tactic="I go myself", ability="k")
    assert not state.lines("i"), "said differently, it is no stretch"
    with pytest.raises(BadMove, match="Only a keyword"):
        act(begun(), "choose", "i", tactic="I ask around", ability="a", contacts=True)


def test_qw_73_in_a_package_a_sibling_may_augment() -> None:
    state = framed(begun(keywords="package"), ability="b")
    with pytest.raises(BadMove, match="same keyword"):
        act(state, "augment", "i", trait="k", whom="i", words="I know maps")
    assert ILSE.trait("b") and act(state, "augment", "i", trait="a", whom="i", words="A glint")[0].proposals


def test_qw_73_an_ability_that_is_made_up_in_a_package_is_worth_13_there() -> None:
    state, turn = act(begun(keywords="package"), "choose", "i", tactic="By ear", new="Listening", within="k")
    assert state.score("i") == 13 and turn.effects == (Gain("i", "breakout", "Listening", -6, parent="k"),)
    state, turn = act(begun(), "choose", "i", tactic="By ear", new="Listening", within="k")
    assert state.score("i") == 20 and turn.effects == (Gain("i", "breakout", "Listening", 1, parent="k"),)


def test_qw_22_a_sidekicks_abilities_may_augment_each_other() -> None:
    assert act(framed(ability="p1"), "augment", "i", trait="p2", whom="i", words="He talks meanwhile")[0].proposals


def test_qw_76_whom_one_cares_for_hinders_as_a_flaw_does() -> None:
    state, turn = act(framed(), "hinder", trait="d", amount="-3", how="straight")
    assert state.lines("i")[0].amount == -3 and "Her brother hinders Ilse: −3." in text(turn, "QW-23")
    assert act(framed(), "compel", trait="d")[0].ended == "submitted"
    offer = next(offer for offer in KIND.offers(framed(), SHEETS) if offer.action == "oppose")
    assert "d" in dict(offer.options["flaw"])


def test_qw_24_acting_against_a_flaw_teaches_whatever_comes_of_it() -> None:
    state, turn = rolled(framed(begun(CampaignContext()), flaw="f"), 5, 20)
    assert state.outcomes[0].outcome == "victory" and Spend("i", "xp", 1) in turn.effects
    state, turn = rolled(framed(begun(CampaignContext()), flaw="f"), 18, 5)
    assert turn.effects.count(Spend("i", "xp", 1)) == 2, "the flaw, and the defeat"


def test_the_odds_of_each_result_and_with_each_other_ability_are_those_of_every_throw() -> None:
    state = framed(resistance="1M")
    throws = [(ours, theirs) for ours in range(1, 21) for theirs in range(1, 21)]
    words = [state.clash("i", dice).results[0].word.capitalize() for dice in throws]
    assert [(label, chance * 400) for label, chance, _ in results(state, "i")] == [
        (label, words.count(label)) for label in ("Critical", "Success", "Failure", "Fumble")]
    others = dict(with_others(state, ILSE))
    assert list(others) == ["Forgery 3M", "Mapmaker 19", "Nimble 16", "Lies well 13"], "best first, not the one in use"
    other, _ = act(state, "choose", "i", tactic="Politely", ability="b")
    assert others["Forgery 3M"] == odds(other, "i")
    assert with_others(act(state, "mass", role="contributes", force="Guard", score="17")[0], ILSE) == ()


def test_an_event_from_before_a_field_was_added_is_read_with_its_default() -> None:
    event = framed().oppositions[0]
    stored = KIND.write(KIND.act(begun(), SHEETS, "", "oppose", {"name": "The clerk"}).events[0])
    old = {**stored, "opposition": {k: v for k, v in stored["opposition"].items() if k not in ("crowd", "rival")}}
    assert KIND.read(old).opposition == event
    for broken in ({**stored, "more": 1}, {k: v for k, v in stored.items() if k != "opposition"}):
        with pytest.raises(Unreadable):
            KIND.read(broken)


def test_a_group_is_offered_what_one_alone_is_not() -> None:
    offer = next(offer for offer in GROUP.offers(group(FULL), SHEETS) if offer.action == "oppose")
    assert {"whom", "rival"} <= set(offer.options)
    offer = next(offer for offer in KIND.offers(begun(), SHEETS) if offer.action == "oppose")
    assert not {"whom", "rival"} & set(offer.options) and TAM.name == "Tam"
