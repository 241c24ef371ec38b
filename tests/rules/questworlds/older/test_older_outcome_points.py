"""Group simple contests by outcome points (QW-A2), by the source's tables."""
from __future__ import annotations

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from rules.procedure import CampaignContext, Perspective
from rules.sheet import SpendShared
from rules.systems.questworlds.older.degrees import in_words
from rules.systems.questworlds.older.outcome_points import boost_cost, degree_by, points_of
from rules.systems.questworlds.roll import Result
from rules.wording import percent
from tests.rules.questworlds.framing import GROUP, SHEETS, act, group, text

GM = Perspective(runs=True)
CRITICAL, SUCCESS, FAILURE, FUMBLE = reversed(Result)
TABLE = {CRITICAL: (1, 2, 3, 5), SUCCESS: (2, 1, 2, 3), FAILURE: (3, 2, 1, 2), FUMBLE: (5, 3, 2, 0)}


@pytest.mark.parametrize(("ours", "theirs", "points"), [
    (ours, theirs, points) for ours, row in TABLE.items()
    for theirs, points in zip((CRITICAL, SUCCESS, FAILURE, FUMBLE), row, strict=True)])
def test_qw_a2_each_cell_of_the_group_simple_contest_table(ours: Result, theirs: Result, points: int) -> None:
    assert points_of(ours, theirs) == points


@pytest.mark.parametrize(("difference", "degree"), [
    (0, "tie"), (1, "marginal"), (2, "minor"), (3, "major"), (4, "major"), (5, "complete"), (9, "complete")])
def test_qw_a2_degree_of_victory_table(difference: int, degree: str) -> None:
    assert in_words(degree_by(difference)) == (f"{degree} victory" if difference else "tie")
    assert in_words(degree_by(-difference)) == (f"{degree} defeat" if difference else "tie")


@pytest.mark.parametrize(("pcs", "points"), [(1, 1), (3, 1), (4, 2), (6, 2), (7, 3), (9, 3), (10, 4)])
def test_qw_a2_a_boost_costs_by_the_size_of_the_group(pcs: int, points: int) -> None:
    assert boost_cost(pcs) == points


def decided(ilse: tuple[int, int], tam: tuple[int, int], points: int = 0) -> Any:
    """Ilse's 14 and Tam's 15 against 14, with these dice; nobody spends a story point on a roll."""
    context = CampaignContext(pools=(("story_points", points),))
    state = group(context, outcome_points=True)
    state, _ = act(state, "oppose", name="The storm", resistance="14")
    state, _ = act(state, "set")
    turn = None
    for who, dice in (("i", ilse), ("t", tam)):
        state, turn = act(state, "roll", who, dice=dice)
        if any(offer.action == "stand" and offer.by == who for offer in GROUP.offers(state, SHEETS)):
            state, turn = act(state, "stand", who)
    return state, turn


def test_qw_a2_points_decide_and_not_how_many_won() -> None:
    state, turn = decided((14, 20), (18, 16))
    assert state.side == "victory" and turn.steps[0].text == "The group wins, 6 to 0: The ledger."
    state, turn = decided((20, 14), (14, 13))
    assert state.side == "defeat" and text(turn, "QW-A2").endswith("Outcome points: 1 to 5, which is a major defeat.")
    assert "A fumble against a critical: 5 for the other side." in text(turn, "QW-A2")
    plain = group(CampaignContext())
    assert plain.settings.older == ()


@pytest.mark.parametrize(("steps", "left", "degree"), [("1", 3, "minor victory"), ("2", 2, "major victory")])
def test_qw_a2_a_boost_makes_it_clearer_and_a_double_boost_by_two(steps: str, left: int, degree: str) -> None:
    state, _ = decided((7, 5), (3, 3), points=4)
    assert GROUP.view(state, SHEETS, GM).detail.side.endswith("marginal victory.")
    after, turn = act(state, "boost", "t", steps=steps)
    assert turn.effects == (SpendShared("story_points", left - 4),)
    assert text(turn, "QW-A2").endswith(f"the group has a {degree}.")
    assert not [offer for offer in GROUP.offers(after, SHEETS) if offer.action == "boost"]


def test_qw_a2_a_tie_can_be_boosted_and_a_defeat_can_not() -> None:
    state, _ = decided((7, 5), (5, 7), points=4)
    assert state.side == "tie"
    offer = next(offer for offer in GROUP.offers(state, SHEETS) if offer.action == "boost")
    assert [words for _, words in offer.fields[0].options] == [  # type: ignore[attr-defined]
        "A boost, 1 story point: marginal victory", "A double boost, 2 story points: minor victory"]
    assert act(state, "boost", "i", steps="1")[0].side == "victory"
    lost, _ = decided((20, 14), (5, 7), points=4)
    assert not [offer for offer in GROUP.offers(lost, SHEETS) if offer.action == "boost"]
    clear, _ = decided((14, 20), (3, 3), points=4)
    assert GROUP.view(clear, SHEETS, GM).detail.side == "The group wins: a complete victory."
    assert not [offer for offer in GROUP.offers(clear, SHEETS) if offer.action == "boost"]
    poor, _ = decided((7, 5), (5, 7), points=0)
    assert not [offer for offer in GROUP.offers(poor, SHEETS) if offer.action == "boost"]


def test_qw_a2_the_chances_of_the_group_are_those_of_every_throw() -> None:
    state = group(CampaignContext(), outcome_points=True)
    state, _ = act(state, "oppose", name="The storm", resistance="14")
    of_each: list[Counter[int]] = []
    for who in ("i", "t"):
        counted: Counter[int] = Counter()
        for ours in range(1, 21):
            for theirs in range(1, 21):
                clash = state.clash(who, (ours, theirs))
                counted[clash.lead * points_of(*clash.results)] += 1
        of_each.append(counted)
    sums: Counter[str] = Counter()
    for one, ways in of_each[0].items():
        for other, more in of_each[1].items():
            sums[in_words(degree_by(one + other))] += ways * more
    chances = GROUP.view(state, SHEETS, GM).detail.chances
    assert len(chances) == len(sums)
    assert f"{percent(Fraction(sums['complete victory'], 160000))} complete victory" in chances
