"""A check at the table, moment by moment (DW-02 to DW-11, DW-13, DW-14, DW-16, DW-17)."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rules.moves import Need
from rules.procedure import CampaignContext, PastContest
from rules.sheet import Sheet, Trait
from rules.system import PoolKind
from rules.systems.danger_world import DangerWorld
from rules.systems.danger_world.goal import chance_of
from rules.systems.danger_world.reading import level_of
from rules.systems.danger_world.table.challenges import challenges
from rules.systems.danger_world.table.state import Phase
from rules.values import BadMove
from tests.rules.danger_world.at_table import KIND, Played, a_sheet, detail_of, with_line

STATS = ["agility", "speed"]


def rolled(faces: list[int], **setup: Any) -> Played:
    """Mara's five dice, as they fell."""
    play = Played(a_sheet(), difficulty="3", **setup)
    play.do("propose", stats=STATS)
    play.do("roll", faces)
    return play


def used(faces: list[int], height: int, **setup: Any) -> Played:
    play = rolled(faces, **setup)
    play.do("stand")
    play.do("use", height=str(height))
    return play


def kinds(play: Played, kind: str) -> list[tuple[str, int]]:
    return [(trait.name, trait.value) for trait in play.sheet.traits if trait.kind == kind]


def test_dw_02_every_die_has_its_reason() -> None:
    sheet = with_line(with_line(a_sheet(), "stunned", damage=1), "bashed", damage=2)
    play = Played(sheet, difficulty="4", threat=1)
    turn = play.do("propose", stats=STATS, points={"in debt": 2}, danger=1)
    drawn = detail_of(play)
    assert drawn.pool and (drawn.pool.action, drawn.pool.danger, drawn.pool.threat) == (6, 1, 3)
    assert {reason.why for reason in drawn.reasons} >= {"Agility", "Speed", "Stunned", "Bashed", "Complications"}
    assert {"DW-02", "DW-08", "DW-10", "DW-14"} <= play.rules(turn)


def test_dw_02_the_gm_agrees_first_where_the_group_wants_it() -> None:
    play = Played(a_sheet(), difficulty="3", agree=True)
    play.do("propose", stats=STATS)
    assert "roll" not in play.actions()
    play.do("agree", gm=True)
    assert "roll" in play.actions()
    play.do("propose", stats=["cool", "speed"])
    assert "roll" not in play.actions()


def test_dw_02_two_different_stats() -> None:
    play = Played(a_sheet(), difficulty="3")
    for stats in (["agility"], ["agility", "agility"], ["agility", "in debt"]):
        with pytest.raises(BadMove):
            play.do("propose", stats=stats)


def test_dw_03_two_rounds_of_any_dice_but_threat() -> None:
    play = rolled([3, 1, 2, 6, 5, 4], threat=1)
    with pytest.raises(BadMove):
        play.do("reroll", [1], dice=["5"])  # the threat die
    with pytest.raises(BadMove, match="Choose the dice"):
        play.do("reroll", dice=[])
    stand = next(offer for offer in KIND.offers(play.state, play.sheets) if offer.action == "stand")
    assert stand.title == "Keep all dice, height 1: a partial success, 1 bonus die; 1 botch"
    turn = play.do("reroll", [3, 2], dice=["1", "2"])
    assert play.state.faces == (3, 3, 2, 6, 5, 4)
    assert "1 becomes 3, 2 becomes 2" in turn.outcome.steps[0].text
    play.do("reroll", [3], dice=["2"])
    assert play.state.phase is Phase.CHOOSE and play.state.sets == (3,)
    assert "reroll" not in play.actions()


def test_dw_04_a_lower_set_or_none_may_be_chosen() -> None:
    play = _two_sets()
    offer = next(offer for offer in KIND.offers(play.state, play.sheets) if offer.action == "use")
    assert [value for value, _ in (offer.options or {})["height"]] == ["3", "2", "0"]
    play.do("use", height="2")
    assert play.state.height == 2
    with pytest.raises(BadMove):
        _two_sets().do("use", height="5")


