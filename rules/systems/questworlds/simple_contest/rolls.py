"""The dice, the story points after them, and how it comes out (QW-10 to QW-14, QW-40 to QW-42)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.moves import Die, Need, Step, take
from rules.sheet import Effect, SpendShared
from rules.systems.questworlds.roll import SIDES
from rules.systems.questworlds.simple_contest import events as e
from rules.systems.questworlds.simple_contest.evolve import evolve
from rules.systems.questworlds.simple_contest.offer_forms import Sheets
from rules.systems.questworlds.simple_contest.own_contests import decide
from rules.systems.questworlds.simple_contest.resolution import POOL, WINNERS, rolls_of, settle, why
from rules.systems.questworlds.simple_contest.state import State


def roll(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result | Need:
    """The dice; where no story point can be offered, the outcome at once. Two players each roll their own."""
    many = 1 if state.each_rolls(by) else 2
    if take(faces, many) is None:
        return Need((SIDES,) * (many - len(faces)))
    rolled = e.RolledOwn(by, faces[0]) if many == 1 else e.Rolled(by, faces[0], faces[1])
    after = evolve(state, rolled)
    names, lie = (sheets[by].name, after.foe(by)), after.entrant(by).dice
    dice = tuple(Die(SIDES, face, name) for face, name in zip(faces, names, strict=False))
    if lie is None:
        fell = Step("QW-10", f"{names[0]} rolls {faces[0]}. {names[1]} has not rolled yet.")
        return e.Result((rolled,), (fell,), dice=dice)
    ours, theirs = (each.word for each in after.clash(by, lie).mastered)
    fell = Step("QW-10", f"{names[0]} rolls {lie[0]} against {lie[1]}: a {ours} against a {theirs}.")
    ending = settle(after, sheets)
    if ending is None:
        offered = () if not after.may_spend(by) else (Step("QW-12", "A story point may be spent now: one bump up."),)
        reasons = tuple(step for step in why(after, by) if step.rule not in WINNERS)
        return e.Result((rolled,), (fell, *reasons, *offered), dice=dice, rolls=rolls_of(after, by))
    steps = (*ending.steps[:1], fell, *ending.steps[1:])
    return replace(ending, events=(rolled, *ending.events), steps=steps, dice=dice)


def spend(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """A story point: one bump up, and the point is gone (QW-12, QW-90)."""
    return _decide(state, sheets, by, True)


def stand(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> e.Result:
    """No story point."""
    return _decide(state, sheets, by, False)


def _decide(state: State, sheets: Sheets, by: str, spent: bool) -> e.Result:
    if state.own_roll:
        return decide(state, sheets, state.own_roll, spent)
    decided = e.Decided(by, spent)
    after = evolve(state, decided)
    said = Step("QW-12", f"{sheets[by].name} spends a story point." if spent else f"{sheets[by].name} lets it stand.")
    # Between two players a point leaves the pool when all have decided: before that it would tell of the choice.
    secret = state.rival(by) is not None
    paid: tuple[Effect, ...] = (SpendShared(POOL, -1),) if spent and not secret else ()
    ending = settle(_poorer(after) if paid else after, sheets)
    if ending is None:
        return e.Result((decided,), (said,), effects=paid, sealed=secret)
    # What rivals decided in secret is told by the settling, of all of them.
    steps = ending.steps if secret else (*ending.steps[:1], said, *ending.steps[1:])
    return replace(ending, events=(decided, *ending.events), steps=steps, effects=(*paid, *ending.effects))


def _poorer(state: State) -> State:
    """With the point gone that was spent just now: the next one may have none to think of."""
    pools = tuple((name, held - (name == POOL)) for name, held in state.context.pools)
    return replace(state, context=replace(state.context, pools=pools))
