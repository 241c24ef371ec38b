"""An extended contest as a procedure, rule by rule (QW-51 to QW-56)."""
from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import product
from typing import Any

import pytest

from rules.contract import resolve
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.extended import ExtendedContest
from rules.systems.questworlds.long import ExtendedLong
from rules.systems.questworlds.long.bids import ROUNDS_AHEAD, ahead, bids, rows
from rules.values import BadMove
from tests.rules.questworlds.longing import Table, step


def duel(opponents: str = "The judge 14", **setup: Any) -> Table:
    return Table(ExtendedLong(), opponents, **setup)


def group(**setup: Any) -> Table:
    return Table(ExtendedLong(), "Captain Vey 17; Clerk 11", (("i", "Us", True), ("o", "Us", True)), **setup)


def ap(table: Table, who: str) -> int:
    return int(table.state.entrant(who).ap)


def bid(
    table: Table, *faces: int, by: str = "i", whom: str = "~0", points: int = 3, ability: str = "k", **more: Any
) -> None:
    table.act(by, "bid", *faces, whom=whom, ability=ability, bid=points, **more)


def answer(table: Table, *faces: int, who: str = "~0", whom: str = "i", points: int = 3, ability: str = "k") -> None:
    """The GM's bid, and the player's answer to it."""
    table.act("", "gm_bid", who=who, whom=whom, bid=points)
    table.act(whom, "answer_bid", *faces, ability=ability)


def all_bid(table: Table, ilse: int, otho: int, vey: int, clerk: int) -> None:
    bid(table, points=ilse)
    bid(table, by="o", whom="~1", ability="s", points=otho)
    table.act("", "gm_bid", who="~0", whom="i", bid=vey)
    table.act("", "gm_bid", who="~1", whom="o", bid=clerk)


def test_qw_51_points_begin_with_the_first_ability_and_a_round_is_two_exchanges() -> None:
    table = duel()
    assert ap(table, "~0") == 14 and not table.state.entrant("i").armed
    bid(table, 3, 16, points=5)
    assert table.state.entrant("i").start == 17 and ap(table, "~0") == 9
    assert table.state.round == 1 and "bid" not in table.offered("i")
    answer(table, 3, 16, points=4)
    assert ap(table, "~0") == 5 and table.state.round == 2
    bid(table, 3, 16, ability="a")
    assert table.state.entrant("i").start == 17, "another ability changes no points"


def test_qw_51_losses_are_those_of_the_contract_case_by_case() -> None:
    for faces in product((1, 3, 9, 14, 17, 19, 20), repeat=2):
        table = duel()
        bid(table, *faces, points=5)
        answer = resolve({"move": "questworlds.extended_contest", "dice": list(faces), "given": {
            "ability": 17, "resistance": 14, "exchanges": [{"by": "player", "bid": 5}]}})
        assert [ap(table, "i"), ap(table, "~0")] == answer["result"]["points"], faces


def test_qw_51_followers_add_what_they_are_good_for() -> None:
    table = duel()
    table.act("i", "follower", trait="r", role="points")
    bid(table, 5, 5)
    assert table.state.entrant("i").start == 30


def test_qw_51_at_0_or_fewer_it_ends() -> None:
    table = duel("Clerk 6")
    bid(table, 3, 19, points=6)
    assert table.state.won_by == 0 and "close" in table.offered("")


def test_qw_52_a_desperation_stake_goes_to_the_start_and_the_gm_never_over_what_is_left() -> None:
    table = duel()
    bid(table, 19, 3, points=10)
    assert ap(table, "i") == 7
    with pytest.raises(BadMove, match="Bid at most what is left, 14"):
        table.act("", "gm_bid", who="~0", whom="i", bid=15)
    answer(table, 5, 5, points=1)
    with pytest.raises(BadMove, match="Bid at most what you began with, 17"):
        bid(table, 3, 19, points=18)
    bid(table, 3, 4, points=17)
    assert "desperation" in step(table, "QW-52")


def test_qw_52_who_has_won_points_over_those_they_began_with_may_bid_them_all() -> None:
    table = duel()
    bid(table, 17, 13, points=4)
    answer(table, 5, 5, points=1)
    has = ap(table, "i")
    assert has > 17 and (has, "all") in table.view("i").detail.bidding[0].bids
    with pytest.raises(BadMove, match=f"Bid at most what is left, {has}"):
        bid(table, 3, 4, points=has + 1)
    bid(table, 3, 4, points=has)
    assert "desperation" not in " ".join(step.text for step in table.last.steps)


