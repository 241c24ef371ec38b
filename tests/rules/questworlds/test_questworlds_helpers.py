"""Notation, ranks, resistances, thresholds, budgets, experience and story points."""
from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules.systems.questworlds.abilities import combined
from rules.systems.questworlds.creation import Draft, budget, flaw_score, start_of
from rules.systems.questworlds.edition import FIRST
from rules.systems.questworlds.experience import Occasion, count, points
from rules.systems.questworlds.notation import (
    Score,
    ScoreField,
    notation,
    of_rank,
    rank_of,
    read_score,
    signed,
)
from rules.systems.questworlds.resistance import Progression, resistance
from rules.systems.questworlds.session import burn, cost_of, full_pool
from rules.values import BadMove

WRITTEN = {1: "1", 17: "17", 20: "20", 21: "1M", 27: "7M", 40: "20M", 41: "1M2", 50: "10M2", 70: "10M3", 0: "0",
           -3: "−3"}


def test_qw_01_score_to_notation_and_back():
    assert {score: notation(score) for score in WRITTEN} == WRITTEN
    assert {read_score(text): text for text in WRITTEN.values()} == WRITTEN


@given(st.integers(-1000, 1000))
def test_qw_01_every_score_is_read_as_it_was_written(score):
    assert read_score(notation(score)) == score
    assert read_score(signed(score)) == score
    if score > 0:
        assert 1 <= Score(score).rating <= 20
        assert Score(score).rating + 20 * Score(score).masteries == score


def test_qw_01_another_mastery_sign():
    assert notation(50, "W") == "10W2"
    assert read_score("10W2", "W") == 50
    with pytest.raises(BadMove):
        read_score("10M2", "W")


@pytest.mark.parametrize(("text", "value"), [
    ("+M", 20), ("-M", -20), ("−M2", -40), ("M", 20), ("+9", 9), ("-6", -6), (" 7m ", 27), ("11 M", 31), ("+7M", 27),
    ("1M1", 21)])
def test_qw_01_forms_that_are_read(text, value):
    assert read_score(text) == value
    assert ScoreField(name="x", label="X").check(text) == value


@pytest.mark.parametrize("bad", [
    "", "x", "M0", "21M", "0M", "7MM", "1.5", "+", "７M", None, True, 1.5, [], 1001, "9999"])
def test_qw_01_forms_that_are_refused(bad):
    with pytest.raises(BadMove):
        ScoreField(name="x", label="X").check(bad)


def test_qw_02_ranks():
    assert [signed(of_rank(rank)) for rank in range(-5, 6)] == [
        "−M2", "−M", "−9", "−6", "−3", "+0", "+3", "+6", "+9", "+M", "+M2"]
    assert [rank_of(of_rank(rank)) for rank in range(-5, 6)] == [*range(-5, 6)]
    assert rank_of(5) is None
    with pytest.raises(BadMove):
        of_rank(6)


def test_qw_03_base_and_rank_never_under_six():
    assert [resistance(rank) for rank in (-5, -4, -3, -2, 0, 3, 4, 5)] == [6, 6, 6, 8, 14, 23, 34, 54]
    assert resistance(1, base=20) == 23
    assert resistance(-2, base=10) == 6


def test_qw_03_progression_keeps_its_history():
    later = Progression().next_season(3).next_season().next_season(9)
    assert (later.base, later.rises) == (26, (3, 0, 9))
    with pytest.raises(BadMove):
        later.next_season(4)


def test_qw_04_names_are_one_rank_apart():
    names = [name for name, _ in FIRST.difficulty.names]
    assert [resistance(name, base=60) - 60 for name in names] == [-20, -9, -6, -3, 0, 3, 6, 9, 20, 40]
    assert resistance("moderate") == 14
    with pytest.raises(BadMove):
        resistance("hard")


def test_qw_26_halves_round_down():
    assert (combined(17, 14), combined(27, 13), combined(13, 13)) == (15, 20, 13)


HERO = [Draft("Ranger", "defining", 10), Draft("Stubborn", "characteristic", 5), Draft("Cook", points=5),
        Draft("Tracking", "breakout")]


def test_qw_72_scores_and_budget():
    assert [start_of(draft.kind) + draft.points for draft in HERO] == [27, 22, 18, 1]
    assert start_of("characteristic breakout") == 4
    assert budget(HERO).settled
    assert budget([*HERO, Draft("Swim", points=1)]).lines[0].left == -1


def test_qw_72_what_the_budget_remarks():
    assert len(budget([Draft("Ranger", "defining", 11), *HERO[1:]]).remarks) == 1
    assert budget(HERO[1:]).remarks == ("Choose the defining ability: it starts at 17.",)
    assert budget([HERO[0], *HERO[2:]]).remarks == (
        "Enter their distinguishing characteristic in the first line.",)
    assert len(budget([*HERO, Draft("Kind", "characteristic breakout")]).remarks) == 1
    with pytest.raises(BadMove):
        start_of("odd")


def test_qw_74_flaws_take_the_scores_of_abilities():
    assert [flaw_score(number, [13, 27, 22, 14]) for number in (1, 2, 3, 4)] == [27, 22, 13, 13]
    assert flaw_score(2, [17]) == 17
    with pytest.raises(BadMove):
        flaw_score(1, [])


def test_qw_80_defeats_and_flaws_once_each():
    occasions = [Occasion(*occasion) for occasion in (
        ("defeat", "a"), ("flaw", "b"), ("defeat", "a"), ("flaw", "b"), ("defeat", "c"))]
    assert [counted.counts for counted in count(occasions)] == [True, True, False, False, True]
    assert points(occasions) == 3
    assert all(counted.step.rule == "QW-80" and counted.step.text for counted in count(occasions))


@pytest.mark.parametrize("contest", ["augment", "assist", "gift", "assured"])
def test_qw_80_contests_that_teach_nothing(contest):
    # A defeat that does not count leaves the ability free to earn its point later.
    counted = count([Occasion("defeat", "a", contest), Occasion("defeat", "a")])
    assert [occasion.counts for occasion in counted] == [False, True]


def test_qw_80_five_a_session():
    assert points([Occasion("defeat", str(number)) for number in range(7)]) == 5


def test_qw_90_the_pool():
    assert full_pool(4) == 4
    assert full_pool(4, each=2) == 8
    assert burn(2) == 1
    for pool, number in ((0, 1), (2, 3), (2, 0)):
        with pytest.raises(BadMove):
            burn(pool, number)


def test_qw_91_plot_edits():
    assert [burn(3, cost_of(level)) for level in ("marginal", "minor", "major")] == [2, 1, 0]
    with pytest.raises(BadMove):
        burn(2, cost_of("major"))
    with pytest.raises(BadMove):
        cost_of("huge")
