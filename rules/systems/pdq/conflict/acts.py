"""Everything that a contestant does but attacking: other actions, waiting, helping, moving, taking damage."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import reduce
from typing import Any

from rules.moves import Need, Step, take
from rules.sheet import Damage, Effect, SetDead, Sheet
from rules.systems.pdq.chart import Rank
from rules.systems.pdq.conflict.events import (
    Acted,
    Ended,
    Held,
    IntentStated,
    Killed,
    Moved,
    Passed,
    Pledged,
    Result,
    Suffered,
    TookOnTheChin,
    Withdrew,
)
from rules.systems.pdq.conflict.evolve import evolve
from rules.systems.pdq.conflict.sides import Sheets, action_shifts, grant_shifts, leading, side, stepping_in, team
from rules.systems.pdq.conflict.state import KILL, Applied, State, Wound
from rules.systems.pdq.harm import FAILURE, ranks
from rules.systems.pdq.ranges import half_movement
from rules.systems.pdq.roll import shifts_of
from rules.systems.pdq.test import Task, TestMove, rolls_of
from rules.systems.pdq.traits import can_lose, capacity, rank_of
from rules.values import BadMove, Value
from rules.wording import quoted

Values = Mapping[str, Any]


def act(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result | Need:
    """Something else than an attack; a test where a difficulty is given (PQ-02, PQ-12)."""
    who = state.contestant(by)
    qualities, team_steps = team(state, by, values)
    before = stepping_in(state, by)
    steps = (Step("PQ-11", f"{who.name} acts{quoted(values['words'])}"), *team_steps)
    rolls = values["difficulty"] is not None
    event = Acted(by, values["words"], values["strategy"], values["helpers"], rolls)
    lead = leading(values)
    if not rolls:
        take(faces, 0)
        return Result((*before, event), steps)
    # Stepping in ends an earlier strategy; what is granted stays.
    now = reduce(evolve, before, state).contestant(by)
    shifts = (*action_shifts(values["strategy"]), *shifts_of(values["lines"]), *grant_shifts(now))
    task = Task(side(sheets, qualities, lead, shifts), values["difficulty"])
    outcome = TestMove().resolve(task, faces)
    if isinstance(outcome, Need):
        return outcome
    return Result((*before, event), (*steps, *outcome.steps), outcome.result, outcome.dice,
                rolls=rolls_of(task, faces))


def hold(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Keeps the action for later in the round (PQ-11)."""
    text = f"{state.contestant(by).name} holds the action: it can come between any two turns of this round."
    return Result((Held(by),), (Step("PQ-11", text),))