def test_qw_52_totals_of_the_others_are_not_told_before_points_have_moved_and_somebody_asks() -> None:
    table = duel("The judge 14")
    assert table.act("", "reinforce", whom="~0", points=9).sealed
    assert "23" not in repr(table.view("i")) and "23" in repr(table.view(runs=True))
    assert "ask" not in table.offered("i")
    bid(table, 3, 16)
    assert "20" not in repr(table.view("i").detail.pairs[0].theirs) and "ask" in table.offered("i")
    assert "20" not in " ".join(step.text for step in table.last.steps)
    assert table.view("i").detail.pairs[0].theirs.meter == "not yet known"
    table.act("i", "ask", whom="~0")
    assert table.view("i").detail.pairs[0].theirs.meter == "20 of 23"


def test_qw_53_an_exchange_for_something_else_and_getting_away_and_back() -> None:
    table = group()
    all_bid(table, 5, 4, 3, 2)
    table.act("i", "exchange", 3, 19)
    table.act("o", "exchange", 3, 19)
    table.act("i", "answer_bid", 3, 19, ability="k")
    table.act("o", "answer_bid", 3, 19, ability="s")
    before = ap(table, "~0")
    table.act("i", "bid", whom="~0", ability="k", bid=4, aim="leave")
    bid(table, by="o", whom="~1", ability="s", points=1)
    table.act("", "gm_bid", who="~0", whom="i", bid=1)
    table.act("", "gm_bid", who="~1", whom="o", bid=1)
    table.act("i", "exchange", 3, 19)
    assert table.state.entrant("i").status == "left" and ap(table, "~0") == before
    had = ap(table, "i")
    table.act("i", "rejoin")
    assert table.state.entrant("i").status == "in" and ap(table, "i") == had
    table.act("", "restore", whom="i", points=3, reason="She brought the ferrymen")
    assert ap(table, "i") == had + 3


def test_qw_53_a_parting_shot_with_a_bid_may_bring_them_back() -> None:
    table = duel("Clerk 6")
    bid(table, 3, 19, points=6)
    table.shot(19, 6, action="last_bid", whom="~0", ability="k", bid=6, words="His ledger")
    assert table.state.won_by is None and ap(table, "~0") == 12 and ap(table, "i") == 5
    other = duel("Clerk 6")
    bid(other, 3, 19, points=6)
    other.shot(3, 19, action="last_bid", whom="~0", ability="k", bid=6, words="His ledger")
    assert other.state.won_by == 0 and ap(other, "~0") == -6 and "His ledger" in step(other, "QW-53")


def test_qw_54_lending_costs_the_lender_either_way() -> None:
    for faces, gets in (((3, 19), 4), ((19, 3), 0)):
        table = group()
        all_bid(table, 5, 4, 3, 2)
        was = ap(table, "o")
        table.act("i", "lend", *faces, whom="o", points=4, ability="k", words="A rope")
        assert ap(table, "i") == 13 and ap(table, "o") == was + gets and "i" in table.state.done


def test_qw_54_a_gift_faces_twice_as_many_and_a_defeat_gives_it_to_the_other_side() -> None:
    for faces, gains in (((3, 19), ("i", 5)), ((19, 3), ("~0", 5))):
        table = duel()
        bid(table, 5, 5)
        table.sheets["o"] = group().sheets["o"]
        before = ap(table, gains[0])
        table.act("o", "gift", *faces, whom="i", points=5, ability="s", words="A shout")
        assert ap(table, gains[0]) == before + gains[1]
        assert table.last.rolls[0].given["resistance"] == 10
        with pytest.raises(BadMove, match="at most your target number, 16"):
            table.act("o", "gift", *faces, whom="i", points=17, ability="s")


def test_qw_55_an_edge_counts_for_whoever_attacks_where_the_campaign_has_them() -> None:
    assert "edge" not in duel().offered("")
    table = duel(edges="yes")
    bid(table, 5, 5, points=1)
    table.act("", "edge", whom="~0", edge=4)
    answer(table, 19, 3, points=3)
    assert ap(table, "i") == 16 - 7
    bid(table, 19, 3, points=1)
    assert ap(table, "i") == 8, "not when it defends"


