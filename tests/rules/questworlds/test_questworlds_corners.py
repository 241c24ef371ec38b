"""Where a frame is changed, taken back, assured, or shared by several: nothing is lost, and nothing counts twice."""
from __future__ import annotations

from typing import Any

import pytest

from rules.procedure import CampaignContext, Perspective
from rules.sheet import Gain, Lose, Sheet, Spend, SpendShared, Trait
from rules.systems.questworlds.simple_contest import OpposedContest
from rules.systems.questworlds.simple_contest.aftermath import suggested
from rules.systems.questworlds.simple_contest.odds import odds, with_others
from rules.systems.questworlds.simple_contest.state import Phase, State
from rules.systems.questworlds.simple_contest.values import Outcome
from rules.systems.questworlds.simple_contest.view import view
from rules.values import BadMove
from tests.rules.questworlds import framing
from tests.rules.questworlds.framing import (
    GROUP,
    ILSE,
    KIND,
    SHEETS,
    act,
    begun,
    framed,
    group,
    rolled,
    rolled_by_both,
    text,
)

NOBODY = CampaignContext()


@pytest.fixture
def hurt(monkeypatch: Any) -> None:
    """Ilse is hurt in three ways, and loved."""
    lines = (Trait("h", "consequence", "Sprained", 1), Trait("h2", "consequence", "Shamed", 2),
             Trait("h3", "benefit", "Loved", 4))
    monkeypatch.setitem(framing.SHEETS, "i", Sheet("i", "Ilse", (*ILSE.traits, *lines), ILSE.pools))


def offer(state: State, action: str, by: str = "") -> Any:
    kind = GROUP if state.settings.mode == "group" else KIND
    return next(offer for offer in kind.offers(state, SHEETS) if (offer.action, offer.by) == (action, by))


def test_qw_62_two_who_win_heal_a_consequence_once(hurt: None) -> None:
    state, _ = act(group(NOBODY), "oppose", heals="h")
    state, _ = act(state, "set")
    state, _ = act(state, "roll", "i", dice=(5, 19))
    state, turn = act(state, "roll", "t", dice=(5, 19))
    assert turn.effects == (Lose("h"),) and text(turn, "QW-62") == "Sprained is healed, and leaves the sheet."


def test_qw_62_and_40_an_assured_victory_heals_without_a_die_and_wins_both_goals(hurt: None) -> None:
    state = framed(begun(NOBODY), heals="h", assured="won", second_prize="And rest")
    state, turn = act(state, "set")
    assert Lose("h") in turn.effects and "Both goals are won." in text(turn, "QW-27")
    assert state.phase is Phase.AFTER and "choose_goal" not in {offer.action for offer in KIND.offers(state, SHEETS)}


def test_qw_62_and_24_what_is_changed_keeps_what_it_heals_and_which_flaw_it_is_against(hurt: None) -> None:
    for field, id_ in (("heals", "h"), ("flaw", "f")):
        state, _ = act(act(begun(NOBODY), "choose", "i", tactic="So", ability="a")[0], "oppose", **{field: id_})
        now = dict(offer(state, "oppose").now)
        state, _ = act(state, "oppose", **{**now, "stake": "Her name"})
        assert getattr(state.against("i"), field) == id_ and state.against("i").stake == "Her name"
    state, _ = act(group(NOBODY), "oppose", name="The clerk", stake="All of it")
    assert offer(state, "oppose").now["stake"] == "All of it"


def test_qw_63_what_was_accepted_was_the_stake_as_it_stood() -> None:
    state = framed(begun(NOBODY), ending=True, stake="Exile")
    assert offer(state, "accept", "i").personal
    state, _ = act(state, "accept", "i")
    state, _ = act(state, "oppose", name="The clerk", ending=True, stake="Her death")
    with pytest.raises(BadMove, match="has not accepted"):
        act(state, "set")
    state, _ = act(state, "accept", "i")
    state, turn = act(state, "set")
    assert "Her death" in text(turn, "QW-20") and "was accepted" in text(turn, "QW-63")
    _, turn = act(state, "roll", "i", dice=(19, 3))
    assert "The story of Ilse may end here" in text(turn, "QW-63")


