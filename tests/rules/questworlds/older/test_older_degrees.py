"""Degrees of victory in simple contests (QW-A1), by the source's table."""
from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from rules.systems.questworlds.contest import Contest
from rules.systems.questworlds.older.degrees import DegreeClash, in_words
from rules.systems.questworlds.roll import Result, Side
from rules.systems.questworlds.simple_contest.odds import odds
from tests.rules.questworlds.framing import act, begun, framed, group, rolled, text

CRITICAL, SUCCESS, FAILURE, FUMBLE = reversed(Result)

# Rows: what the player rolled; columns: critical, success, failure, fumble on the other side. What is in a cell is what
# the better of the two has; "die" is a marginal victory for the better die, else a tie.
TABLE = {
    CRITICAL: ("die", "minor", "major", "complete"),
    SUCCESS: ("minor", "die", "minor", "major"),
    FAILURE: ("major", "minor", "die", "minor"),
    FUMBLE: ("complete", "major", "minor", "tie"),
}
CELLS = [(ours, theirs, cell) for ours, row in TABLE.items()
         for theirs, cell in zip((CRITICAL, SUCCESS, FAILURE, FUMBLE), row, strict=True)]


def lies(ours: Result, theirs: Result, dice: tuple[int, int], **more: Any) -> DegreeClash:
    """A clash with these results in the end, whatever made them; the dice only tell which is higher."""
    clash = DegreeClash(Side(10), Side(10), dice, **more)
    clash.__dict__["results"] = (ours, theirs)
    return clash


@pytest.mark.parametrize(("ours", "theirs", "cell"), CELLS)
def test_qw_a1_each_cell_of_the_simple_contest_table(ours: Result, theirs: Result, cell: str) -> None:
    degrees = {dice: in_words(lies(ours, theirs, dice).degree) for dice in ((7, 3), (3, 7), (5, 5))}
    if cell == "die":
        assert degrees == {(7, 3): "marginal victory", (3, 7): "marginal defeat", (5, 5): "tie"}
    elif cell == "tie":
        assert set(degrees.values()) == {"tie"}
    else:
        assert set(degrees.values()) == {f"{cell} {'victory' if ours > theirs else 'defeat'}"}


def test_qw_a1_the_contract_tells_the_degree_and_only_when_asked() -> None:
    given = {"ability": 17, "resistance": 14}
    contest = Contest()
    assert "degree" not in contest.resolve(contest.read(given), [5, 16]).result  # type: ignore[union-attr]
    by_degree = contest.read({**given, "degrees": True})
    assert contest.resolve(by_degree, [17, 20]).result["degree"] == "complete victory"  # type: ignore[union-attr]
    odds = contest.odds(by_degree, "degree")
    assert sum(odds.values()) == 1 and odds["complete victory"] == Fraction(1, 400)


def test_qw_a1_with_a_stretch_no_victory_is_more_than_minor_and_a_defeat_is_as_it_falls() -> None:
    contest = Contest()
    stretch = contest.read({"ability": 17, "resistance": 14, "degrees": True, "stretch": True})
    came: Any = contest.resolve(stretch, [17, 20])
    assert came.result["degree"] == "minor victory"
    assert "With a stretch a complete victory counts as a minor one." in [step.text for step in came.steps]
    assert contest.resolve(stretch, [20, 14]).result["degree"] == "complete defeat"  # type: ignore[union-attr]
    theirs = contest.read({"ability": 17, "resistance": 14, "degrees": True, "resistance_stretch": True})
    assert contest.resolve(theirs, [20, 14]).result["degree"] == "minor defeat"  # type: ignore[union-attr]


def test_qw_a1_a_tie_that_goes_to_the_player_is_a_marginal_victory() -> None:
    assert in_words(lies(SUCCESS, SUCCESS, (5, 5), tie_to_player=True).degree) == "marginal victory"


def test_qw_a1_a_contest_by_degrees_says_them_before_the_dice_and_after() -> None:
    state = framed(begun(degrees=True), resistance="14")
    levels = odds(state, "i").facts
    assert any(level.endswith("complete victory") for level in levels) and not any("rank" in level for level in levels)
    stretched, _ = act(state, "modify", whom="i", line="stretch:-6", reason="Far from it")
    assert not any("major victory" in fact or "complete victory" in fact for fact in odds(stretched, "i").facts)
    after, turn = rolled(state, 14, 19)
    assert after.outcomes[0].degree == 3 and turn.steps[0].text == "Ilse wins, a major victory: The ledger."
    assert "2 levels apart: a major victory for Ilse." in text(turn, "QW-A1")
    plain, turn = rolled(framed(begun(), resistance="14"), 14, 19)
    assert plain.outcomes[0].degree == 0 and not text(turn, "QW-A1")


def test_qw_a1_two_fumbles_in_a_group_may_be_a_marginal_defeat() -> None:
    state = group(context=begun().context, degrees=True)
    state, _ = act(state, "oppose", name="The storm", resistance="14")
    state, _ = act(state, "set")
    state, _ = act(state, "roll", "i", dice=(20, 20))
    state, _ = act(state, "stand", "i")
    state, _ = act(state, "roll", "t", dice=(15, 13))
    assert [outcome.outcome for outcome in state.outcomes] == ["tie", "victory"] and state.side == "victory"
    state, turn = act(state, "worsen", whom="i")
    assert [(outcome.outcome, outcome.degree) for outcome in state.outcomes] == [("defeat", -1), ("victory", 2)]
    assert state.side == "tie" and text(turn, "QW-A1") == "Both fumbled: Ilse suffers a marginal defeat."
    assert [lesson.kind for lesson in state.learned] == ["defeat"]
