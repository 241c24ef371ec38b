"""The rolls of a contest as moves of the contract, for whoever checks the trail: each can be resolved anew."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from rules.moves import MoveKind, Need, Roll
from rules.systems.pnc.competition import Competition
from rules.systems.pnc.dice import Roll as Dice
from rules.systems.pnc.dice import Thrown
from rules.systems.pnc.initiative import Initiative
from rules.systems.pnc.standard_roll import MOST_DICE, AttackRoll, StandardRoll
from rules.values import Value


def standard(thrown: Thrown) -> Roll:
    """Somebody's own roll."""
    return _resolved(StandardRoll(), _given(thrown), _faces(thrown))


def attack(thrown: Thrown, *, harmless: bool) -> Roll:
    """A roll that two share. One that hurts nobody has no damage: that is a standard roll."""
    return standard(thrown) if harmless else _resolved(AttackRoll(), _given(thrown), _faces(thrown))


def competitions(ranking: Sequence[Thrown]) -> tuple[Roll, ...]:
    """Rolls compared, the best first: each with the next one, which makes the whole ranking."""
    return tuple(
        _resolved(Competition(), {"first": _dice(first.roll), "second": _dice(second.roll),
                              "open_ended": first.roll.open_ended}, (*_faces(first), *_faces(second)))
        for first, second in pairwise(ranking)
    )


def order(rolls: Sequence[Thrown]) -> Roll:
    """The order of all who rolled for it."""
    given: dict[str, Value] = {
        "fighters": [_dice(roll.roll) for roll in rolls], "by": "degree", "open_ended": rolls[0].roll.open_ended}
    return _resolved(Initiative(), given, [face for roll in rolls for face in _faces(roll)])


def order_by_d6(many: int, faces: Sequence[int]) -> Roll:
    """The order of so many by a d6 each, with the dice of those who were level."""
    return _resolved(Initiative(), {"fighters": [_dice(Dice())] * many, "by": "d6"}, faces)


def _resolved(kind: MoveKind[Any], given: Mapping[str, Value], dice: Sequence[int]) -> Roll:
    outcome = kind.resolve(kind.read(given), dice)
    if isinstance(outcome, Need):
        raise ValueError(f"{kind.name} lacks dice that the contest has read already.")
    return Roll(kind.name, given, tuple(dice), outcome.result)


def _given(thrown: Thrown) -> dict[str, Value]:
    return {**_dice(thrown.roll), "open_ended": thrown.roll.open_ended}


def _dice(roll: Dice) -> dict[str, Value]:
    """Penalty and bonus dice. More than the contract takes cancel first; of what is left only three count anyway."""
    penalty, bonus = roll.penalty, roll.bonus
    if max(penalty, bonus) > MOST_DICE:
        both = min(penalty, bonus)
        penalty, bonus = min(MOST_DICE, penalty - both), min(MOST_DICE, bonus - both)
    return {"penalty": penalty, "bonus": bonus}


def _faces(thrown: Thrown) -> tuple[int, ...]:
    """In the contract's order: the d20, what followed an open one, the six-sided dice."""
    return (thrown.first, *(() if thrown.second is None else (thrown.second,)), *thrown.faces)
