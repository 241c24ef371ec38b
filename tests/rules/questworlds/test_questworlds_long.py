"""Scored and extended contests: points, tactics, bids, and their exact chances."""
from __future__ import annotations

import json
from collections import Counter
from fractions import Fraction

import pytest

from rules.moves import Need
from rules.odds import by_brute_force, every_throw, kind_result
from rules.systems.questworlds.extended import ExtendedContest, lost
from rules.systems.questworlds.scored import ScoredContest, points
from rules.values import BadMove


def scored(faces, rounds, **given):
    kind = ScoredContest()
    return kind.resolve(kind.read({"ability": 17, "resistance": 14, "rounds": rounds, **given}), faces)


def extended(faces, exchanges, **given):
    kind = ExtendedContest()
    return kind.resolve(kind.read({"ability": 17, "resistance": 14, "exchanges": exchanges, **given}), faces)


def by_every_throw(kind, move, name):
    """As `by_brute_force`, for a result's list, written as JSON writes it."""
    counted = Counter()
    for faces, chance in every_throw(kind, move):
        counted[json.dumps(kind_result(kind, move, faces)[name])] += chance
    return counted


def test_qw_43_points_are_the_rank_and_ties_change_nothing():
    assert scored([3, 16], [{}]).result["score"] == [2, 0]
    assert scored([3, 4], [{}]).result["score"] == [0, 1]
    assert scored([3, 3], [{}]).result["score"] == [0, 0]


def test_qw_43_five_points_end_it():
    outcome = scored([17, 20, 3, 16], [{}, {}, {}])
    assert (outcome.result["score"], outcome.result["over"], outcome.result["outcome"]) == ([6, 0], True, "victory")
    assert len(outcome.result["rounds"]) == 2
    assert scored([17, 20], [{}, {}]) == Need((20, 20))
    with pytest.raises(BadMove):
        scored([17, 20, 3, 16, 5, 5], [{}, {}, {}])


@pytest.mark.parametrize(("winner", "loser", "gets"), [
    ("normal", "normal", 2), ("risky", "normal", 3), ("normal", "risky", 4), ("risky", "risky", 4),
    ("defensive", "normal", 1), ("normal", "defensive", 0), ("defensive", "risky", 3), ("risky", "defensive", 1),
    ("defensive", "defensive", 0)])
def test_qw_44_gambits_and_defences(winner, loser, gets):
    assert points(2, winner, loser) == gets
    assert scored([3, 16], [{"tactic": winner, "opponent": loser}]).result["score"] == [gets, 0]
    assert scored([18, 3], [{"tactic": loser, "opponent": winner}]).result["score"] == [0, gets]


def test_qw_44_never_below_zero():
    assert points(1, "defensive", "defensive") == 0


def test_qw_46_an_asymmetrical_round_scores_only_against_the_player():
    assert scored([3, 16], [{"asymmetrical": True}]).result["score"] == [0, 0]
    outcome = scored([18, 3], [{"asymmetrical": True, "tactic": "risky"}])
    assert outcome.result["score"] == [0, 4]
    assert "QW-46" in {step.rule for step in scored([3, 16], [{"asymmetrical": True}]).steps}


def test_qw_50_a_round_may_have_its_own_terms():
    rounds = [{"ability": 5}, {"resistance": "14M"}, {"modifiers": ["-M"]}, {"story_point": True}]
    outcome = scored([6, 20, 6, 16, 3, 20, 3, 14], rounds)
    assert [round_["outcome"] for round_ in outcome.result["rounds"]] == ["victory", "defeat", "victory", "defeat"]


def test_qw_51_start_is_the_target_number_with_its_masteries_and_followers():
    outcome = extended([], [], ability="7M", modifiers=[3, "-6"], followers=[12, "1M"])
    assert outcome.result == {"start": [57, 14], "points": [57, 14], "over": False, "outcome": None}
    with pytest.raises(BadMove):
        extended([], [], modifiers=[-17])


def test_qw_51_losses_by_level():
    assert [lost(5, levels) for levels in range(4)] == [3, 5, 10, 15]
    bid = [{"by": "player", "bid": 5}]
    assert extended([7, 5], bid).result["points"] == [17, 11]
    assert extended([7, 15], bid).result["points"] == [17, 9]
    assert extended([7, 20], bid).result["points"] == [17, 4]
    assert extended([18, 7], bid).result["points"] == [12, 14]
    assert extended([7, 7], bid).result["points"] == [14, 11]


def test_qw_51_a_critical_transfers():
    assert extended([17, 15], [{"by": "player", "bid": 5}]).result["points"] == [27, 4]
    assert extended([18, 14], [{"by": "resistance", "bid": 5}]).result["points"] == [7, 24]
    # Both critical: the higher die wins, and what the loser loses is still gained.
    assert extended([17, 14], [{"by": "player", "bid": 5}]).result["points"] == [20, 11]


