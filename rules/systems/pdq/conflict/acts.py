"""Everything that a contestant does but attacking: other actions, waiting, helping, moving, taking damage."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from rules.moves import Need, Step, take
from rules.sheet import Damage, Sheet
from rules.systems.pdq.chart import Rank
from rules.systems.pdq.conflict.done import Done, leading, quote, stepping_in, team
from rules.systems.pdq.conflict.events import (
    Acted,
    Held,
    IntentStated,
    Killed,
    Moved,
    Passed,
    Pledged,
    Suffered,
    TookOnTheChin,
    Withdrew,
)
from rules.systems.pdq.conflict.evolve import evolve
from rules.systems.pdq.conflict.sides import Sheets, action_shifts, grant_shifts, side
from rules.systems.pdq.conflict.state import KILL, Applied, State, Wound
from rules.systems.pdq.ranges import half_movement
from rules.systems.pdq.roll import shifts_of
from rules.systems.pdq.test import Task, TestMove, rolls_of
from rules.systems.pdq.traits import can_lose, capacity, rank_of
from rules.values import BadMove

Values = Mapping[str, Any]


def act(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done | Need:
    """Something else than an attack; a test where a difficulty is given (PQ-02, PQ-12)."""
    who = state.contestant(by)
    qualities, told = team(state, by, values)
    before = stepping_in(state, by)
    steps = (Step("PQ-11", f"{who.name} acts{quote(values['words'])}"), *told)
    rolls = values["difficulty"] is not None
    event = Acted(by, values["words"], values["strategy"], values["helpers"], rolls)
    lead = leading(values)
    if not rolls:
        take(faces, 0)
        return Done((*before, event), steps)
    # Stepping in ends an earlier strategy; what is granted stays.
    now = reduce(evolve, before, state).contestant(by)
    shifts = (*action_shifts(values["strategy"]), *shifts_of(values["lines"]), *grant_shifts(now))
    task = Task(side(sheets, qualities, lead, shifts), values["difficulty"])
    outcome = TestMove().resolve(task, faces)
    if isinstance(outcome, Need):
        return outcome
    return Done((*before, event), (*steps, *outcome.steps), outcome.result, outcome.dice,
                rolls=rolls_of(task, faces))


def hold(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Keeps the action for later in the round (PQ-11)."""
    told = f"{state.contestant(by).name} holds the action: it can come between any two turns of this round."
    return Done((Held(by),), (Step("PQ-11", told),))


def pass_(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Lets the turn go by."""
    told = f"{state.contestant(by).name} lets the turn go by."
    return Done((Passed(by, values["strategy"]),), (Step("PQ-11", told),))


def let_go(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Gives a held action up (PQ-11)."""
    return Done((Passed(by),), (Step("PQ-11", f"{state.contestant(by).name} lets the held action go."),))


def help_(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Promises help (PQ-08)."""
    if not values["qualities"]:
        raise BadMove("Choose at least one quality to help with.", "qualities")
    qualities = tuple(Applied(by, trait) for trait in values["qualities"])
    told = f"{state.contestant(by).name} offers {state.contestant(values['to']).name} help."
    return Done((Pledged(by, values["to"], qualities),), (Step("PQ-08", told),))


def withdraw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Takes a promise of help back."""
    return Done((Withdrew(by),), (Step("PQ-08", f"{state.contestant(by).name} takes the help back."),))


def kill(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Kills one who was out before the turn began, free of cost (PQ-17)."""
    target = state.contestant(values["target"])
    told = f"{state.contestant(by).name} kills {target.name}, who was out of action before{quote(values['words'])}"
    return Done((Killed(by, target.id),), (Step("PQ-17", told),), {"killed": target.id})


def intent(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Says at the start whether this contestant kills (PQ-17)."""
    means = "to kill" if values["intent"] == KILL else "to put out of action"
    told = f"{state.contestant(by).name} means {means}."
    return Done((IntentStated(by, values["intent"]),), (Step("PQ-17", told),))


def move(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Moves on the turn or as a reaction, half the yards of a round each (PQ-20)."""
    who, sheet = state.contestant(by), sheets[by]
    traits = [trait for trait in map(sheet.trait, values["qualities"]) if trait]
    yards, most = abs(values["to"] - who.position), half_movement(map(rank_of, traits))
    if yards > most:
        raise BadMove(f"{who.name} can move {most} yards now; this would take {yards}.", "to")
    told = f"{who.name} moves {yards} of {most} yards, to {values['to']}."
    reaction = by not in state.acting
    return Done((Moved(by, values["to"], reaction),), (Step("PQ-20", told),), {"yards": yards, "of": most})


def take_damage(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """Spreads damage over any qualities; below poor in one is out of action (PQ-16)."""
    wound, sheet, name = _wound(state, by), sheets[by], state.contestant(by).name
    losses: dict[str, int] = values["spread"]
    _check_spread(sheet, wound, losses)
    lost = {trait.id: trait.now - losses.get(trait.id, 0) for trait in sheet.traits if trait.id in losses}
    out = any(now < Rank.POOR for now in lost.values()) or wound.amount > capacity(sheet)
    struck_down = state.settings.killing == "asked" and state.contestant(wound.by).intent == KILL
    listed = ", ".join(f"{trait.name} −{losses[trait.id]}" for trait in sheet.traits if trait.id in losses)
    steps = [Step("PQ-16", f"{name} takes {wound.amount} damage: {listed or 'nothing is left to lose'}.")]
    steps += said(values["words"])
    if wound.amount > sum(losses.values()):
        steps.append(Step("PQ-16", f"{name}: all that the qualities can lose is lost; the rest has nowhere to go."))
    if out:
        steps.append(Step("PQ-16", f"{name} is out of action for the scene."))
    if out and struck_down:
        steps.append(Step("PQ-17", f"{state.contestant(wound.by).name} meant to kill: {name} dies."))
    effects = tuple(Damage(trait, ranks) for trait, ranks in losses.items())
    event = Suffered(by, tuple(sorted(losses.items())), out, out and struck_down)
    result = {"damage": wound.amount, "placed": sum(losses.values()), "out": out, "killed": out and struck_down}
    return Done((event,), tuple(steps), result, effects=effects)


def said(words: str) -> tuple[Step, ...]:
    """What a person tells of it in their own words, as a line of its own."""
    return (Step("PQ-16", f"“{words}”"),) if words else ()


def take_on_the_chin(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Done:
    """1 damage to one quality instead of the whole, once a scene (PQ-15)."""
    wound = _wound(state, by)
    trait = next(trait for trait in sheets[by].traits if trait.id == values["trait"])
    told = (f"{state.contestant(by).name} takes it on the chin with {trait.name}: 1 damage there, "
            f"and the {wound.amount} of the attack are cancelled.")
    steps = (Step("PQ-15", told), *said(values["words"]))
    return Done((TookOnTheChin(by, trait.id),), steps, {"damage": 1, "cancelled": wound.amount},
                effects=(Damage(trait.id, 1),))


def _wound(state: State, by: str) -> Wound:
    return next(wound for wound in state.wounds if wound.who == by)


def _check_spread(sheet: Sheet, wound: Wound, losses: Mapping[str, int]) -> None:
    for trait in sheet.traits:
        if losses.get(trait.id, 0) > can_lose(trait):
            told = f"{trait.name} can lose {can_lose(trait)}, down to one below Poor. Place the rest elsewhere."
            raise BadMove(told, f"spread.{trait.id}")
    due, placed = min(wound.amount, capacity(sheet)), sum(losses.values())
    if placed != due:
        raise BadMove(f"Place exactly {due} damage; you have placed {placed}.", "spread")


