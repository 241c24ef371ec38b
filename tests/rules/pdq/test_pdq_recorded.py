"""The rolls of a conflict as moves of the contract, also where they are more than its fields take (PQ-02 to PQ-14)."""
from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import contract
from rules.codec import canonical
from rules.moves import Roll
from rules.systems.pdq.attack import Strike, rolls_of, strike
from rules.systems.pdq.chart import Rank
from rules.systems.pdq.roll import Shift, Side, given_of, side_fields
from rules.systems.pdq.test import Task
from rules.systems.pdq.test import rolls_of as rolls_of_test
from tests.rules.pdq.walking import Table, sheet

RANKS = st.lists(st.sampled_from(Rank), max_size=50).map(tuple)
SHIFTS = st.lists(st.integers(-40, 40).map(Shift), max_size=4).map(tuple)


@st.composite
def sides(draw: Any) -> Side:
    """Any side of a conflict, however much somebody made of it."""
    qualities = draw(RANKS)
    lead = draw(st.none() | st.integers(0, len(qualities) - 1)) if qualities else None
    return Side(qualities, lead=lead, shifts=draw(SHIFTS))


def sound(rolls: Sequence[Roll]) -> None:
    for roll in rolls:
        answer = contract.resolve({"move": roll.move, "given": roll.given, "dice": list(roll.dice)})
        assert canonical(answer["result"]) == canonical(roll.result)


@given(sides())
def test_pq_02_a_side_is_told_as_it_rolls(side: Side) -> None:
    given = given_of(side)
    if given is None:
        most = max(sum(side.applied) - side.applied[side.leading], 0)
        least = min(sum(side.applied) - side.applied[side.leading], 0)
        assert side.ups - side.downs > 20 or most > 19 * Rank.MASTER or least < -19
        return
    assert set(given) <= {side_field.name for side_field in side_fields()}
    rolls = rolls_of_test(Task(side, 9), (3,) * side.dice)
    sound(rolls)
    (roll,) = rolls
    if side.fails:
        assert roll.result["automatic"] == "failure"
    else:
        assert (roll.result["modifier"], roll.result["total"]) == (side.modifier, 3 * side.dice + side.modifier)


@given(sides(), sides(), st.tuples(*[st.booleans()] * 5))
def test_pq_14_an_attack_is_told_as_it_strikes(attacker: Side, defender: Side, flags: tuple[bool, ...]) -> None:
    move = Strike(attacker, defender, *flags)
    thrown, parried = (4,) * attacker.dice, (3,) * move.defence_dice
    rolls = rolls_of(move, (*thrown, *parried))
    sound(rolls)
    assert all(roll.result == strike(move, sum(thrown), sum(parried)).result for roll in rolls)
    if given_of(attacker) and (move.static_defence or given_of(defender)):
        assert len(rolls) == 1


ADA = sheet("Ada", **{f"q{number}": 1 + number % 3 for number in range(30)})
BO = sheet("Bo", sword=2)
SETUP = {"contestants": [{"sheet": "ada", "side": "one"}, {"sheet": "bo", "side": "two"}]}
UP = {"kind": "upshift", "amount": 20, "reason": "up"}
DOWN = {"kind": "downshift", "amount": 20, "reason": "down"}


@pytest.mark.parametrize(("lines", "rolled"), [([], 1), ([UP, DOWN], 1), ([DOWN, DOWN], 1), ([UP], 1), ([UP, UP], 0)])
def test_pq_12_no_act_is_refused_for_what_the_contract_can_not_take(lines: list[Any], rolled: int) -> None:
    """More qualities than the contract's list takes, and more shifts; more than 20 upshifts left are not told."""
    qualities = [trait.id for trait in ADA.traits][:22]
    played = Table([ADA, BO], dice=lambda sides: 3, **SETUP)
    given = {"qualities": qualities, "lines": lines, "lead": qualities[0]}
    result = played.act("ada", "act", difficulty=9, **given)
    assert played.last is not None
    rolls = played.last.outcome.rolls
    sound(rolls)
    assert len(rolls) == rolled and all(result.items() >= roll.result.items() for roll in rolls)
    played = Table([ADA, BO], dice=lambda sides: 3, **SETUP)
    result = played.act("ada", "attack", targets=["bo"], **given)
    if "automatic" not in result:
        result = played.act("bo", "defend", qualities=["bo.sword"])
    assert played.last is not None
    rolls = played.last.outcome.rolls
    sound(rolls)
    assert [roll.result["damage"] for roll in rolls] == [hit["damage"] for hit in result["hits"]][:rolled]


def test_pq_12_dice_for_several_targets_are_told_for_each_one() -> None:
    """The attacker's dice are in each roll, the targets' own in theirs; what is known is told when it has fallen."""
    cy = sheet("Cy", claws=1)
    lines = [*SETUP["contestants"], {"sheet": "cy", "side": "two"}]
    played = Table([ADA, BO, cy], contestants=lines)
    played.act("ada", "attack", targets=["cy", "bo"], qualities=["ada.q2"])
    assert played.last is not None and played.last.outcome.rolls == ()
    played.act("bo", "defend", qualities=["bo.sword"])
    assert played.last.outcome.rolls == ()
    played.act("cy", "defend", [6, 5, 1, 2, 3, 4])
    assert [roll.dice for roll in played.last.outcome.rolls] == [(6, 5, 1, 2), (6, 5, 3, 4)]
    sound(played.last.outcome.rolls)


def test_pq_11_dice_for_initiative_are_no_move_of_the_contract() -> None:
    faces = iter((2, 5))
    same = sheet("Cy", claws=2)
    lines = [{"sheet": "bo", "side": "one"}, {"sheet": "cy", "side": "two"}]
    played = Table([BO, same], dice=lambda sides: next(faces), contestants=lines, ties="roll")
    assert played.last is not None
    assert (len(played.last.outcome.dice), played.last.outcome.rolls) == (2, ())
