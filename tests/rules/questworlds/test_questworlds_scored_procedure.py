"""A scored contest as a procedure, rule by rule (QW-43 to QW-50, QW-58, QW-59)."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product

import pytest

from rules.contract import odds
from rules.procedure import CampaignContext, PastContest
from rules.systems.questworlds.long import ChainedLong, ExtendedLong, ScoredLong
from rules.systems.questworlds.long.dice import choice_of
from rules.systems.questworlds.settings import FORMS
from rules.values import BadMove
from tests.rules.questworlds.longing import Table, group, step


def test_qw_43_points_are_the_rank_and_five_put_one_out() -> None:
    table = Table()
    table.round(3, 19)
    assert table.points() == (2, 0) and table.state.round == 2
    table.round(3, 4)
    assert table.points() == (2, 1), "the higher die on the same result"
    table.round(5, 5)
    assert table.points() == (2, 1), "a tie changes nothing"
    table.round(17, 20)
    assert table.points() == (6, 1) and table.state.won_by == 0
    assert "round" not in table.offered("i") and "close" in table.offered("")
    table.act("", "close")
    assert table.kind.is_over(table.plain)


def test_qw_43_a_defeat_teaches_once_the_contest_is_over() -> None:
    table = Table()
    table.round(20, 17)
    assert not table.last.effects
    table.round(20, 17)
    table.act("", "close")
    assert [effect.by for effect in table.last.effects] == [1] and "a defeat" in step(table, "QW-80")


def test_qw_44_tactics_add_and_take_and_never_below_0() -> None:
    for (mine, theirs), (won, lost) in {
        ("risky", "normal"): (3, 4), ("normal", "risky"): (4, 3), ("risky", "risky"): (4, 4),
        ("defensive", "normal"): (1, 0), ("normal", "defensive"): (0, 1), ("defensive", "defensive"): (0, 0),
        ("risky", "defensive"): (1, 3), ("defensive", "risky"): (3, 1),
    }.items():
        for faces, expected in (((3, 19), (won, 0)), ((19, 3), (0, lost))):
            table = Table()
            table.act("", "stance", bout="0", tactic=theirs)
            table.round(*faces, tactic=mine)
            assert table.points() == expected, (mine, theirs, faces)


def test_qw_44_in_secret_a_choice_is_told_when_both_have_chosen() -> None:
    table = Table(tactics="secret")
    assert "round" not in table.offered("i") and "roll" not in table.offered("i")
    assert table.act("i", "choose", bout="0", ability="k", tactic="risky").sealed
    assert "roll" not in table.offered("i") and table.view("i") == table.view("i")
    before = table.view(runs=True)
    other = Table(tactics="secret")
    other.act("i", "choose", bout="0", ability="k", tactic="defensive")
    assert before == other.view(runs=True), "the GM reads nothing of it"
    table.act("", "stance", bout="0", tactic="normal")
    table.act("i", "roll", 3, 19, bout="0")
    assert table.points() == (3, 0)


def test_qw_44_two_players_choose_and_roll_each_their_own_die() -> None:
    table = Table(opponents="", who=(("i", "One", True), ("o", "Two", True)))
    table.act("i", "choose", bout="0", ability="k", tactic="normal")
    table.act("o", "choose", bout="0", ability="s", tactic="risky")
    table.act("o", "roll", 18, bout="0")
    assert not table.state.record and "roll" not in table.offered("o")
    table.act("i", "roll", 3, bout="0")
    assert table.points() == (4, 0)


def test_qw_45_a_parting_shot_wins_a_prize_or_takes_points_back() -> None:
    table = Table()
    table.round(17, 20)
    table.round(17, 20)
    assert table.points() == (8, 0)
    table.shot(3, 19, whom="~0", ability="a", words="Her horse")
    assert table.state.won_by == 0 and "Her horse" in step(table, "QW-45") and "parting" not in table.offered("i")
    back = Table()
    back.round(17, 19)
    back.round(3, 4)
    back.round(3, 19)
    assert back.points() == (5, 1) and back.state.won_by == 0
    back.shot(20, 17, whom="~0", ability="a", words="Her horse")
    assert back.points() == (3, 1), "no more than the last round gave is taken back"
    assert back.state.won_by is None and "round" in back.offered("i")


def test_qw_46_another_aim_scores_nothing_and_losing_costs_as_ever() -> None:
    table = Table()
    table.round(3, 19, aim="else", words="She cuts the rope")
    assert table.points() == (0, 0)
    table.round(19, 3, aim="else", words="She cuts the rope")
    assert table.points() == (0, 2)
    table.round(3, 19, aim="augment", words="High ground", ability="a")
    assert table.points() == (0, 2) and table.state.target("i", choice_of(
        table.state, table.sheets, "i", {"ability": "k"})) == 20
    table.round(3, 19, aim="leave")
    assert table.state.entrant("i").status == "left" and table.state.won_by == 1


def test_qw_47_pairs_go_in_the_order_of_their_scores_each_from_nothing() -> None:
    table = group()
    assert [(bout.ours, bout.theirs) for bout in table.state.bouts] == [("i", "~0"), ("o", "~1")]
    table.round(3, 19, by="o", bout=1, ability="s")
    assert table.state.round == 1 and "round" not in table.offered("o"), "one round for each pair"
    table.round(3, 19)
    assert table.state.round == 2


def test_qw_47_a_free_winner_takes_somebody_on_from_nothing_and_the_last_side_standing_wins() -> None:
    table = group()
    table.round(16, 20, by="o", bout=1, ability="s")
    table.round(16, 17)
    table.round(16, 20, by="o", bout=1, ability="s")
    assert table.state.free("o") and {"engage", "assist"} <= table.offered("o")
    table.round(3, 19)
    table.act("o", "engage", whom="~0")
    table.round(3, 19, by="o", bout=2, ability="s")
    assert table.points(2) == (2, 0) and table.points(0) == (2, 2)
    table.round(17, 20)
    assert table.state.won_by == 0 and table.state.bout(2).closed


def test_qw_47_who_joins_late_begins_from_nothing() -> None:
    table = Table()
    table.sheets["o"] = group().sheets["o"]
    table.round(3, 19)
    table.act("o", "enter", whom="~0")
    assert table.points(1) == (0, 0) and "round" in table.offered("o")
    table.act("", "join", name="Clerk", resistance="low", side="1")
    table.act("", "pair", ours="o", theirs="~3")
    assert [bout.theirs for bout in table.state.bouts_of("o")] == ["~3"]


def test_qw_48_assists_move_points_and_climb_for_each_try() -> None:
    table = group()
    table.round(19, 3)
    table.round(16, 20, by="o", bout=1, ability="s")
    table.round(19, 3)
    table.round(16, 20, by="o", bout=1, ability="s")
    assert table.points(0) == (0, 4)
    table.act("o", "assist", 3, 19, bout="0", ability="s")
    assert table.points(0) == (0, 2) and table.state.record[-1][1].outcome == "victory"
    assert "assist" not in table.offered("o"), "once in a round"
    table.round(5, 5)
    table.act("o", "assist", 3, 15, bout="0", ability="s")
    assert table.points(0) == (0, 3), "17 by now: 15 is the higher success"


def test_qw_48_an_unrelated_action_helps_without_a_risk() -> None:
    table = group()
    table.round(16, 20, by="o", bout=1, ability="s")
    table.round(5, 5)
    table.round(16, 20, by="o", bout=1, ability="s")
    table.act("o", "unrelated", 3, 19, whom="i", ability="s", words="He shouts")
    assert [line.amount for line in table.state.lines] == [3]


def test_qw_49_a_follower_contends_takes_points_over_or_helps() -> None:
    table = Table(opponents="Captain Vey 17; Clerk 11")
    table.act("i", "follower", trait="r", role="secondary")
    table.round(20, 17)
    assert table.points() == (0, 4)
    table.act("i", "shift", onto="0:i:r", points=2)
    assert table.points() == (0, 2) and table.state.entrant("i:r").points == 2
    table.round(20, 17)
    assert table.state.entrant("i").status == "beaten"
    table.act("i", "shift", onto="0:i:r", points=2)
    assert table.state.entrant("i").status == "in" and table.state.entrant("i:r").status == "removed"
    other = Table(opponents="Captain Vey 17; Clerk 11")
    other.act("i", "follower", trait="r", role="contestant")
    other.act("i", "engage", who="i:r", whom="~1")
    other.round(12, 11, bout=1)
    assert other.state.entrant("i:r").status == "in"
    other.round(5, 5)
    other.round(20, 10, bout=1)
    assert other.state.entrant("i:r").status == "beaten", "three points in one round"


def test_qw_49_somebody_free_takes_a_follower_out() -> None:
    table = Table(opponents="Captain Vey 17; Clerk 11")
    table.act("i", "follower", trait="r", role="supporter")
    table.act("", "threaten", 18, 3, who="~1", whom="i:r")
    assert table.state.entrant("i:r").status == "removed"


def test_qw_50_ability_and_resistance_change_and_points_stay() -> None:
    table = Table()
    table.round(3, 19)
    table.act("", "resist", whom="~0", resistance="low", reason="Her back to the sun")
    table.round(14, 12, ability="a")
    assert table.points() == (5, 0) and table.state.score_of("~0") == 11


@pytest.mark.parametrize("score", [(0, 0), (2, 3), (4, 4)])
def test_the_chances_of_a_bout_are_those_of_the_contract(score: tuple[int, int]) -> None:
    table = Table()
    choice = choice_of(table.state, table.sheets, "i", {"ability": "k"})
    bout = table.state.with_bout(0, points=score).bout(0)
    state = table.state.with_bout(0, points=score)
    answer = odds({"move": "questworlds.scored_contest", "of": "winner",
                   "given": {"ability": 17, "resistance": 17, "score": list(score)}})
    assert state.to_win(bout, "i", choice)("normal", "normal") == Fraction(answer["odds"]["player"])


def test_the_chance_by_a_tactic_is_what_every_throw_of_this_round_leads_to() -> None:
    table = Table()
    choice = choice_of(table.state, table.sheets, "i", {"ability": "k"})
    whole = Fraction(0)
    for faces in product(range(1, 21), repeat=2):
        after = Table()
        after.round(*faces, tactic="risky")
        if after.state.won_by is not None:
            whole += after.state.won_by == 0
            continue
        bout = after.state.bout(0)
        chance = after.state.to_win(bout, "i", choice)("normal", "normal")
        assert chance is not None
        whole += chance
    bout = table.state.bout(0)
    assert table.state.to_win(bout, "i", choice)("risky", "normal") == whole / 400


def test_qw_58_who_is_in_one_is_in_no_other() -> None:
    table = Table()
    past = PastContest(3, "The bridge", True, table.plain)
    with pytest.raises(BadMove, match="can’t run inside another"):
        ScoredLong().may_start({}, CampaignContext(past=(past,)), table.sheets)
    table.act("", "pause")
    ScoredLong().may_start({}, CampaignContext(past=(PastContest(3, "The bridge", True, table.plain),)), table.sheets)


def test_qw_43_a_campaign_uses_one_kind_of_long_contest_or_all() -> None:
    for form, kind in (("scored", ScoredLong()), ("chained", ChainedLong()), ("extended", ExtendedLong())):
        assert [long for long, _ in FORMS if kind.allowed_by({"long": long})] == [
            long for long, _ in FORMS if long in (form, "all")]


def test_qw_59_what_rests_offers_nothing_but_going_on() -> None:
    table = Table()
    table.round(3, 19)
    table.act("", "pause")
    assert table.offered() == {"resume", "call_off"} and "Paused" in table.view("i").waits_for
    table.act("", "resume")
    assert table.points() == (2, 0) and "round" in table.offered("i")


def test_qw_49_followers_of_opponents_stand_in_brackets_behind_their_leader() -> None:
    table = Table(opponents="Captain Vey 17 (Two wardens low; Clerk 9); Her cook", sides=["The party", "The toll"])
    parts = {contestant.name: contestant.part for contestant in table.state.contestants}
    assert [(part.resistance, part.leader) for part in parts.values() if part.side] == [
        (17, ""), (11, "~0"), (9, "~0"), (14, "")]
    assert table.state.settings.sides == ("The crew", "The toll"), "a side without a sheet is called so all the same"
    for wrong in ("(Clerk 9)", "Captain Vey 17 (Clerk −25)"):
        with pytest.raises(BadMove) as bad:
            Table(opponents=wrong)
        assert bad.value.field == "opponents"
    with pytest.raises(BadMove, match="scored contest"):
        Table(ChainedLong(), opponents="Captain Vey 17 (Clerk 9)")


def test_qw_12_who_has_two_rolls_to_decide_is_asked_for_the_first_alone() -> None:
    table = Table(points=1)
    table.round(12, 20)
    (throw,) = table.state.throws
    both = replace(table.state, throws=(throw, replace(throw, thrown=replace(throw.thrown, step=1))))
    assert [offer.action for offer in table.kind.offers(both, table.sheets) if offer.by == "i"].count("stand") == 1
    assert [ask.action for ask in table.kind.asks(both, table.sheets) if ask.by == "i"] == ["stand"]