def test_qw_90_whom_nobody_plays_has_no_story_points() -> None:
    setup = {"contestants": [{"sheet": "i", "player": False}], "title": "The ledger"}
    state = KIND.start(setup, SHEETS).events[0]
    state = KIND.with_context(KIND.evolve(KIND.blank(), state), framing.FULL)
    state, _ = rolled(framed(state), 3, 5)
    assert state.outcomes, "it is settled at once"


def test_qw_40_an_assured_contest_is_won_whatever_falls_and_suggests_what_the_roll_brings() -> None:
    state = framed(begun(), assured="rolled", resistance="7M")
    assert [chance for _, chance, _ in odds(state, "i").outcomes] == [1, 0, 0]
    assert not with_others(state, ILSE) and not view(state, SHEETS, Perspective(runs=True)).detail.rows[0].ifs
    state, _ = rolled(framed(begun(NOBODY), assured="rolled", resistance="7M"), 19, 3)
    assert (state.outcomes[0].outcome, state.outcomes[0].rank) == ("victory", 0)
    assert offer(state, "give").now["kind"] == "consequence"
    _, turn = rolled(framed(begun(NOBODY), assured="rolled", resistance="7M"), 19, 3)
    assert not text(turn, "QW-13") and not text(turn, "QW-14") and "a consequence" in text(turn, "QW-40")


@pytest.mark.parametrize(("came", "rank", "kind", "wanted"), [
    ("victory", 2, "benefit", 2), ("defeat", 4, "consequence", 4), ("tie", 0, "consequence", 1),
    ("victory", 1, "consequence", 2), ("victory", 3, "consequence", 1), ("defeat", 1, "benefit", 2),
    ("defeat", 2, "benefit", 1),
])
def test_qw_60_ranks_are_suggested_the_other_way_for_what_a_winner_suffers(
    came: str, rank: int, kind: str, wanted: int
) -> None:
    assert suggested(State(), Outcome("i", came, rank, "success", "success"), kind) == wanted


def test_qw_42_one_who_backs_out_leaves_the_others_in_it() -> None:
    state, _ = act(group(NOBODY), "oppose", name="The clerk")
    state, _ = act(state, "modify", whom="t", line="situation:3", reason="A good night")
    state, _ = act(state, "back_out", "t")
    assert [entrant.id for entrant in state.entrants] == ["i"] and not state.modifiers and not state.ended
    assert act(state, "back_out", "i")[0].ended == "backed out"


def test_qw_42_and_13_as_many_on_both_sides_go_to_the_players_where_ties_do() -> None:
    for ties, side in ((True, "victory"), (False, "tie")):
        state, _ = act(group(NOBODY), "oppose", name="The clerk", tie_to_player=ties)
        state, _ = act(state, "set")
        state, _ = act(state, "roll", "i", dice=(5, 19))
        state, _ = act(state, "roll", "t", dice=(19, 3))
        assert state.side == side


def test_qw_20_the_gm_can_call_a_contest_off_after_the_first_die() -> None:
    state, _ = act(group(NOBODY), "oppose", name="The clerk")
    state, _ = act(state, "set")
    state, _ = act(state, "roll", "i", dice=(5, 19))
    assert act(state, "call_off")[0].ended == "called off"


def test_qw_12_what_two_decided_in_secret_is_told_when_both_have() -> None:
    state, _ = act(group(), "oppose", whom="i", rival="t")
    state, _ = act(state, "set")
    state, _ = rolled_by_both(state, 5, 4)
    state, _ = act(state, "spend", "t")
    state, turn = act(state, "stand", "i")
    assert text(turn, "QW-12").startswith("Ilse lets it stand. Tam spends a story point.")
    assert turn.effects[0] == SpendShared("story_points", -1)


def test_qw_90_with_one_point_left_it_is_the_first_who_decided_that_spends_it() -> None:
    state, _ = act(group(CampaignContext(pools=(("story_points", 1),))), "oppose", whom="i", rival="t")
    state, _ = act(state, "set")
    state, _ = rolled_by_both(state, 5, 4)
    state, _ = act(state, "spend", "t")
    state, turn = act(state, "spend", "i")
    assert "the point of Ilse stays unspent" in text(turn, "QW-90")
    assert state.entrant("t").point and not state.entrant("i").point


