"""A chained contest as a procedure and as a move (QW-57)."""
from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.contract import odds, resolve
from rules.sheet import Gain, Trait
from rules.systems.questworlds.chained import to_one_that_stands, to_win
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.long.chained import TOO_HIGH, UNCOUNTED
from rules.systems.questworlds.long.rounds import BASIS
from rules.systems.questworlds.older.long_tables import to_win as by_table
from rules.systems.questworlds.roll import remembered
from tests.rules.questworlds.longing import ILSE, Table, chained, step


def test_qw_57_a_consequence_counts_from_the_next_round_on() -> None:
    table = chained()
    table.round(19, 3)
    gained = table.last.effects
    assert [(gain.sheet, gain.kind, gain.value) for gain in gained if isinstance(gain, Gain)] == [
        ("i", "consequence", 2)]
    assert table.state.target("i") == 11 and "at −6 in all" in step(table, "QW-57")
    table.round(3, 19)
    assert table.state.target("~0") == 11, "so it does for an NPC"
    table.round(3, 12, ability="a")
    assert table.state.record[-1][1].results == ("success", "failure")


def test_qw_57_below_0_one_has_to_concede_and_other_abilities_may_go_on() -> None:
    table = Table(chained().kind, opponents="Clerk 6")
    table.round(3, 10)
    table.round(17, 20)
    assert table.state.entrant("~0").status == "conceded" and table.state.won_by == 0
    other = chained()
    other.round(20, 17)
    assert dict(next(offer for offer in other.kind.offers(other.state, other.sheets) if offer.action == "round"
                     ).options["ability"]).keys() == {"b"}, "only Forgery at 21 is not below 0 with −20"
    other.round(3, 4, ability="b")
    assert other.state.entrant("i").status == "conceded"


def test_qw_57_one_gets_away_by_a_victory_and_nobody_is_hurt_by_it() -> None:
    table = chained()
    table.round(3, 19, aim="leave")
    assert table.state.entrant("i").status == "left" and not table.state.entrant("~0").hurts
    both = chained()
    both.act("", "part_ways", bout="0")
    assert both.state.won_by == -1
    conceded = chained()
    conceded.act("i", "concede")
    assert conceded.state.won_by == 1


def test_qw_57_a_follower_takes_a_defeat_one_rank_worse_and_leaves() -> None:
    table = chained()
    table.act("i", "follower", trait="r", role="supporter")
    assert "pass_on" not in table.offered("i")
    table.round(19, 3)
    table.act("i", "pass_on", follower="i:r")
    assert not table.state.entrant("i").hurts and table.state.entrant("i:r").hurts[0][0] == 3
    assert table.state.entrant("i:r").status == "removed" and not [
        trait for trait in table.sheets["i"].traits if trait.kind == "consequence"]


def test_qw_57_surplus_ones_take_on_who_is_faced_already() -> None:
    table = Table(chained().kind, opponents="Captain Vey 17", who=(("i", "Us", True), ("o", "Us", True)))
    table.act("o", "engage", whom="~0")
    table.round(3, 19)
    table.round(3, 19, by="o", bout=1, ability="s")
    assert [rank for rank, _ in table.state.entrant("~0").hurts] == [2, 2]


def test_qw_61_consequences_of_it_stack_as_the_campaign_says() -> None:
    by_value = chained(stacking="value")
    by_value.round(19, 3)
    by_value.round(19, 3)
    assert by_value.state.target("i") == 5
    by_rank = chained()
    by_rank.round(19, 3)
    assert by_rank.state.penalty("i", 2) == -20


def test_qw_57_where_too_much_is_to_be_counted_the_page_says_so() -> None:
    """Past the end of the ladder nothing gets worse: of two who are far above it neither has to concede."""
    for opponents, said in (("Giant 5M4", UNCOUNTED), ("Clerk 14", BASIS)):
        table = chained(opponents=opponents)
        table.sheets["i"] = replace(ILSE, traits=(Trait("k", "ability", "Sea god", 85),))
        shown = table.view("i").detail.choosing[0]
        odds = table.kind.forecast(table.state, table.sheets, "i", "round", {"bout": "0", "ability": "k"})
        assert shown.basis == said and said in odds[0][1].facts[0] and bool(shown.tactics) == (said == BASIS)


def test_qw_57_what_ends_and_is_too_high_to_count_is_not_called_endless() -> None:
    table = chained(opponents="Mountain 1000", stacking="value")
    table.sheets["i"] = replace(ILSE, traits=(Trait("k", "ability", "Sea god", 1000),))
    assert table.view("i").detail.choosing[0].basis == TOO_HIGH


