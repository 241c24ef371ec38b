"""Whole contests against an enumeration of its own, written from the rules and not from the code (QW-10 to QW-53)."""
from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules import contract
from rules.systems.questworlds.extended import ExtendedContest
from rules.systems.questworlds.scored import ScoredContest
from rules.values import BadMove
from tests.effort import tries

CASES = [json.loads(line) for line in Path(__file__).with_name("odds.jsonl").read_text().splitlines()]
PLANS = ("normal", "risky", "defensive")


def level(score: int, die: int) -> int:
    """0 fumble, 1 failure, 2 success, 3 critical."""
    if score <= 0:
        return 1
    target = score - 20 * ((score - 1) // 20)
    return 3 if die == target else 0 if die == 20 else 2 if die < target else 1


def contest(ours: int, theirs: int, dice: tuple[int, int], point: bool = False) -> tuple[int, int, bool]:
    """Who wins (1, −1, 0), by how many levels, and whether the winner's result is a critical."""
    levels = [level(ours, dice[0]), level(theirs, dice[1])]
    left = max(0, (ours - 1) // 20) - max(0, (theirs - 1) // 20)
    owner, other = (0, 1) if left > 0 else (1, 0)
    for _ in range(abs(left)):
        if levels[owner] < 3:
            levels[owner] += 1
        else:
            levels[other] = max(0, levels[other] - 1)
    if point and levels[0] < 3:
        levels[0] += 1
    apart = abs(levels[0] - levels[1])
    lead = (levels[0] > levels[1]) - (levels[0] < levels[1]) or (dice[0] > dice[1]) - (dice[0] < dice[1])
    return lead, apart, lead != 0 and levels[0 if lead > 0 else 1] == 3


def won(rank: int, winner: str, loser: str) -> int:
    """The points of a won round."""
    if (winner, loser) == ("risky", "risky"):
        rank += 2
    else:
        rank += {"risky": 1}.get(winner, 0) + {"risky": 2}.get(loser, 0)
    return max(0, rank - {"defensive": 1}.get(winner, 0) - {"defensive": 2}.get(loser, 0))


def rounds_of(ours: int, theirs: int, plan: tuple[str, str], point: bool = False, aim: bool = False) -> Counter[Any]:
    """In how many of 400 throws each side's points grow by so much."""
    counted: Counter[Any] = Counter()
    for a in range(1, 21):
        for b in range(1, 21):
            lead, apart, _ = contest(ours, theirs, (a, b), point)
            gets = (won(apart + 1, plan[0], plan[1]) * (not aim), 0) if lead > 0 else (
                (0, won(apart + 1, plan[1], plan[0])) if lead < 0 else (0, 0))
            counted[gets] += 1
    return counted


def player_wins(adds: Counter[Any], score: tuple[int, int]) -> Fraction:
    """The player's chance in the whole contest, by solving for each score from five downwards."""
    chance: dict[tuple[int, int], Fraction] = {}
    for total in range(30, -1, -1):
        for a in range(min(total, 30) + 1):
            b = total - a
            if a >= 5 or b >= 5:
                chance[a, b] = Fraction(a >= 5)
            else:
                stay = adds[0, 0]
                chance[a, b] = Fraction(sum(
                    times * chance[a + x, b + y] for (x, y), times in adds.items() if x or y)) / (400 - stay)
    return chance[score]


def answered(asked: dict[str, Any]) -> dict[str, str]:
    return contract.odds({"move": "questworlds.scored_contest", "given": asked, "of": "winner"})["odds"]


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_qw_43_the_winner_of_a_whole_contest(case: dict[str, Any]) -> None:
    assert contract.odds(case) == {"odds": case["expect"]}
    given, plan = case["given"], case["given"]["plan"]
    ability = given["ability"] + sum(given["modifiers"])
    adds = rounds_of(ability, given["resistance"], (plan["player"], plan["resistance"]))
    assert Fraction(case["expect"]["player"]) == player_wins(adds, tuple(given["score"]))


SCORES = st.integers(-2, 65)
POINTS = st.integers(0, 4)


@settings(max_examples=tries(25, 1000))
@given(SCORES, SCORES, st.lists(st.sampled_from([-9, -6, -3, 3, 6, 9]), max_size=3), POINTS, POINTS,
       st.sampled_from(PLANS), st.sampled_from(PLANS))
def test_qw_44_any_whole_contest_agrees_with_an_enumeration(
    ability: int, resistance: int, modifiers: list[int], ours: int, theirs: int, player: str, rival: str
) -> None:
    asked = {"ability": ability, "resistance": resistance, "modifiers": modifiers, "score": [ours, theirs],
             "plan": {"player": player, "resistance": rival}}
    adds = rounds_of(ability + sum(modifiers), resistance, (player, rival))
    if adds[0, 0] == 400:
        with pytest.raises(BadMove, match="never ends"):
            answered(asked)
        return
    chance = player_wins(adds, (ours, theirs))
    assert answered(asked) == {"player": str(chance), "resistance": str(1 - chance)}


def test_qw_43_what_is_left_out_of_a_whole_contest() -> None:
    plain = {"ability": 17, "resistance": 14}
    plan = {"player": "normal", "resistance": "normal"}
    assert answered(plain) == answered({**plain, "score": [0, 0], "plan": plan, "modifiers": [], "rounds": []})
    assert answered({**plain, "plan": {"player": "risky"}}) == answered({**plain, "plan": {**plan, "player": "risky"}})
    assert answered({**plain, "score": [5, 2]}) == {"player": "1", "resistance": "0"}
    # Rounds that are named come first, and the plan after them.
    chance = player_wins(rounds_of(17, 14, ("normal", "normal")), (0, 0))
    assert answered({**plain, "rounds": [{}, {}]})["player"] == str(chance)
    for wrong in ({"score": [1]}, {"score": [1, 2, 3]}, {"score": [-1, 0]}, {"plan": {"player": "bold"}}):
        with pytest.raises(BadMove):
            answered({**plain, **wrong})


def test_qw_43_rounds_go_on_from_a_score() -> None:
    kind = ScoredContest()
    played = kind.resolve(kind.read({"ability": 17, "resistance": 14, "score": [3, 4], "rounds": [{}]}), [3, 16])
    assert played.result["score"] == [5, 4] and played.result["outcome"] == "victory"


def together(first: Counter[Any], second: Any) -> Counter[Any]:
    """Two steps in a row; `second` answers the ways on from where the first led."""
    counted: Counter[Any] = Counter()
    for here, times in first.items():
        for there, more in second(here).items():
            counted[there] += times * more
    return counted


@settings(max_examples=tries(25, 500))
@given(SCORES, SCORES, st.lists(st.tuples(st.sampled_from(PLANS), st.sampled_from(PLANS), st.booleans(),
                                          st.booleans()), min_size=1, max_size=4))
def test_qw_43_rounds_agree_with_an_enumeration(ability: int, resistance: int, rounds: list[Any]) -> None:
    ways: Counter[Any] = Counter({(0, 0): 1})
    for player, rival, point, aim in rounds:
        adds = rounds_of(ability, resistance, (player, rival), point, aim)
        ways = together(ways, lambda here, adds=adds: Counter({here: 400}) if max(here) >= 5 else Counter(
            {(here[0] + x, here[1] + y): times for (x, y), times in adds.items()}))
    asked = {"ability": ability, "resistance": resistance, "rounds": [
        {"tactic": player, "opponent": rival, "story_point": point, "asymmetrical": aim}
        for player, rival, point, aim in rounds]}
    kind = ScoredContest()
    chances = kind.odds(kind.read(asked), "score")
    assert chances == {json.dumps(list(score)): Fraction(times, 400 ** len(rounds)) for score, times in ways.items()}


def exchanged(here: tuple[int, int], ours: int, theirs: int, throw: Any) -> Counter[Any]:
    """In how many of 400 throws an exchange leads to these points."""
    by, bid, aim, point = throw
    if here[0] <= 0 or here[1] <= 0:
        return Counter({here: 400})
    stake = bid if by == "player" else min(bid, here[1])
    counted: Counter[Any] = Counter()
    for a in range(1, 21):
        for b in range(1, 21):
            lead, apart, critical = contest(ours, theirs, (a, b), point)
            cost = apart * stake if apart else -(-stake // 2)
            gain = cost if critical else 0
            if lead > 0:
                there = here if aim else (here[0] + gain, here[1] - cost)
            elif lead < 0:
                there = here[0] - cost, here[1] + gain
            else:
                there = here[0] - cost, here[1] - (0 if aim else cost)
            counted[there] += 1
    return counted


@settings(max_examples=tries(25, 500))
@given(st.integers(1, 60), st.integers(1, 60), st.data())
def test_qw_51_exchanges_agree_with_an_enumeration(ability: int, resistance: int, data: Any) -> None:
    one = st.tuples(st.sampled_from(["player", "resistance"]), st.integers(1, ability), st.booleans(), st.booleans())
    exchanges = data.draw(st.lists(one, min_size=1, max_size=3))
    ways: Counter[Any] = Counter({(ability, resistance): 1})
    for exchange in exchanges:
        ways = together(ways, lambda here, exchange=exchange: exchanged(here, ability, resistance, exchange))
    kind = ExtendedContest()
    move = kind.read({"ability": ability, "resistance": resistance, "exchanges": [
        {"by": by, "bid": bid, "asymmetrical": aim, "story_point": point} for by, bid, aim, point in exchanges]})
    chances = kind.odds(move, "points")
    whole = 400 ** len(exchanges)
    assert chances == {json.dumps(list(points)): Fraction(times, whole) for points, times in ways.items()}