def _two_sets() -> Played:
    play = rolled([3, 3, 3, 2, 2])
    play.do("stand")
    return play


def test_dw_05_the_excess_and_the_partial_success_are_bonus_dice() -> None:
    play = Played(a_sheet("Mara, agility 4, speed 1"), difficulty="3")
    play.do("propose", stats=STATS)
    play.do("roll", [4, 4, 4, 4, 6])
    play.do("stand")
    play.do("use", height="4")
    assert kinds(play, "bonus") == [("Over the roofs", 1)]
    part = used([2, 2, 5, 5, 6], 2)
    assert kinds(part, "bonus") == [("Over the roofs", 2)]
    assert part.state.phase is Phase.OVER


def test_dw_05_bonus_dice_are_used_up() -> None:
    held = used([2, 2, 5, 5, 6], 2)
    play = Played(held.sheet, difficulty="3")
    play.do("propose", stats=STATS, bonus=["over the roofs"])
    play.do("roll", [1] * 7)
    assert kinds(play, "bonus") == []


def test_dw_06_botches_are_a_list_that_the_gm_spends() -> None:
    play = used([1, 1, 1, 2, 6], 0)
    assert play.state.botches == 3 and play.state.phase is Phase.COSTS
    play.do("pay", gm=True, cost="danger", words="")
    assert level_of(play.sheet) == 2
    with pytest.raises(BadMove):
        play.do("pay", gm=True, cost="full", words="")  # four, of two
    play.do("pay", gm=True, cost="threat", on="The fish hall")
    assert [(threat_left.challenge, threat_left.dice) for threat_left in play.state.left] == [("The fish hall", 1)]
    play.do("let_go", gm=True)
    assert play.state.phase is Phase.OVER


def test_dw_06_botches_are_kept_and_drawn_on() -> None:
    play = used([1, 1, 1, 2, 6], 0)
    turn = play.do("keep", gm=True)
    assert play.shared["kept"] == 3 and "keeps 3 botches" in turn.outcome.steps[0].text
    play = used([1, 4, 5, 2, 6], 0, kept=3)
    play.do("draw", gm=True, number=3)
    assert play.state.botches == 4 and play.shared["kept"] == 0


def test_dw_06_a_threat_die_waits_for_whoever_tries_next() -> None:
    play = used([1, 4, 5, 2, 6], 0)
    play.do("pay", gm=True, cost="threat", on="over the ROOFS", words="The tiles are loose")
    assert not kinds(play, "threat")
    again = Played(a_sheet("Tamsin, agility 4"), difficulty="2", past=[play])
    again.do("propose", stats=["tamsin’s agility", "tamsin’s speed"])
    assert [(reason.dice, reason.why) for reason in detail_of(again).reasons if reason.rule == "DW-06"] == [
        (1, "Left on Over the roofs, The tiles are loose")]
    again.do("roll", [4, 4, 3, 4, 5, 6])
    assert again.state.pool and again.state.pool.threat == 1
    again.do("stand")
    again.do("use", height="0")
    third = Played(a_sheet(), difficulty="2", past=[play, again])
    assert "clear_threats" in third.actions()  # it stays while nobody overcomes the challenge
    assert "clear_threats" not in Played(a_sheet(), difficulty="2", title="Somewhere else", past=[play]).actions()


def test_dw_06_a_threat_die_goes_with_the_challenge_that_is_overcome() -> None:
    play = used([1, 4, 5, 2, 6], 0)
    play.do("pay", gm=True, cost="threat", on="Over the roofs")
    done = used([3, 3, 3, 4, 5, 1], 3, past=[play])
    assert done.state.accomplished and done.state.pool and done.state.pool.threat == 1
    assert "clear_threats" not in Played(a_sheet(), difficulty="2", past=[play, done]).actions()
    assert [suggestion.name
            for suggestion in KIND.suggestions(Played(a_sheet(), past=[play]).context)] == ["Over the roofs"]
    assert not KIND.suggestions(Played(a_sheet(), past=[play, done]).context)


