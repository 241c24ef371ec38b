"""A check at the table is told as a move of the contract, so that anybody may resolve it anew."""
from __future__ import annotations

from typing import Any

import pytest

from rules.procedure import ActResult
from rules.systems.danger_world.table.throws import Rerolled
from rules.values import BadMove
from tests.rules.danger_world.at_table import KIND, Played, a_sheet, with_line
from tests.rules.danger_world.promises import resolved_anew
from tests.rules.promises import as_the_contract_says

STATS = ["agility", "speed"]


def given_of(play: Played, turn: ActResult[Any], *thrown: int) -> dict[str, Any]:
    """What the only roll of this turn was given."""
    resolved_anew(play.state, turn, [*thrown])
    as_the_contract_says(turn.rolls)
    (roll,) = turn.outcome.rolls
    return dict(roll.given)


def ready(sheet: Any = None, **setup: Any) -> Played:
    play = Played(sheet or a_sheet(), **{"difficulty": "3", **setup})
    play.do("propose", stats=STATS)
    return play


def test_dw_02_to_dw_08_a_check_grows_over_its_acts() -> None:
    play = Played(with_line(a_sheet(), "bashed", damage=1), difficulty="3", threat=1)
    play.do("propose", stats=STATS, danger=1)
    first = [3, 1, 2, 6, 5, 3, 3, 1]
    asked = {"pool": {"action": 5, "danger": 1, "threat": 2}, "difficulty": 3}
    assert given_of(play, play.do("roll", first), *first) == {**asked, "rerolls": []}
    assert given_of(play, play.do("reroll", [2, 3], dice=["4", "1"]), 2, 3) == {**asked, "rerolls": [[1, 4]]}
    assert given_of(play, play.do("reroll", [4], dice=["3"]), 4) == {**asked, "rerolls": [[1, 4], [3]]}
    turn = play.do("use", height="3")
    assert given_of(play, turn) == {**asked, "rerolls": [[1, 4], [3]], "set": 3}
    (roll,) = turn.outcome.rolls
    assert roll.dice == (*first, 2, 3, 4)
    assert [roll.result[key] for key in ("accomplished", "botches", "danger_increase")] == [True, 4, 1]


def test_dw_04_a_lower_set_or_none_is_told_as_it_was_chosen() -> None:
    for height in (3, 2, 0):
        play = ready()
        play.do("roll", [3, 3, 3, 2, 2])
        assert not play.do("stand").outcome.rolls
        turn = play.do("use", height=str(height))
        assert given_of(play, turn)["set"] == height
        assert turn.outcome.rolls[0].result["set"] == (height or None)


def test_dw_03_a_die_is_named_once() -> None:
    play = ready()
    play.do("roll", [3, 3, 3, 2, 2])
    with pytest.raises(BadMove, match="twice"):
        play.do("reroll", [6], dice=["4", "4"])


def test_dw_09_a_difficulty_beyond_the_contract_is_told_as_its_hardest_and_never_sinks_under_1() -> None:
    for base, how, shown, given in ((9, "hinders", 11, 9), (1, "helps", 1, 1)):
        play = ready(keywords="dark, loud")
        play.do("rate", gm=True, difficulty=base, **{how: ["dark", "loud"]})
        play.do("roll", [3, 1, 4, 6, 5])
        assert play.state.difficulty == shown
        play.do("stand")
        turn = play.do("use", height="0")
        assert given_of(play, turn)["difficulty"] == given
        assert "no set: not accomplished" in turn.outcome.steps[0].text


def test_what_the_contract_can_not_say_is_not_told_and_goes_on() -> None:
    play = ready()
    for _ in range(5):
        play.do("complicate", gm=True, dice=9, why="A crowd")
    assert not play.do("roll", [5] * 50).outcome.rolls
    play.do("stand")
    assert not play.do("use", height="5").outcome.rolls and play.state.height == 5
    old = ready()
    old.do("roll", [5] * 5)
    old.state = KIND.evolve(old.state, Rerolled((1, 1), (2, 3)))  # as it was stored once
    assert not old.do("reroll", [4], dice=["0"]).outcome.rolls and old.state.rounds == 2


def test_dw_14_the_dice_that_choose_a_stat_are_no_check() -> None:
    play = ready(with_line(a_sheet(), "danger level", value=11))
    play.do("roll", [1, 1, 1, 1, 2])
    play.do("stand")
    play.do("use", height="0")
    turn = play.do("pay", [1], gm=True, cost="full", words="")
    assert turn.outcome.dice and not turn.outcome.rolls
