"""The dice, the story points after them, and how it comes out (QW-10 to QW-14, QW-40 to QW-42)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.moves import Die, Need, Step, take
from rules.sheet import Effect, SpendShared
from rules.systems.questworlds.framed import events as e
from rules.systems.questworlds.framed.asked import Sheets
from rules.systems.questworlds.framed.done import Done
from rules.systems.questworlds.framed.evolve import evolve
from rules.systems.questworlds.framed.settling import POOL, WINNERS, rolls_of, settle, why
from rules.systems.questworlds.framed.state import State
from rules.systems.questworlds.roll import SIDES


def roll(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done | Need:
    """Both dice; where no story point can be offered, the outcome at once."""
    if take(faces, 2) is None:
        return Need((SIDES,) * (2 - len(faces)))
    rolled = e.Rolled(by, faces[0], faces[1])
    after = evolve(state, rolled)
    clash = after.clash(by, (faces[0], faces[1]))
    told = Step("QW-10", f"{sheets[by].name} rolls {faces[0]} against {faces[1]}: a {clash.mastered[0].word} against "
                         f"a {clash.mastered[1].word}.")
    dice = (Die(SIDES, faces[0], sheets[by].name), Die(SIDES, faces[1], after.foe(by)))
    ending = settle(after, sheets)
    if ending is None:
        offered = () if not after.may_spend(by) else (Step("QW-12", "A story point may be spent now: one bump up."),)
        reasons = tuple(step for step in why(after, by) if step.rule not in WINNERS)
        return Done((rolled,), (told, *reasons, *offered), dice=dice, rolls=rolls_of(after, by))
    steps = (*ending.steps[:1], told, *ending.steps[1:])
    return Done((rolled, *ending.events), steps, ending.effects, dice, ending.result, rolls=ending.rolls)


def spend(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """A story point: one bump up, and the point is gone (QW-12, QW-90)."""
    return _decide(state, sheets, by, True)


def stand(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Done:
    """No story point."""
    return _decide(state, sheets, by, False)


def _decide(state: State, sheets: Sheets, by: str, spent: bool) -> Done:
    decided = e.Decided(by, spent)
    after = evolve(state, decided)
    told = Step("QW-12", f"{sheets[by].name} spends a story point." if spent else f"{sheets[by].name} lets it stand.")
    # Between two players a point leaves the pool when all have decided: before that it would tell of the choice.
    secret = state.rival(by) is not None
    paid: tuple[Effect, ...] = (SpendShared(POOL, -1),) if spent and not secret else ()
    ending = settle(_poorer(after) if paid else after, sheets)
    if ending is None:
        return Done((decided,), (told,), paid, sealed=secret)
    # What rivals decided in secret is told by the settling, of all of them.
    steps = ending.steps if secret else (*ending.steps[:1], told, *ending.steps[1:])
    return Done((decided, *ending.events), steps, (*paid, *ending.effects), result=ending.result, rolls=ending.rolls)


def _poorer(state: State) -> State:
    """With the point gone that was spent just now: the next one may have none to think of."""
    pools = tuple((name, held - (name == POOL)) for name, held in state.around.pools)
    return replace(state, around=replace(state.around, pools=pools))