def test_dw_06_the_gm_takes_threat_dice_off_a_challenge() -> None:
    play = Played(a_sheet(), difficulty="3")
    play.do("complicate", gm=True, dice=3, why="A watchman")
    again = Played(a_sheet(), difficulty="3", past=[play])
    again.do("clear_threats", gm=True, number=2)
    again.do("propose", stats=STATS)
    assert [reason.dice for reason in detail_of(again).reasons if reason.kind == "threat"] == [1]
    with pytest.raises(BadMove):
        again.do("clear_threats", gm=True, number=2)
    (left,) = KIND.suggestions(Played(a_sheet(), past=[play, again]).context)
    assert left.words == "difficulty 3, 1 threat die on it"


def test_dw_06_what_one_check_is_about_is_not_the_next_ones() -> None:
    """Dark sides and the setup's own dice are for one roll; what happens in another scene is another challenge."""
    play = Played(a_sheet(), difficulty="3", threat=2, general=1)
    play.do("dark_side", gm=True, aspect="in debt", number=1)
    again = Played(a_sheet(), difficulty="3", past=[play])
    assert "clear_threats" not in again.actions()
    play.do("complicate", gm=True, dice=1, why="Rain")
    elsewhere = PastContest(1, "Over the roofs", True, play.state, "another scene")
    assert not challenges(CampaignContext((), (elsewhere,), scene="here"))


def test_dw_06_threats_on_a_sheet_from_before_are_counted_when_the_gm_says_so() -> None:
    sheet = a_sheet()
    waiting = Trait("t", "threat", "Over the roofs", 2)
    old = Sheet(sheet.id, sheet.name, (*sheet.traits, waiting), sheet.pools)
    assert [complication.dice for complication in Played(old, difficulty="2").state.complications] == [2]
    other = Played(old, difficulty="2", title="Somewhere else")
    assert not other.state.complications
    other.do("threaten", gm=True, threat="t")
    assert [complication.dice for complication in other.state.complications] == [2]
    assert "threaten" not in other.actions()


def test_dw_07_a_setback_is_undone_by_a_check_of_its_height() -> None:
    play = used([1, 1, 1, 2, 6], 0)
    with pytest.raises(BadMove, match="Describe what happens"):
        play.do("pay", gm=True, cost="story_3", words="")
    play.do("pay", gm=True, cost="story_3", words="Trapped in the yard")
    assert kinds(play, "setback") == [("Trapped in the yard", 3)]
    free = Played(play.sheet, difficulty="2")
    free.do("propose", stats=STATS, undoes="trapped in the yard")
    assert free.state.rated.difficulty == 3
    free.do("roll", [3, 3, 3, 5, 6])
    free.do("stand")
    turn = free.do("use", height="3")
    assert kinds(free, "setback") == [] and "DW-07" in free.rules(turn)


def test_dw_08_danger_dice_up_to_the_rank_and_those_in_the_set_raise_the_danger() -> None:
    play = Played(with_line(a_sheet(), "danger level", value=6), difficulty="3")
    with pytest.raises(BadMove):
        play.do("propose", stats=STATS, danger=3)
    play.do("propose", stats=STATS, danger=2)
    play.do("roll", [3, 1, 2, 6, 5, 3, 3])
    play.do("stand")
    turn = play.do("use", height="3")
    assert level_of(play.sheet) == 8 and "DW-08" in play.rules(turn)


