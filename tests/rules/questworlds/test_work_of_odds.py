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
from rules.systems.questworlds.long.bid_odds import ROUNDS_AHEAD, ahead
from rules.systems.questworlds.older import long_tables
from rules.values import BadMove

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
    chained.to_win.cache_clear()
    long_tables.to_win.cache_clear()
    return looked


@pytest.fixture
def points(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """How many pairs of points are gone through in each exchange of an extended contest."""
    counted: list[int] = []
    after = tally.Tally.after

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
