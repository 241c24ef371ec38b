"""Making, growing and mending a character; what the roll tray composes; range and movement."""
from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.contract import resolve
from rules.registry import system_of
from rules.sheet import Damage, Gain, Raise, Sheet, Spend, TraitDraft
from rules.system import Purchase
from rules.systems.pdq.chart import Rank
from rules.systems.pdq.ranges import half_movement, movement, range_of
from rules.systems.pdq.recovery import RecoveryMove, recover, recover_all
from rules.systems.pdq.scene import checked_damage, close_scene, danger_left
from rules.values import BadMove
from tests.rules.pdq.walking import trait

PDQ = system_of("pdq")
SETTINGS = PDQ.read_settings({})


def drafts(line: str) -> tuple[TraitDraft, ...]:
    return PDQ.sheet.from_line(f"someone, {line}")[1]


@pytest.mark.parametrize("line", [
    "Sword good, Ride good, Cook good, Sing good, Slow poor", "Sword expert, Ride good, Cook good, Slow poor",
    "Sword expert, Ride expert, Slow poor", "Sword master, Ride good, Slow poor",
])
def test_pq_10_four_ranks_and_a_weakness_settle_the_budget(line: str) -> None:
    budget = PDQ.sheet.budget(drafts(line), SETTINGS)
    assert budget.settled
    assert [(line.spent, line.whole) for line in budget.lines] == [(4, 4), (1, 1)]


@pytest.mark.parametrize("line, said", [
    ("Slow poor", "choose 2 to 4 strengths"),
    ("Sword good, Ride expert, Slow poor", "1 left"),
    ("Sword master", "add 1 weakness"),
    ("Sword master, Ride expert, Slow poor", "Take 1 rank away"),
    ("Sword master, Ride good, Slow poor, Shy poor", "Take 1 weakness away"),
    ("A good, B good, C good, D good, E good, Slow poor", "There are 5 strengths"),
    ("Sword master, Slow poor", "too few strengths"),
])
def test_pq_10_what_is_open_is_said_in_words(line: str, said: str) -> None:
    budget = PDQ.sheet.budget(drafts(line), SETTINGS)
    assert not budget.settled
    assert said in " ".join((*(line.todo for line in budget.lines), *budget.remarks))


def test_pq_10_both_budgets_are_settings() -> None:
    settings = PDQ.read_settings({"strength_ranks": 7, "weakness_ranks": 0})
    assert PDQ.sheet.budget(drafts("A master, B master, C good"), settings).settled
    assert "3 to 7 strengths" in PDQ.sheet.budget((), settings).lines[0].todo


def test_pq_10_drafts_that_make_no_sense_are_remarked_on_not_refused() -> None:
    made = (TraitDraft("strength", "Sword", 4), TraitDraft("strength", " sword ", 0), TraitDraft("weakness", "", 1))
    said = " ".join(PDQ.sheet.budget(made, SETTINGS).remarks)
    assert all(part in said for part in ("no strength at this rank", "no weakness", "no name yet", "more than once"))


@pytest.mark.parametrize("line, name, traits", [
    ("Guard", "Guard", []),
    ("guard, Fighting good", "guard", [("strength", "Fighting", 1)]),
    (" Old  Marrow ; Long knives: Expert;slow POOR,", "Old Marrow",
     [("strength", "Long knives", 2), ("weakness", "slow", -1)]),
    ("guard, Fighting +2, Slow -2, Shy [−2]", "guard",
     [("strength", "Fighting", 1), ("weakness", "Slow", -1), ("weakness", "Shy", -1)]),
    ("guard, Fighting Good [+2]", "guard", [("strength", "Fighting", 1)]),
    ("guard, good fighter", "guard", [("strength", "fighter", 1)]),
    ("Robin Good, Archery expert", "Robin Good", [("strength", "Archery", 2)]),
    ("2 squads of 5 guards, good", "Guards", [("strength", "Guards", 1)]),
    ("a squad of 3 rats, poor, Biting good", "Rats", [("weakness", "Rats", -1), ("strength", "Biting", 1)]),
    ("2 squads of 4 clerks, average", "Clerks", []),
])
def test_pq_10_a_character_from_one_line(line: str, name: str, traits: list[tuple[str, str, int]]) -> None:
    drafts, made = PDQ.sheet.from_line(line)
    assert (drafts, [(draft.kind, draft.name, draft.value) for draft in made]) == (name, traits)