def test_qw_56_the_order_is_by_bid_and_one_may_wait() -> None:
    table = group()
    assert table.state.turn == ""
    all_bid(table, 5, 9, 3, 7)
    assert table.state.turn == "o" and "exchange" not in table.offered("i")
    table.act("o", "defer")
    assert table.state.turn == "~1" and "exchange" in table.offered("o")
    table.act("o", "answer_bid", 5, 5, ability="s")
    assert table.state.turn == "i"
    table.act("o", "exchange", 5, 5)
    table.act("i", "exchange", 5, 5)
    table.act("i", "answer_bid", 5, 5, ability="k")
    assert table.state.round == 2 and not table.state.bids


def test_qw_56_who_loses_their_foe_bids_anew() -> None:
    table = group()
    bid(table, whom="~1", points=2)
    bid(table, by="o", whom="~1", ability="s", points=16)
    table.act("", "gm_bid", who="~0", whom="i", bid=3)
    table.act("", "gm_bid", who="~1", whom="o", bid=2)
    table.act("o", "exchange", 3, 19)
    assert table.state.entrant("~1").status == "beaten"
    assert not table.state.bid_of("i") and table.state.turn == ""
    bid(table, whom="~0", points=5)
    assert table.state.turn == "i"


def test_qw_56_a_second_chance_once_for_a_story_point() -> None:
    table = group(points=2)
    all_bid(table, 16, 5, 3, 2)
    table.act("i", "exchange", 20, 17)
    table.act("i", "stand") if table.state.throws else None
    assert table.state.entrant("i").status == "beaten" and ap(table, "i") == 17 - 48
    table.act("i", "second_chance", 3, 12, ability="k")
    assert table.state.entrant("i").status == "beaten" and "second_chance" not in table.offered("i")
    again = group(points=2)
    all_bid(again, 16, 5, 3, 2)
    again.act("i", "exchange", 19, 3)
    again.act("i", "stand")
    answered = ap(again, "i")
    assert answered == 1
    again.act("o", "exchange", 5, 5)
    again.act("o", "stand")
    assert again.state.turn == "~0"
    again.act("i", "answer_bid", 19, 3, ability="k")
    again.act("i", "stand")
    assert ap(again, "i") == -2 and again.context.pool("story_points") == 2
    again.act("i", "second_chance", 3, 19, ability="k")
    assert again.context.pool("story_points") == 1
    assert ap(again, "i") == 5 and again.state.target("i") == again.state.score_of("i") - 6


def by_hand(start: tuple[int, int], bids: tuple[int, int], rounds: int) -> tuple[Fraction, Fraction]:
    """The same by every throw, in fractions, one after the other."""
    now = {start: Fraction(1)}
    won = gone = Fraction(0)
    for number in range(2 * rounds):
        then: Counter[tuple[int, int]] = Counter()
        for (ours, theirs), chance in now.items():
            for dice in product(range(1, 21), repeat=2):
                points = duel_points((ours, theirs), number % 2, bids, dice)
                if points[1] <= 0 < points[0]:
                    won += chance / 400
                elif points[0] <= 0:
                    gone += chance / 400
                else:
                    then[points] += chance / 400  # type: ignore[assignment]
        now = dict(then)  # type: ignore[arg-type]
    return won, gone


def duel_points(
    points: tuple[int, int], place: int, bids: tuple[int, int], dice: tuple[int, int]
) -> tuple[int, int]:
    clash = Terms(17, (), 14).clash(dice)
    stake = bids[0] if not place else min(bids[1], points[1])
    loss = (stake + 1) // 2 if not clash.levels else stake * clash.levels
    if not clash.lead:
        return points[0] - loss, points[1] - loss
    takes = loss if clash.transfers else 0
    return (points[0] + takes, points[1] - loss) if clash.lead > 0 else (points[0] - loss, points[1] + takes)


