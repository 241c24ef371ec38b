"""How much is counted for the chances of long contests: all scores from 6 to 60, asked for the first time.

The work is counted, not the time: a machine that does something else meanwhile counts no more.
"""
from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules import odds
from rules.systems.questworlds import chained, tally
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.extended import ExtendedContest
from rules.systems.questworlds.long import ExtendedLong, bids, scored
from rules.systems.questworlds.long.bids import ROUNDS_AHEAD, ahead
from rules.systems.questworlds.older import long_tables
from rules.systems.questworlds.roll import MOST_KNOWN, Known, remembered
from rules.values import BadMove
from tests.rules.questworlds import longing

STATES = 1_450  # 35 ms of work for 59 against 60, on the machine where it was measured
PAIRS_OF_POINTS = 66_000  # 25 ms
SCORES = (6, 17, 31, 45, 58, 59, 60)


@pytest.fixture
def states(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The states of chained contests that are looked at."""
    looked: list[Any] = []

    def to_the_end(start: Any, moves: Callable[[Any], Mapping[Any, int]], most: int) -> Fraction | None:
        def seen(state: Any) -> Mapping[Any, int]:
            looked.append(state)
            return moves(state)
        return odds.to_the_end(start, seen, most)
    monkeypatch.setattr(chained, "to_the_end", to_the_end)
    chained.by_numbers.cache_clear()
    long_tables.by_numbers.cache_clear()
    return looked


@pytest.fixture
def scores(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The scores of scored contests that are looked at."""
    looked: list[Any] = []
    outcome_of = scored.outcome_of

    def seen(*score: Any) -> str | None:
        looked.append(score)
        return outcome_of(*score)
    monkeypatch.setattr(scored, "outcome_of", seen)
    scored.chance_of.cache_clear()
    scored.wins_from.cache_clear()
    return looked


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pairs of points are gone through in each exchange of an extended contest."""
    counted: list[int] = []
    after = tally.Tally.after
    bids.counted_ahead.cache_clear()

    def seen(self: tally.Tally, moves: tally.Moves) -> tally.Tally:
        counted.append(self.size)
        return after(self, moves)
    monkeypatch.setattr(tally.Tally, "after", seen)
    return counted


@pytest.mark.parametrize("scores", list(product(SCORES, repeat=2)), ids=str)
def test_qw_57_a_chained_contest_of_scores_up_to_60_has_few_states(
    states: list[Any], scores: tuple[int, int],
) -> None:
    terms = Terms(scores[0], (), scores[1])
    ways: tuple[Callable[[], Fraction | None], ...] = (
        lambda: chained.to_win(terms, (), (), True), lambda: chained.to_win(terms, (), (), False),
        lambda: long_tables.to_win(terms, (), ()))
    for count in ways:
        states.clear()
        count()
        assert len(states) <= STATES and len(states) == len(set(states)), "and each is looked at once"


@pytest.mark.parametrize(("scores", "plan", "answers"), [
    ((17, 14), (5, 8, 3), (3, 5, 4)), ((31, 31), (5, 8, 3), (3, 5, 4)), ((45, 58), (5, 8, 3), (3, 5, 4)),
    ((56, 59), (10, 13, 20), (8, 16, 8)), ((55, 57), (18, 15, 3), (16, 14, 15)), ((60, 60), (7, 11, 13), (5, 3, 17))])
def test_qw_51_the_winner_by_three_bids_of_each_is_counted_by_rows(
    points: list[int], scores: tuple[int, int], plan: tuple[int, ...], answers: tuple[int, ...],
) -> None:
    kind = ExtendedContest()
    given = {"ability": scores[0], "resistance": scores[1], "plan": {"player": list(plan), "resistance": list(answers)}}
    assert sum(kind.odds(kind.read(given), "winner").values()) == 1
    assert len(points) == 12 and sum(points) <= PAIRS_OF_POINTS
    points.clear()
    assert ahead(Terms(scores[0], (), scores[1]), scores, plan, 10)[2] == ROUNDS_AHEAD, "the page counts them all, too"
    assert sum(points) <= PAIRS_OF_POINTS


@pytest.mark.parametrize("given", [
    {"ability": 9, "resistance": 7, "exchanges": [{"by": "player", "bid": 9}, {"by": "resistance", "bid": 5}]},
    {"ability": "1M", "resistance": 3, "exchanges": [{"by": "player", "bid": 3, "asymmetrical": True},
                                                    {"by": "resistance", "bid": 9}, {"by": "player", "bid": 2}]}])
def test_qw_51_rows_come_to_what_the_points_come_to(given: dict[str, Any]) -> None:
    kind = ExtendedContest()
    move, summed = kind.read(given), dict[str | None, Fraction]()
    for written, chance in kind.odds(move, "points").items():
        ours, theirs = map(int, str(written).strip("[]").split(","))
        outcome = "tie" if ours <= 0 >= theirs else "defeat" if ours <= 0 else "victory" if theirs <= 0 else None
        summed[outcome] = summed.get(outcome, Fraction(0)) + chance
    assert kind.odds(move, "outcome") == summed and kind.odds(move, "over").get(True, 0) == 1 - summed.get(None, 0)


def test_qw_51_more_points_than_people_wait_for_are_counted_for_fewer_rounds(points: list[int]) -> None:
    assert ahead(Terms(57, (), 54), (300, 300), (20, 7, 33), 9)[2] < ROUNDS_AHEAD
    assert sum(points) <= PAIRS_OF_POINTS
    with pytest.raises(BadMove, match="Ask for"):
        ExtendedContest().odds(ExtendedContest().read({"ability": 9, "resistance": 7}), "who")


@pytest.mark.parametrize("setup", [{}, {"stacking": "value"}, {"long_tables": True}], ids=str)
def test_qw_57_whoever_looks_at_a_chained_contest_next_counts_nothing_anew(
    states: list[Any], setup: dict[str, Any],
) -> None:
    table = longing.chained(**setup)
    gm = table.view(runs=True).detail.choosing[0].tactics[0].chance
    assert gm and states
    states.clear()
    assert table.view("i").detail.choosing[0].tactics[0].chance == gm and not states


def test_qw_43_whoever_looks_at_a_scored_contest_next_counts_nothing_anew(scores: list[Any]) -> None:
    table = longing.Table()
    gm = table.view(runs=True).detail.choosing[0]
    assert gm.tactics[0].chance and scores
    scores.clear()
    assert table.view("i").detail.choosing[0] == gm and not scores


def test_qw_51_whoever_asks_for_the_next_rounds_of_bids_next_counts_nothing_anew(points: list[int]) -> None:
    table = longing.Table(ExtendedLong(), "The judge 60")
    given = {"whom": "~0", "ability": "k", "bid": 5, "plan": "8, 3"}
    told = table.kind.forecast(table.state, table.sheets, "i", "bid", given)
    assert points
    points.clear()
    assert table.kind.forecast(table.state, table.sheets, "i", "bid", given) == told and not points


def test_what_comes_to_the_same_numbers_is_counted_once(states: list[Any], points: list[int]) -> None:
    for count in (chained.to_win, lambda terms, *ranks: long_tables.to_win(terms, *ranks[:2])):
        for ranks in (((), (), True), ((), (), False)):
            chance = count(Terms(40, (), 31), *ranks)
            states.clear()
            assert count(Terms(37, (3,), 25, (6,)), *ranks) == chance and not states
    chance = chained.to_win(Terms(40, (), 31), (3,), (), False)
    states.clear()
    assert chained.to_win(Terms(40, (), 31), (2, 1), (), False) == chance and not states, "by rank their sum counts"
    odds_ahead = ahead(Terms(40, (), 38), (40, 31), (5,), 5)
    points.clear()
    assert ahead(Terms(37, (3,), 38), (40, 31), [5], 5) == odds_ahead and not points


def test_what_pairs_of_results_come_to_is_kept_for_so_many_kinds_of_roll_and_no_more() -> None:
    known: Known[int] = remembered()
    first = known(0, ())
    assert known(0, ()) is first
    for left in range(1, MOST_KNOWN + 1):
        known(left, ())
    assert known(0, ()) is not first
