"""Attacks: declared, answered, struck (PQ-12 to PQ-14)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial, reduce
from typing import Any

from rules.moves import Die, Need, Roll, Step, take
from rules.systems.pdq.attack import Blow, Strike, explain, rolled, rolls_of, strike
from rules.systems.pdq.conflict.events import Attacked, Defended, Event, Hit, Result, Struck
from rules.systems.pdq.conflict.evolve import evolve
from rules.systems.pdq.conflict.sides import (
    Sheets,
    attack_shifts,
    attack_side,
    defence_shifts,
    leading,
    stepping_in,
    strikes,
    team,
)
from rules.systems.pdq.conflict.state import Applied, Attack, State
from rules.systems.pdq.harm import ranks
from rules.systems.pdq.roll import Side, shifts_of
from rules.values import Value
from rules.wording import quoted


def attack(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Result | Need:
    """Declares an attack. It fails here and now where its downshifts go below poor; else the targets react."""
    take(faces, 0)
    who = state.contestant(by)
    qualities, team_steps = team(state, by, values)
    shifts = (*attack_shifts(who, values["strategy"], len(values["targets"])), *shifts_of(values["lines"]))
    event = Attacked(
        by, values["targets"], qualities, leading(values), shifts, values.get("weapon", False), values["strategy"],
        values["helpers"], values["words"],
    )
    events: tuple[Event, ...] = (*stepping_in(state, by), event)
    after = reduce(evolve, events, state)
    first = Step("PQ-12", f"{who.name} attacks {state.names(values['targets'])}{quoted(values['words'])}")
    steps = (first, *team_steps)
    pending = after.attack
    if pending is None:
        return Result(events, steps)
    side = attack_side(after, sheets, pending)
    if not side.fails:
        return Result(events, steps, {"targets": values["targets"], "waiting": pending.unanswered})
    steps += (*side.steps(who.name), Step("PQ-12", f"{who.name}: the attack fails and nobody rolls."))
    hits: list[Value] = [_hit_result(target, Blow(None, None)) for target in values["targets"]]
    # It fails whoever it is aimed at, so it is one roll.
    return Result((*events, Struck(by, ())), steps, {"automatic": "failure", "attack": None, "hits": hits},
                rolls=rolls_of(Strike(side, Side()), ()))


def defend(state: State, sheets: Sheets, by: str, values: Mapping[str, Any], faces: Sequence[int]) -> Result | Need:
    """A target reacts. With the last reaction the dice fall: the attacker's once, then each target's, in order."""
    who = state.contestant(by)
    qualities = tuple(Applied(by, trait) for trait in values["qualities"])
    shifts = (*defence_shifts(who), *shifts_of(values["lines"]))
    event = Defended(
        by, qualities, leading(values), shifts, bool(values.get("weakness", "")), values["words"],
    )
    after = evolve(state, event)
    steps: tuple[Step, ...] = (Step("PQ-13", f"{who.name} reacts{quoted(values['words'])}"),)
    pending = after.attack
    if pending is None or pending.unanswered:
        take(faces, 0)
        return Result((event,), steps, {"waiting": pending.unanswered if pending else ()})
    struck = _strike_all(after, sheets, pending, faces)
    if isinstance(struck, Need):
        return struck
    return Result((event, *struck.events), (*steps, *struck.steps), struck.result, struck.dice, rolls=struck.rolls)


def _strike_all(state: State, sheets: Sheets, pending: Attack, faces: Sequence[int]) -> Result | Need:
    attacker, side = state.contestant(pending.by), attack_side(state, sheets, pending)
    made = strikes(state, sheets, pending)
    wanted = (side.dice, *(move.defence_dice for _, move in made))
    runs = take(faces, *wanted)
    if runs is None:
        return Need((6,) * (sum(wanted) - len(faces)))
    thrown, *parries = runs
    steps = list(side.steps(attacker.name))
    steps += [rolled(attacker.name, sum(thrown), side)] if thrown else []
    dice = [Die(6, face, attacker.name) for face in thrown]
    hits: list[Hit] = []
    hit_results: list[Value] = []
    rolls: list[Roll] = []
    blow = Blow(None, None)
    for (reaction, move), parried in zip(made, parries, strict=True):
        name = state.contestant(reaction.by).name
        blow = strike(move, sum(thrown), sum(parried))
        steps += _defender_steps(move, name, parried)
        explained = explain(move, blow, attacker.name, name, unit=partial(ranks, harm=state.settings.harm))
        # Of several targets each line says whose it is.
        steps += [replace(step, text=f"{name}: {step.text}") for step in explained] if len(made) > 1 else explained
        dice += [Die(6, face, name) for face in parried]
        hits.append(Hit(reaction.by, blow.to_attacker, blow.to_defender, bool(parried)))
        hit_results.append(_hit_result(reaction.by, blow))
        rolls += rolls_of(move, (*thrown, *parried))
    result: dict[str, Value] = {"attack": blow.attack, "hits": hit_results}
    return Result((Struck(pending.by, tuple(hits)),), tuple(steps), result, tuple(dice), rolls=tuple(rolls))


def _defender_steps(move: Strike, name: str, parried: Sequence[int]) -> tuple[Step, ...]:
    if move.static_defence or move.attacker.fails:
        return ()
    side = move.defender
    return (*side.steps(name), rolled(name, sum(parried), side)) if parried else side.steps(name)


def _hit_result(target: str, blow: Blow) -> dict[str, Value]:
    damage = {"attacker": blow.to_attacker, "defender": blow.to_defender}
    return {"target": target, "defence": blow.defence, "damage": damage}