def test_dw_09_keywords_speak_for_or_against_and_more_than_one_is_warned_of() -> None:
    play = Played(a_sheet(), difficulty="4", keywords="dark, slippery, loud")
    turn = play.do("rate", gm=True, difficulty=4, hinders=["dark", "slippery"])
    assert play.state.rated.difficulty == 6
    assert any("one is the most" in step.text for step in turn.outcome.steps)
    play.do("rate", gm=True, difficulty=4, helps=["dark"])
    assert play.state.rated.difficulty == 3
    with pytest.raises(BadMove, match="help and hinder"):
        play.do("rate", gm=True, difficulty=4, helps=["dark"], hinders=["dark"])


def test_dw_10_points_are_spent_with_the_roll_and_go_to_the_general_pool() -> None:
    play = Played(a_sheet(), difficulty="3")
    with pytest.raises(BadMove, match="has 3"):
        play.do("propose", stats=STATS, points={"in debt": 4})
    play.do("propose", stats=STATS, points={"in debt": 2})
    assert play.sheet.pool("points") == 3
    play.do("roll", [1] * 7)
    assert play.sheet.pool("points") == 1 and play.shared["general"] == 2


def test_dw_10_the_gm_pays_for_the_dark_side() -> None:
    play = Played(a_sheet(), difficulty="3", general=3)
    with pytest.raises(BadMove):
        play.do("dark_side", gm=True, aspect="in debt", number=4)
    play.do("dark_side", gm=True, aspect="in debt", number=2)
    assert play.sheet.pool("points") == 5 and play.shared["general"] == 1
    play.do("propose", stats=STATS)
    play.do("roll", [2] * 7)
    assert play.state.pool and play.state.pool.threat == 2


def test_dw_11_a_child_is_declared_at_the_moment_of_use_once_its_parent_was_used_twice() -> None:
    play = Played(a_sheet(), difficulty="3")
    young = {"name": "Knows every gutter", "under": "born on the roofs", "new_points": 1}
    with pytest.raises(BadMove):
        play.do("propose", stats=STATS, **young)
    play = Played(with_line(a_sheet(), "born on the roofs", value=2), difficulty="3")
    play.do("propose", stats=STATS, **young)
    play.do("roll", [1] * 7)  # five, one for the point, one for a secondary aspect
    made = play.sheet.trait("knows every gutter")
    assert made and (made.kind, made.value, made.parent) == ("secondary", 1, "born on the roofs")


def test_dw_11_using_an_aspect_counts() -> None:
    play = Played(a_sheet(), difficulty="3")
    play.do("propose", stats=STATS, points={"in debt": 1})
    play.do("roll", [1] * 6)
    line = play.sheet.trait("in debt")
    assert line and line.value == 1


@pytest.mark.parametrize(("level", "cost", "filled"), [
    (1, "reduced", {"bashed": 1}), (6, "full", {"stunned": 1}), (6, "overload", {"bashed": 3, "stunned": 1}),
])
def test_dw_13_hits_fill_boxes(level: int, cost: str, filled: dict[str, int]) -> None:
    play = Played(with_line(a_sheet("Mara, agility 4, speed 2"), "danger level", value=level), difficulty="6")
    play.do("propose", stats=STATS)
    play.do("roll", [1] * 6)
    play.do("stand")
    play.do("use", height="0")
    play.do("pay", gm=True, cost=cost, words="")
    assert {trait.id: trait.damage for trait in play.sheet.traits if trait.damage} == filled


def test_dw_14_an_injury_lowers_a_stat_left_to_chance() -> None:
    play = Played(with_line(a_sheet(), "danger level", value=11), difficulty="6")
    play.do("propose", stats=STATS)
    play.do("roll", [1, 1, 1, 1, 6])
    play.do("stand")
    play.do("use", height="0")
    wanted = KIND.act(play.state, play.sheets, "", "pay", {"cost": "full", "words": ""}, ())
    assert wanted == Need((8,))
    turn = play.do("pay", [3], gm=True, cost="full", words="")
    speed = play.sheet.trait("speed")
    assert speed and speed.now == 1 and "DW-14" in play.rules(turn)


