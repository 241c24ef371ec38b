"""Exact chances against every throw, and against icepool where there are too many throws."""
from __future__ import annotations

from fractions import Fraction

import icepool
import pytest

from rules.contract import odds
from rules.odds import every_throw, kind_result
from rules.systems.pnc.competition import Competition, Pair
from rules.systems.pnc.dice import Roll, d6_ways
from rules.systems.pnc.initiative import Fighters, Initiative
from rules.systems.pnc.standard_roll import AttackRoll, StandardRoll
from rules.values import BadMove


def every_field(kind, roll):
    """The chances of every field of a result, by throwing every throw once."""
    chanceses: dict[str, dict[object, Fraction]] = {}
    for faces, chance in every_throw(kind, roll):
        for name, value in kind_result(kind, roll, faces).items():
            spread = chanceses.setdefault(name, {})
            spread[value] = spread.get(value, Fraction(0)) + chance
    return chanceses


def test_pn_04_odds_are_those_of_every_throw():
    odds = every_field(StandardRoll(), Roll())
    assert set(odds) == {"d20", "d6", "degree", "band", "success", "critical"}
    assert {of: StandardRoll().odds(Roll(), of) for of in odds} == odds


def test_pn_05_odds_are_those_of_every_throw():
    roll = Roll(bonus=1, open_ended=False)
    odds = every_field(StandardRoll(), roll)
    assert {of: StandardRoll().odds(roll, of) for of in odds} == odds


def test_pn_06_odds_are_those_of_every_throw():
    roll = Roll(open_ended=False)
    odds = every_field(AttackRoll(), roll)
    assert {"damage", "backfires"} < set(odds)
    assert {of: AttackRoll().odds(roll, of) for of in odds} == odds


@pytest.mark.parametrize("net", range(-3, 4))
def test_pn_05_kept_sums_are_those_of_icepool(net):
    pool = icepool.d6.pool(3 + abs(net))
    kept = (pool.lowest(3) if net > 0 else pool.highest(3)).expand().map(sum)
    whole = sum(d6_ways(net).values())
    assert {k: Fraction(v, whole) for k, v in d6_ways(net).items()} == {k: kept.probability(k) for k in kept}


@pytest.mark.parametrize(("penalty", "bonus"), [(3, 0), (0, 3), (2, 1)])
def test_pn_03_degrees_are_those_of_icepool(penalty, bonus):
    d20 = icepool.d20.map(lambda x: 20 + icepool.d20.map({20: 0}) if x == 20
                          else 1 - icepool.d20.map({20: 0}) if x == 1 else x)
    pool = icepool.d6.pool(3 + abs(bonus - penalty))
    kept = (pool.lowest(3) if bonus > penalty else pool.highest(3)).expand().map(sum)
    degree = d20 - kept
    chances = StandardRoll().odds(Roll(penalty, bonus), "degree")
    assert chances == {k: degree.probability(k) for k in degree}


def test_pn_08_odds_of_a_competition():
    plain = Pair(Roll(open_ended=False), Roll(open_ended=False))
    degree = icepool.d20 - 3 @ icepool.d6
    margin = degree - (icepool.d20 - 3 @ icepool.d6)
    chances = Competition().odds(plain, "outcome")
    assert chances["tie"] == margin.probability(0)
    assert chances["first"] == chances["second"]
    assert sum(chances.values()) == 1
    assert Competition().odds(plain, "second.band") == StandardRoll().odds(plain.second, "band")
    with pytest.raises(BadMove):
        Competition().odds(plain, "nothing")


def test_pn_07_odds_of_going_first():
    pair = Fighters((Roll(penalty=1), Roll()))
    first = Initiative().odds(pair, "first")
    compared = Competition().odds(Pair(*pair.rolls), "outcome")
    assert first == {0: compared["first"], 1: compared["second"], None: compared["tie"]}
    assert Initiative().odds(Fighters((Roll(),) * 3, "d6"), "first") == dict.fromkeys(range(3), Fraction(1, 3))
    with pytest.raises(BadMove):
        Initiative().odds(pair, "places")


def test_pn_02_odds_by_the_contract():
    answer = odds({"move": "pnc.standard_roll", "given": {"open_ended": False}, "of": "critical"})
    assert answer == {"odds": {"null": "9/10", "failure": "1/20", "success": "1/20"}}