def test_qw_20_and_63_two_against_each_other_have_stakes_of_their_own() -> None:
    kind, contestants = OpposedContest(), [{"sheet": "i", "player": True}, {"sheet": "t", "player": True}]
    turn = kind.start({"contestants": contestants, "title": "The oar"}, SHEETS)
    state = kind.with_context(kind.evolve(kind.blank(), turn.events[0]), NOBODY)

    def do(action: str, by: str = "", dice: tuple[int, ...] = (), **given: Any) -> Any:
        nonlocal state
        acted = kind.act(state, SHEETS, by, action, given, dice)
        for event in acted.events:
            state = kind.evolve(state, event)
        return acted

    do("stakes", stake="The boat", whom="t", ending=True)
    do("choose", "i", tactic="I ask my people to hold it", ability="k", contacts=True)
    row = view(state, SHEETS, Perspective()).detail.rows[0]
    assert not row.lines, "what it takes would tell what was chosen in secret"
    do("choose", "t", tactic="I pull", ability="g")
    with pytest.raises(BadMove, match="Tam has not accepted"):
        do("set")
    do("accept", "t")
    assert "The boat" in text(do("set"), "QW-20")
    do("roll", "i", dice=(5,))
    do("roll", "t", dice=(19,))
    assert {outcome.outcome for outcome in state.outcomes} == {"victory", "defeat"}
    assert view(state, SHEETS, Perspective()).detail.rows[1].notes == ("At stake: The boat", "A story may end here.")


def test_qw_22_only_the_augment_that_was_granted_is_rolled_and_once() -> None:
    state, _ = act(framed(begun(NOBODY)), "augment", "t", trait="g", whom="i", words="A song")
    state, _ = act(state, "augment", "i", trait="k", whom="i", words="A map")
    state, _ = act(state, "answer", proposal="1", verdict="roll3")
    state, turn = act(state, "roll_augment", "i", dice=(3, 19))
    assert state.proposals[1].won and state.proposals[0].won is None and "Mapmaker helps" in text(turn, "QW-22")
    assert "Mapmaker: 3 against 19, a success." in text(turn, "QW-10")
    assert "roll_augment" not in {offer.action for offer in KIND.offers(state, SHEETS)}


def test_qw_22_nothing_augments_itself_by_a_way_round() -> None:
    state, _ = act(begun(NOBODY), "choose", "i", tactic="By ear", new="Listening")
    heard = Sheet("i", "Ilse", (*ILSE.traits, Trait("n", "ability", "Listening", 13)))
    state, _ = act(state, "oppose", name="The clerk")
    with pytest.raises(BadMove, match="does not augment itself"):
        KIND.act(state, {**SHEETS, "i": heard}, "i", "augment", {"trait": "n", "whom": "i", "words": "So"})
    assert "Listening 13" not in dict(with_others(state, heard)), "it is what is used"
    state, _ = act(framed(begun(NOBODY)), "choose", "i", tactic="Both", ability="a", second="b")
    with pytest.raises(BadMove, match="same keyword"):
        act(state, "augment", "i", trait="k", whom="i", words="A map")
    state, _ = act(framed(begun(NOBODY)), "augment", "i", trait="k", whom="i", words="A map")
    state, _ = act(state, "answer", proposal="0", verdict="assured6")
    others = dict(with_others(state, ILSE))
    assert others["Mapmaker 19"] == odds(framed(begun(NOBODY), ability="k"), "i"), "without its own help"
    state, turn = act(state, "choose", "i", tactic="By the map", ability="b")
    assert not state.modifiers and "no longer augments" in text(turn, "QW-22")


def test_qw_22_an_augment_that_is_taken_off_may_be_another_and_each_gives_one() -> None:
    state, _ = act(framed(begun(NOBODY)), "augment", "t", trait="g", whom="i", words="A song")
    with pytest.raises(BadMove, match="Each augments with one ability"):
        act(state, "augment", "t", trait="s", whom="i", words="And an oar")
    state, _ = act(state, "answer", proposal="0", verdict="assured3")
    assert view(state, SHEETS, Perspective()).detail.rows[0].lines[0][1] == "Augment: Songs of Tam"
    state, _ = act(state, "take_back", line="0")
    state, _ = act(state, "augment", "t", trait="s", whom="i", words="An oar")
    assert state.proposals[1].open and not state.proposals[0].helps