def test_the_chances_by_a_plan_of_bids_are_what_counting_says() -> None:
    assert ahead(Terms(17, (), 14), (9, 6), (5,), 3, 1) == (*by_hand((9, 6), (5, 3), 1), 1)
    assert ahead(Terms(17, (), 14), (3, 2), (5,), 3, 2) == (*by_hand((3, 2), (5, 3), 2), 2)
    first, second = ahead(Terms(17, (), 14), (9, 6), (5, 9), 3, 2), ahead(Terms(17, (), 14), (9, 6), (5,), 3, 2)
    assert first[0] > second[0] > 0, "the second bid of a plan counts in the second round"
    assert ahead(Terms(57, (), 54), (57, 54), (20,), 3)[2] == ROUNDS_AHEAD
    assert 1 <= ahead(Terms(57, (), 54), (200, 200), (20,), 3)[2] < ROUNDS_AHEAD, "no longer than a person waits"
    assert bids("5, 8;3") == (5, 8, 3) and bids("") == ()
    for wrong in ("five", "0", "201", "1 1 1 1 1 1 1"):
        with pytest.raises(BadMove) as bad:
            bids(wrong)
        assert bad.value.field == "plan"
    assert sum(row.chance for row in rows(Terms(17, (), 14), 5)) == 1


def test_qw_56_three_sides_may_fight_all_against_all_and_the_last_one_standing_wins() -> None:
    table = Table(ExtendedLong(), "Clerk 5", (("i", "Us", True), ("v", "Toll", False), ("o", "Thieves", True)),
                  sides=["Us", "Toll", "Thieves"])
    assert table.state.settings.sides == ("Us", "Thieves", "Toll"), "player characters come first"
    foes = {offer.by: {key for key, _ in (offer.options or {})["whom"]}
            for offer in table.kind.offers(table.state, table.sheets) if offer.action == "bid"}
    assert foes == {"i": {"o", "v", "~0"}, "o": {"i", "v", "~0"}}, "the clerk stands on the side of NPCs"
    for out in ("v", "~0", "o"):
        assert table.state.won_by is None
        table.plain = table.plain.with_(out, status="beaten")
    assert table.state.won_by == 0
    between = Table(ExtendedLong(), "Clerk 5", (("i", "Us", True), ("o", "Thieves", True)))
    assert between.state.settings.sides == ("Us", "Thieves", "Clerk")
    with pytest.raises(BadMove, match="two sides"):
        Table(who=(("i", "Us", True), ("v", "Toll", False), ("o", "Thieves", True)))


def test_qw_51_two_players_answer_each_others_bids_with_an_ability_and_points_of_their_own() -> None:
    table = Table(ExtendedLong(), "", (("i", "Us", True), ("o", "Them", True)))
    bid(table, whom="o", points=5)
    assert not table.last.dice and "answer_bid" in table.offered("o") and "exchange" not in table.offered("i")
    table.act("o", "answer_bid", 3, 18, ability="s")
    assert table.last.dice and ap(table, "i") == 17 and ap(table, "o") == 16 - 5
    assert table.view("i").detail.pairs[0].theirs.meter == "not yet known"
    bid(table, by="o", whom="i", ability="s", points=4)
    table.act("i", "answer_bid", 3, 18, ability="k")
    assert table.state.round == 2 and ap(table, "i") == 17 - 4


def test_qw_51_the_winner_by_a_stated_plan_of_bids_is_exact_and_says_what_is_left_undecided() -> None:
    given = {"ability": 17, "resistance": 14, "plan": {"player": [5, 8], "resistance": [3], "rounds": 2}}
    kind = ExtendedContest()
    chances = kind.odds(kind.read(given), "winner")
    bids_made = ((5, "player"), (3, "resistance"), (8, "player"), (3, "resistance"))
    plain = kind.odds(kind.read({**{name: given[name] for name in ("ability", "resistance")}, "exchanges": [
        {"by": by, "bid": bid} for bid, by in bids_made]}), "outcome")
    called = {"victory": "player", "defeat": "resistance", "tie": "tie", None: None}
    assert chances == {called[outcome]: chance for outcome, chance in plain.items()} and sum(chances.values()) == 1
    won, lost_, rounds_ = ahead(Terms(17, (), 14), (17, 14), (5, 8), 3, 2)
    assert rounds_ == 2 and chances["player"] == won and chances["resistance"] + chances.get("tie", 0) == lost_
    with pytest.raises(BadMove, match="Enter the bids of both sides"):
        kind.odds(kind.read({"ability": 17, "resistance": 14}), "winner")
    with pytest.raises(BadMove, match="at most what the contest began with, 17"):
        kind.read({"ability": 17, "resistance": 14, "plan": {"player": [18]}})