def test_qw_51_a_bid_that_is_not_said_is_three():
    assert extended([7, 15], [{"by": "player"}]).result["points"] == [17, 11]


def test_qw_51_at_zero_or_fewer_it_ends():
    outcome = extended([17, 20], [{"by": "player", "bid": 9}, {"by": "resistance", "bid": 2}])
    assert (outcome.result["points"], outcome.result["outcome"]) == ([44, -13], "victory")
    assert extended([7, 15], [{"by": "player", "bid": 13}]).result["over"] is False
    exactly = extended([7, 15], [{"by": "player", "bid": 14}])
    assert (exactly.result["points"], exactly.result["outcome"]) == ([17, 0], "victory")
    assert extended([18, 7], [{"by": "player", "bid": 17}]).result["outcome"] == "defeat"


def test_qw_51_both_out_at_once_is_a_tie():
    outcome = extended([5, 5], [{"by": "player", "bid": 1}], ability=1, resistance=1)
    assert (outcome.result["points"], outcome.result["outcome"]) == ([0, 0], "tie")


def test_qw_52_a_desperation_stake_goes_up_to_the_start():
    with pytest.raises(BadMove, match="at most what the contest began with, 17"):
        extended([], [{"by": "player", "bid": 18}])
    outcome = extended([18, 7, 7, 20], [{"by": "player", "bid": 12}, {"by": "player", "bid": 17}])
    assert outcome.result["points"] == [5, -20]
    assert any(step.rule == "QW-52" for step in outcome.steps)


def test_qw_52_the_gm_never_stakes_more_than_is_left():
    outcome = extended([7, 15, 18, 7], [{"by": "player", "bid": 10}, {"by": "resistance", "bid": 9}])
    assert outcome.result["points"] == [13, 4]
    assert any(step.rule == "QW-52" for step in outcome.steps)


def test_qw_53_an_asymmetrical_exchange_takes_points_only_from_the_player():
    aim = [{"by": "player", "bid": 5, "asymmetrical": True}]
    assert extended([17, 15], aim).result["points"] == [17, 14]
    assert extended([18, 7], aim).result["points"] == [12, 14]
    assert extended([7, 7], aim).result["points"] == [14, 14]


def test_qw_53_switching_abilities_leaves_the_points():
    outcome = extended([7, 15], [{"by": "player", "bid": 5, "ability": 3}], followers=[4])
    assert outcome.result["start"] == [21, 14]
    # With the 17 of the start a 7 would be a success.
    assert outcome.result["points"] == [18, 14]


ROUNDS = [{"tactic": "risky", "opponent": "risky"}, {"opponent": "defensive", "ability": "3M"}]
EXCHANGES = [{"by": "player", "bid": 7}, {"by": "resistance", "bid": 9, "story_point": True},
             {"by": "resistance", "bid": 20}]


def test_qw_43_odds_are_those_of_every_throw():
    kind = ScoredContest()
    one = kind.read({"ability": 17, "resistance": 14, "rounds": ROUNDS[:1]})
    for of in ("over", "outcome"):
        assert kind.odds(one, of) == by_brute_force(kind, one, of)
    assert kind.odds(one, "score") == by_every_throw(kind, one, "score")


def test_qw_43_odds_of_several_rounds_follow_each_score():
    kind = ScoredContest()
    both = kind.read({"ability": 17, "resistance": 14, "rounds": ROUNDS})
    first = kind.odds(kind.read({"ability": 17, "resistance": 14, "rounds": ROUNDS[:1]}), "score")
    second = kind.odds(kind.read({"ability": 17, "resistance": 14, "rounds": ROUNDS[1:]}), "score")
    counted = Counter()
    for text, chance in first.items():
        ours, theirs = json.loads(text)
        if max(ours, theirs) >= 5:
            counted[text] += chance
            continue
        for more, likely in second.items():
            add = json.loads(more)
            counted[json.dumps([ours + add[0], theirs + add[1]])] += chance * likely
    assert kind.odds(both, "score") == counted
    with pytest.raises(BadMove):
        kind.odds(both, "rounds")


@pytest.mark.parametrize("exchange", EXCHANGES, ids=str)
def test_qw_51_odds_are_those_of_every_throw(exchange):
    kind = ExtendedContest()
    move = kind.read({"ability": "3M", "resistance": 14, "exchanges": [exchange]})
    for of in ("over", "outcome"):
        assert kind.odds(move, of) == by_brute_force(kind, move, of)
    assert kind.odds(move, "points") == by_every_throw(kind, move, "points")


def test_qw_51_odds_of_many_exchanges_add_up():
    kind = ExtendedContest()
    move = kind.read({"ability": 17, "resistance": 14, "exchanges": EXCHANGES * 2})
    assert sum(kind.odds(move, "points").values()) == 1
    assert 0 < kind.odds(move, "over")[True] < 1
    assert Fraction(0) < kind.odds(move, "outcome")["defeat"]
    with pytest.raises(BadMove):
        kind.odds(move, "start")