CASES = (
    # Each reason is in 5.5: the loser of a round has a consequence at once, of the rank of the outcome.
    ({"rounds": [{}]}, [19, 3], {"penalties": [-6, 0], "targets": [11, 14], "over": False, "outcome": None}),
    ({"rounds": [{}]}, [3, 19], {"penalties": [0, -6], "targets": [17, 8]}),
    # A tie hurts nobody.
    ({"rounds": [{}]}, [5, 5], {"penalties": [0, 0], "rounds": [{"outcome": "tie", "rank": 0}]}),
    # What was suffered counts in the next round: 12 is over 11 by then.
    ({"rounds": [{}, {}]}, [19, 3, 12, 13], {"penalties": [-20, 0], "outcome": "defeat", "over": True}),
    # Below 0 one must concede; what is named after it does not take place.
    ({"rounds": [{}, {}]}, [17, 20], {"outcome": "victory", "over": True, "targets": [17, -6]}),
    # At 0 one may go on, though every roll fails by then.
    ({"ability": 12, "stacking": "value", "rounds": [{}, {}]}, [19, 3, 19, 3], {"targets": [0, 14], "over": False}),
    # Another ability in a round carries the penalties along.
    ({"rounds": [{}, {"ability": 27}]}, [19, 3, 1, 13], {"rounds": [{"outcome": "defeat", "rank": 2},
                                                                      {"outcome": "victory", "rank": 3}]}),
)


def test_qw_57_the_contract_has_moves_for_it() -> None:
    for given, dice, expect in CASES:
        answer = resolve({"move": "questworlds.chained_contest", "dice": dice,
                          "given": {"ability": 17, "resistance": 14, **given}})
        answered = {name: answer["result"][name] for name in expect}
        assert answered == expect, (given, dice)


def by_hand(ours: int, theirs: int) -> Fraction:
    """The chance not to concede, by every throw and every rank, without anything that is kept."""
    ladder = (0, 3, 6, 9, 20, 40)
    known: dict[tuple[int, int], Fraction] = {}

    def wins(one: int, other: int) -> Fraction:
        if ours - ladder[one] < 0:
            return Fraction(0)
        if theirs - ladder[other] < 0:
            return Fraction(1)
        if (one, other) not in known:
            moved, total = 0, Fraction(0)
            for dice in product(range(1, 21), repeat=2):
                clash = Terms(ours - ladder[one], (), theirs - ladder[other]).clash(dice)
                if clash.lead > 0:
                    total += wins(one, min(5, other + clash.rank))
                elif clash.lead < 0:
                    total += wins(min(5, one + clash.rank), other)
                moved += clash.lead != 0
            known[one, other] = total / moved
        return known[one, other]

    return wins(0, 0)


def test_the_chance_of_a_chain_is_what_counting_every_throw_says() -> None:
    for ours, theirs in ((17, 14), (6, 21), (13, 13)):
        assert to_win(Terms(ours, (), theirs), (), (), False) == by_hand(ours, theirs)
    answer = odds({"move": "questworlds.chained_contest", "given": {"ability": 17, "resistance": 14}, "of": "winner"})
    assert Fraction(answer["odds"]["player"]) == by_hand(17, 14)


def test_a_chain_that_may_never_end_has_no_chance_told() -> None:
    assert to_win(Terms(60, (), 60), (), (), False) is None


@pytest.mark.parametrize("score", [6, 14, 31, 60])
def test_qw_57_chances_are_told_wherever_a_chained_contest_ends_and_are_even_between_equals(score: int) -> None:
    assert to_win(Terms(score, (), score), (), (), True) == Fraction(1, 2)
    assert by_table(Terms(score, (), score), (), ()) == Fraction(1, 2)
    assert to_win(Terms(score, (), score), (), (), False) == (Fraction(1, 2) if score < 40 else None)


def test_qw_57_scores_beyond_all_reason_are_refused_and_break_nothing() -> None:
    assert to_win(Terms(4000, (), 4000), (), (), True) is None and by_table(Terms(980, (), 980), (), ()) is None
    given = {"ability": 150, "resistance": 150, "stacking": "value"}
    answer = odds({"move": "questworlds.chained_contest", "given": given, "of": "winner"})
    assert answer["odds"] == {"player": "1/2", "resistance": "1/2"}, "the contract refuses none that ends"


@pytest.mark.parametrize("ours", [12, 31, 58, 70])
@pytest.mark.parametrize("more", [
    {}, {"story_points": (False, True)}, {"story_points": (True, False), "down": (2, 0)}, {"tie_to_player": True}])
def test_qw_57_masteries_that_decide_a_chain_are_those_that_every_throw_decides(ours: int, more: Any) -> None:
    """Where one is so far ahead nothing more is counted; what is left out would change no chance."""
    for theirs in range(max(1, ours - 70), ours + 70, 23):
        terms = Terms(ours, (), theirs, **more)
        ladder = terms.edition.modifiers

        def chance(wears_out: bool, terms: Terms = terms, ladder: Any = ladder) -> Fraction | None:
            return to_one_that_stands(
                terms.clash((1, 1)), (0, 0), int, lambda taken, rank: taken + ladder.of_rank(ladder.held(rank)),
                lambda clash: (clash.lead, clash.rank), remembered(), most=None, wears_out=wears_out)
        assert chance(True) == chance(False)