def pass_(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Lets the turn go by."""
    text = f"{state.contestant(by).name} lets the turn go by."
    return Result((Passed(by, values["strategy"]),), (Step("PQ-11", text),))


def let_go(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Gives a held action up (PQ-11)."""
    return Result((Passed(by),), (Step("PQ-11", f"{state.contestant(by).name} lets the held action go."),))


def help_(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Promises help (PQ-08)."""
    qualities = tuple(Applied(by, trait) for trait in values["qualities"])
    text = f"{state.contestant(by).name} offers {state.contestant(values['to']).name} help."
    return Result((Pledged(by, values["to"], qualities),), (Step("PQ-08", text),))


def withdraw(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Takes a promise of help back."""
    return Result((Withdrew(by),), (Step("PQ-08", f"{state.contestant(by).name} takes the help back."),))


def kill(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Kills one who was out before the turn began, free of cost; the GM rules a death (PQ-17)."""
    target = state.contestant(values["target"])
    who = f"{state.contestant(by).name} kills {target.name}" if by else f"The GM rules that {target.name} dies"
    text = f"{who}, who was out of action before{quoted(values['words'])}"
    return Result((Killed(by, target.id),), (Step("PQ-17", text),), {"killed": target.id},
                  effects=(SetDead(target.id),))


def end_here(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Who stands lets those who are out live, and it is over (PQ-17)."""
    live = "live" if len(state.at_mercy) > 1 else "lives"
    text = f"{state.contestant(by).name} ends it here: {state.names(each.id for each in state.at_mercy)} {live}"
    event = Ended("".join(state.sides_standing), values["words"])
    return Result((event,), (Step("PQ-17", text + quoted(values["words"])),))


def intent(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Says at the start whether this contestant kills (PQ-17)."""
    means = "to kill" if values["intent"] == KILL else "to put out of action"
    text = f"{state.contestant(by).name} means {means}."
    return Result((IntentStated(by, values["intent"]),), (Step("PQ-17", text),))


def intents(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says what some of those mean whom nobody plays (PQ-17)."""
    mean = "mean" if len(values["who"]) > 1 else "means"
    means = "to kill" if values["intent"] == KILL else "to put out of action"
    events = tuple(IntentStated(who, values["intent"]) for who in values["who"])
    return Result(events, (Step("PQ-17", f"{state.names(values['who'])} {mean} {means}."),))


def move(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Moves on the turn or as a reaction, half the yards of a round each (PQ-20)."""
    who, sheet = state.contestant(by), sheets[by]
    traits = [trait for trait in map(sheet.trait, values["qualities"]) if trait]
    yards, most = abs(values["to"] - who.position), half_movement(map(rank_of, traits))
    if yards > most:
        raise BadMove(f"{who.name} can move {most} yards now; this would take {yards}.", "to")
    text = f"{who.name} moves {yards} of {most} yards, to {values['to']}."
    reaction = by not in state.acting
    return Result((Moved(by, values["to"], reaction),), (Step("PQ-20", text),), {"yards": yards, "of": most})


def take_damage(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Spreads damage over any qualities; below poor in one is out of action (PQ-16)."""
    wound, sheet, name = _wound(state, by), sheets[by], state.contestant(by).name
    losses: dict[str, int] = values["spread"]
    _check_spread(sheet, wound, losses)
    out = takes_out(sheet, wound.amount, losses)
    struck_down = state.settings.killing == "asked" and state.contestant(wound.by).intent == KILL
    listed = ", ".join(f"{trait.name} −{losses[trait.id]}" for trait in sheet.traits if trait.id in losses)
    harm = state.settings.harm
    steps = [Step("PQ-16", f"{name} takes {ranks(wound.amount, harm)}: {listed or 'nothing is left to lose'}.")]
    steps += said(values["words"])
    if wound.amount > sum(losses.values()):
        steps.append(Step("PQ-16", f"{name}: all that the qualities can lose is lost; the rest has nowhere to go."))
    if out:
        steps.append(Step("PQ-16", f"{name} is out of action for the scene."))
    if out and struck_down:
        steps.append(Step("PQ-17", f"{state.contestant(wound.by).name} meant to kill: {name} dies."))
    effects: tuple[Effect, ...] = tuple(Damage(trait, lost, harm == FAILURE) for trait, lost in losses.items())
    effects += (SetDead(by),) if out and struck_down else ()
    event = Suffered(by, tuple(sorted(losses.items())), out, out and struck_down)
    result: dict[str, Value] = {"damage": wound.amount, "placed": sum(losses.values()), "harm": harm, "out": out,
              "killed": out and struck_down}
    return Result((event,), tuple(steps), result, effects=effects)


def takes_out(sheet: Sheet, amount: int, losses: Mapping[str, int]) -> bool:
    """Whether so much damage, placed so, puts a character out of action: below poor in any one quality (PQ-16)."""
    lost = (trait.now - losses[trait.id] for trait in sheet.traits if trait.id in losses)
    return any(now < Rank.POOR for now in lost) or amount > capacity(sheet)


def said(words: str) -> tuple[Step, ...]:
    """What a person tells of it in their own words, as a line of its own."""
    return (Step("PQ-16", f"“{words}”"),) if words else ()


def take_on_the_chin(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """1 damage to one quality instead of the whole, once a scene (PQ-15)."""
    wound = _wound(state, by)
    trait = next(trait for trait in sheets[by].traits if trait.id == values["trait"])
    harm = state.settings.harm
    text = (f"{state.contestant(by).name} takes it on the chin with {trait.name}: {ranks(1, harm)} there, "
            f"and the {ranks(wound.amount, harm)} of the attack are cancelled.")
    steps = (Step("PQ-15", text), *said(values["words"]))
    return Result((TookOnTheChin(by, trait.id),), steps, {"damage": 1, "harm": harm, "cancelled": wound.amount},
                  effects=(Damage(trait.id, 1, harm == FAILURE),))


def _wound(state: State, by: str) -> Wound:
    return next(wound for wound in state.wounds if wound.who == by)


def _check_spread(sheet: Sheet, wound: Wound, losses: Mapping[str, int]) -> None:
    for trait in sheet.traits:
        if losses.get(trait.id, 0) > can_lose(trait):
            text = f"{trait.name} can lose {can_lose(trait)}, down to one below Poor. Place the rest elsewhere."
            raise BadMove(text, f"spread.{trait.id}")
    to_place, placed = min(wound.amount, capacity(sheet)), sum(losses.values())
    if placed != to_place:
        raise BadMove(f"Place exactly {to_place} damage; you have placed {placed}.", "spread")