def test_dw_14_who_is_out_makes_no_check() -> None:
    out = with_line(a_sheet(), "knocked out", damage=1)
    with pytest.raises(BadMove, match="knocked out"):
        Played(out, difficulty="3")
    play = Played(a_sheet(), difficulty="3")
    play.sheets["mara"] = out
    assert not play.actions() & {"propose", "roll"} and not KIND.asks(play.state, play.sheets)


def test_dw_03_only_threat_dice_stand_by_themselves() -> None:
    stunned = with_line(with_line(a_sheet(), "stunned", damage=3), "bashed", damage=3)
    play = Played(stunned, difficulty="2")
    play.do("propose", stats=["reasoning", "charisma"])
    turn = play.do("roll", [1, 4, 6])
    assert play.state.phase is Phase.COSTS and play.state.botches == 1
    assert "DW-03" in play.rules(turn)
    assert [roll.result["botches"] for roll in turn.outcome.rolls] == [1]


def test_dw_03_keeping_all_dice_may_use_their_set_at_once() -> None:
    play = Played(a_sheet(), difficulty="3")
    play.do("propose", stats=STATS)
    play.do("roll", [3, 3, 3, 5, 1])
    turn = play.do("stand", height="3")
    assert [type(event).__name__ for event in turn.events] == ["Stood", "Used"]
    assert play.state.accomplished and play.state.botches == 1


def test_dw_16_a_move_of_ones_own_in_words() -> None:
    play = used([3, 3, 3, 5, 6], 3, move="own", height_3="the fog lifts")
    assert KIND.is_over(play.state)
    drawn = detail_of(play)
    assert any("the fog lifts" in row.does and row.used for row in drawn.rows)


def test_dw_17_the_exact_odds_of_each_height_before_the_roll() -> None:
    play = Played(a_sheet(), difficulty="3")
    ((against, odds),) = KIND.forecast(play.state, play.sheets, "mara", "propose", {"stats": STATS})
    assert against == "5 dice against 3"
    assert sum((chance for _, chance, _ in odds.outcomes), Fraction(0)) == 1
    assert sum((chance for _, chance, tone in odds.outcomes if tone == "good"), Fraction(0)) == chance_of(5, 3)
    assert any("botches on average" in fact for fact in odds.facts)


def test_dw_17_the_hint_marks_dice_and_can_be_switched_off() -> None:
    play = rolled([3, 3, 1, 2, 6])
    drawn = detail_of(play)
    assert [die.index for die in drawn.dice if die.keep] == [0, 1] and drawn.chance
    play = rolled([3, 3, 1, 2, 6], hint=False)
    drawn = detail_of(play)
    assert not drawn.chance and not any(die.keep for die in drawn.dice)


def test_a_check_can_be_dropped() -> None:
    play = Played(a_sheet(), difficulty="3")
    play.do("end", gm=True, words="The bell stops them")
    assert KIND.is_over(play.state) and not play.actions()


def test_the_game_says_what_it_holds() -> None:
    game = DangerWorld()
    assert all(isinstance(shared_pool, PoolKind) for shared_pool in game.session.shared_pools)
    assert {prep_item.name for prep_item in game.prep_items} == {"challenge", "move"}
    assert game.rolls.tables({}) and game.rolls.calculators({})


def test_dw_17_no_dice_and_very_many_dice_have_odds_too() -> None:
    spent = with_line(with_line(a_sheet(), "agility", damage=3), "speed", damage=2)
    play = Played(spent, difficulty="2")
    play.do("propose", stats=STATS)
    drawn = detail_of(play)
    assert drawn.odds and {label: chance for label, chance, _ in drawn.odds.outcomes}["No set"] == 1
    play.do("roll", [])
    assert play.state.phase is Phase.OVER
    many = Played(a_sheet(points=20), difficulty="6")
    many.do("propose", stats=STATS, points={"in debt": 12})
    many.do("roll", [1] * 17)
    drawn = detail_of(many)
    assert drawn.chance