def test_qw_23_a_player_may_let_a_flaw_of_their_own_hinder_them() -> None:
    state, turn = act(framed(begun(NOBODY)), "hinder", "i", trait="f", reason="The clerk is the lender’s brother")
    assert state.lines("i")[0].amount == -3 and "In debt hinders Ilse: −3." in text(turn, "QW-23")
    assert "f" not in dict(offer(state, "hinder", "i").options["trait"])
    assert "hinder" not in {offer.action for offer in KIND.offers(state, SHEETS) if offer.by == "t"}
    _, turn = rolled(state, 5, 20)
    assert Spend("i", "xp", 1) in turn.effects


def test_qw_61_what_lasts_counts_once(hurt: None) -> None:
    state, _ = act(framed(begun(NOBODY)), "lasting", lines=["h", "h2"])
    assert [id_ for id_, _ in offer(state, "lasting").options["lines"]] == ["h3"]
    state, _ = act(state, "lasting", lines=["h3"])
    assert not any(offer.action == "lasting" for offer in KIND.offers(state, SHEETS))


def test_qw_20_to_say_it_differently_begins_with_what_was_said() -> None:
    state, _ = act(begun(NOBODY), "choose", "i", tactic="I ask around", ability="k", contacts=True, second="a")
    assert dict(offer(state, "choose", "i").now) == {
        "tactic": "I ask around", "ability": "k", "second": "a", "contacts": True}
    state, turn = act(begun(NOBODY), "choose", "i", tactic="By ear", new="Listening")
    heard = Sheet("i", "Ilse", (*ILSE.traits, Trait("n", "ability", "Listening", 13)))
    now = next(offer for offer in KIND.offers(state, {**SHEETS, "i": heard}) if offer.by == "i").now
    assert now["ability"] == "n" and turn.effects == (Gain("i", "ability", "Listening", 13),)


def test_qw_22_and_76_what_goes_when_it_is_said_differently_is_what_is_meant_and_nothing_else() -> None:
    state, _ = act(framed(begun(NOBODY), ability="k"), "augment", "i", trait="a", whom="i", words="A glint")
    state, _ = act(state, "answer", proposal="0", verdict="assured3")
    state, _ = act(state, "choose", "i", tactic="I ask around", ability="k", contacts=True)
    state, _ = act(state, "modify", whom="i", line="situation:3", reason="A good night")
    assert [modifier.kind for modifier in state.modifiers] == ["augment", "stretch", "situation"]
    state, _ = act(state, "choose", "i", tactic="With the knife", ability="a")
    assert [modifier.kind for modifier in state.modifiers] == ["situation"]


def test_qw_30_another_tactic_leaves_what_was_laid_on_the_first() -> None:
    state, _ = act(framed(begun(NOBODY)), "modify", whom="i", line="stretch:-6", reason="Far-fetched")
    state, _ = act(state, "modify", whom="i", line="situation:3", reason="A good night")
    state, _ = act(state, "send_back", whom="i", reason="Not so")
    assert [modifier.kind for modifier in state.modifiers] == ["situation"]


def test_qw_30_thresholds_are_read_in_the_campaigns_own_sign() -> None:
    state = begun(NOBODY, symbol="W", thresholds="apprentice 15, master 1W2")
    assert state.settings.thresholds == (("apprentice", 15), ("master", 41))


def test_qw_21_a_bump_down_is_taken_off_in_words() -> None:
    state, _ = act(framed(begun(NOBODY)), "modify", whom="i", line="stretch:bump", reason="Far-fetched")
    _, turn = act(state, "take_back", line="0")
    assert text(turn, "QW-21") == "A stretch, one bump down, no longer counts."


def test_qw_10_before_a_story_point_nobody_has_won_yet() -> None:
    state, _ = act(framed(), "set")
    state, turn = act(state, "roll", "i", dice=(3, 5))
    assert state.phase is Phase.POINT and not text(turn, "QW-13") and not text(turn, "QW-14")
    assert "The clerk ahead" in view(state, SHEETS, Perspective()).detail.rows[0].sentence
    assert Spend("i", "xp", 1) not in turn.effects


def test_qw_30_what_is_on_the_sheet_is_not_made_up_anew() -> None:
    with pytest.raises(BadMove, match="on the sheet already"):
        act(begun(NOBODY), "choose", "i", tactic="By heart", new=ILSE.traits[0].name.upper())