@pytest.mark.parametrize("line, sentence", [
    ("", "Begin with a name"), (", Fighting good", "Begin with a name"), ("guard, Fighting", "End “Fighting”"),
    ("guard, good", "Say what is “good”"), ("guard, Fighting average", "Leave “Fighting” out"),
    ("guard, Fighting good, fighting expert", "more than once"), ("g" * 101, "100 characters"),
    ("guard, Fighting +3", "End “Fighting +3”"),
    ("guard, Rapier seventeen", "End “Rapier seventeen” with a rank: poor, good, expert, master."),
    ("Rapier seventeen", "Begin with a name"), ("Fighting good", "“Fighting good” reads like a quality"),
    ("guard good, Slow poor", "Put a comma after the name: guard,"), ("2 squads of 5 guards good", "Put a comma"),
])
def test_pq_10_a_line_that_can_not_be_read_says_what_to_change(line: str, sentence: str) -> None:
    with pytest.raises(BadMove) as bad:
        PDQ.sheet.from_line(line)
    assert sentence in bad.value.sentence
    assert bad.value.field == "line"


@given(st.text(alphabet="ab ,;+-2:[]goodpr−\n", max_size=40))
def test_pq_10_any_line_is_read_or_refused_in_words(line: str) -> None:
    try:
        name, made = PDQ.sheet.from_line(line)
    except BadMove as bad:
        assert bad.sentence.endswith(".")
    else:
        assert name
        assert all(draft.name and draft.value in (-1, 1, 2, 3) for draft in made)


GROWN = Sheet("ada", "Ada", (trait("sword", 3), trait("ride", 1, damage=2), trait("slow", -1)), (("xp", 5),))


def test_pq_18_momentary_danger_gives_everything_back() -> None:
    assert recover_all(GROWN) == (Damage("ride", -2),)


def test_pq_18_weaknesses_count_and_nothing_goes_below_0() -> None:
    answer = resolve({"move": "pdq.recovery", "given": {"qualities": ["good", "poor", "poor"]}, "dice": [1]})
    assert answer["result"] == {"modifier": -2, "recovered": 0}
    assert answer["steps"][0]["rule"] == "PQ-18"


def test_pq_18_the_player_chooses_where_and_all_that_can_recover_does() -> None:
    hurt = Sheet("bo", "Bo", (trait("sword", 2, damage=3), trait("ride", 1, damage=1), trait("sing", 1)))
    assert recover(hurt, 2, {"sword": 1, "ride": 1}) == (Damage("sword", -1), Damage("ride", -1))
    assert recover(hurt, 9, {"sword": 3, "ride": 1}) == (Damage("sword", -3), Damage("ride", -1))
    for recovered, placed, sentence in (
        (2, {"sword": 1}, "Assign 2 in all"), (2, {"ride": 2}, "more can’t recover"), (9, {"sword": 3}, "Assign 4"),
        (1, {"sing": 1}, "0 damage"), (1, {"dance": 1}, "of this sheet"), (0, {"sword": 1, "ride": -1}, "of this"),
    ):
        with pytest.raises(BadMove, match=sentence):
            recover(hurt, recovered, placed)


def test_pq_16_damage_outside_a_conflict_goes_where_the_player_likes() -> None:
    hurt = Sheet("bo", "Bo", (trait("sword", 2), trait("ride", 1, damage=1), trait("sing", 1)))
    assert checked_damage(hurt, 3, {"sword": 2, "ride": 1, "sing": 0}) == {"sword": 2, "ride": 1}
    for amount, spread, sentence in (
        (3, {"sword": 2}, "Assign 3 in all"), (3, {"ride": 3}, "Ride can lose 2 at most"),
        (1, {"dance": 1}, "of this sheet"), (0, {"sword": 1, "ride": -1}, "of this sheet"),
    ):
        with pytest.raises(BadMove, match=sentence):
            checked_damage(hurt, amount, spread)


def test_pq_18_the_dead_do_not_recover_and_owe_no_roll() -> None:
    hurt = Sheet("bo", "Bo", (trait("sword", 2, damage=1),))
    dead = replace(hurt, id="al", name="Al", dead=True)
    for danger, healed, owed in (("momentary", 1, 0), ("continuing", 0, 1)):
        end = close_scene([hurt, dead], danger)
        assert (len(end.effects), [new_allocation.sheet for new_allocation in end.pending]) == (healed, ["bo"] * owed)
        assert [step.rule for step in end.steps] == ["PQ-18", "PQ-17"]
    assert close_scene([dead], "momentary").steps[-1].text == "Nobody has damage to recover from."


def test_pq_18_danger_goes_on_where_it_does_after_one_conflict() -> None:
    both: list[dict[str, Any]] = [{"danger": "continuing"}, {"danger": "momentary"}]
    assert danger_left(both) == {"danger": "continuing"}
    assert danger_left(both[1:]) == {"danger": "momentary"}
    assert danger_left([]) == {}


def test_pq_19_four_points_raise_a_rank_or_learn_a_quality() -> None:
    offered = {purchase.choice: purchase for purchase in PDQ.growth.purchases(GROWN, SETTINGS)}
    assert set(offered) == {"raise:ride", "raise:slow", "learn"}, "Sword is at Master"
    assert all(purchase.cost == 4 for purchase in offered.values())
    assert PDQ.growth.buy(GROWN, offered["raise:ride"], "", SETTINGS) == (Spend("ada", "xp", -4), Raise("ride", 1))
    assert PDQ.growth.buy(GROWN, offered["learn"], " Cook ", SETTINGS) == (
        Spend("ada", "xp", -4), Gain("ada", "strength", "Cook", 1),
    )


def test_pq_19_not_past_master_not_without_points_and_not_without_a_name() -> None:
    poor = replace(GROWN, pools=(("xp", 3),))
    assert PDQ.growth.purchases(poor, SETTINGS) == ()
    learn = Purchase("learn", "", 4, asks_name=True)
    for sheet, choice, name, sentence in (
        (poor, learn, "Cook", "costs 4"), (GROWN, Purchase("raise:sword", "", 4, "sword"), "", "below Master"),
        (GROWN, learn, " ", "Name the new"), (GROWN, learn, "RIDE", "already"),
    ):
        with pytest.raises(BadMove, match=sentence):
            PDQ.growth.buy(sheet, choice, name, SETTINGS)


@pytest.mark.parametrize(("rank", "choices"), [
    (-1, ["raise:slow", "learn"]), (0, ["raise:slow", "learn"]), (2, ["raise:slow", "learn"]), (3, ["learn"])])
def test_pq_19_a_weakness_rises_to_master_like_any_quality(rank: int, choices: list[str]) -> None:
    sheet = Sheet("ada", "Ada", (replace(trait("slow", -1), value=rank),), (("xp", 4),))
    assert [purchase.choice for purchase in PDQ.growth.purchases(sheet, SETTINGS)] == choices


@pytest.mark.parametrize("yards, word", [
    (0, "near"), (1, "near"), (2, "middling"), (3, "middling"), (4, "far"), (60, "far"), (61, "too far"),
    (-61, "too far"),
])
def test_pq_20_ranges(yards: int, word: str) -> None:
    assert range_of(yards).word == word


def test_pq_20_movement() -> None:
    assert movement(()) == 2
    assert movement((Rank.GOOD, Rank.EXPERT)) == 14
    assert half_movement((Rank.GOOD, Rank.EXPERT)) == 7
    assert movement((Rank.POOR, Rank.POOR)) == 0


def test_pq_18_what_bears_on_healing_and_what_can_t() -> None:
    healing = PDQ.session.healing([trait("sword", 2), trait("ride", 1, damage=1)])
    assert RecoveryMove().read(healing).modifier == 4
    with pytest.raises(BadMove, match="below Poor"):
        PDQ.session.healing([trait("sword", 1, damage=3)])
    assert PDQ.sheet.notation("strength", -2) == "Out"
