"""The end of a scene, and placing damage and recovered ranks on a sheet (PQ-07, PQ-16, PQ-18)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.fields import Choice
from rules.moves import Step
from rules.sheet import Damage, Effect, NewAllocation, Sheet, Spend
from rules.system import SessionChange
from rules.systems.pdq.chart import Rank, can_lose, capacity
from rules.systems.pdq.harm import CARRIED, below_poor, on_sheet, out_of_action
from rules.systems.pdq.recovery import recover, recover_all
from rules.values import BadMove, Value
from rules.wording import join

MOMENTARY, CONTINUING = "momentary", "continuing"
DAMAGE, RECOVERY, ROLL = "damage", "recovery", "roll"

DANGER = Choice(
    name="danger", label="The danger", default="momentary",
    help="When the danger goes on, each player rolls for what comes back.",
    options=(("momentary", "Over: everyone recovers all damage"),
             ("continuing", "Continuing: each rolls 1d6 to recover")),
)


def close_scene(sheets: Sequence[Sheet], danger: str) -> SessionChange:
    """All recover as the danger has it; whoever was out of action can act again (PQ-16, PQ-18)."""
    back = [sheet.name for sheet in sheets if danger != MOMENTARY and not sheet.dead and out_of_action(sheet)]
    over = (Step("PQ-16", f"{join(back)} can act again, but not with what is still below Poor."),) if back else ()
    change = recover_now(sheets, danger)
    return replace(change, steps=(*change.steps, *over))


def recover_now(sheets: Sequence[Sheet], danger: str) -> SessionChange:
    """Momentary danger heals everybody; continuing danger owes each damaged one a recovery roll (PQ-18).

    The dead do not recover (PQ-17).
    """
    damaged = [sheet for sheet in sheets if any(trait.damage for trait in sheet.traits)]
    dead = tuple(Step("PQ-17", f"{sheet.name} is dead and does not recover.") for sheet in damaged if sheet.dead)
    hurt = [sheet for sheet in damaged if not sheet.dead]
    if not hurt:
        return SessionChange((*dead, Step("PQ-18", "Nobody has damage to recover from.")))
    names = join([f"{sheet.name} ({on_sheet(sheet)})" for sheet in hurt])
    if danger == MOMENTARY:
        step = Step("PQ-18", f"The danger is over. All damage recovers: {names}.")
        return SessionChange((step, *dead), tuple(effect for sheet in hurt for effect in recover_all(sheet)))
    step = Step("PQ-18", f"The danger goes on. Each rolls 1d6 for what comes back: {names}.")
    return SessionChange(
        (step, *dead), pending=tuple(NewAllocation(sheet.id, ROLL, 0, "After the scene") for sheet in hurt))


def scene_over(sheet: Sheet) -> tuple[Effect, ...]:
    """What is still below Poor is carried: it puts nobody out of action in the next scene (PQ-16)."""
    carried = len(below_poor(sheet)) - sheet.pool(CARRIED)
    return (Spend(sheet.id, CARRIED, carried),) if carried else ()


def recovered(sheet: Sheet, result: Mapping[str, Value]) -> NewAllocation | None:
    """What a recovery roll gives to place: never more than the damage that there is."""
    rolled = result["recovered"]
    amount = min(rolled if isinstance(rolled, int) else 0, sum(trait.damage for trait in sheet.traits))
    return NewAllocation(sheet.id, RECOVERY, amount, f"The roll gave {rolled}") if amount else None


def place(sheet: Sheet, type: str, amount: int, spread: Mapping[str, int]) -> tuple[Effect, ...]:
    """Damage over any qualities (PQ-16), or recovered ranks where damage is (PQ-18); raises `BadMove`."""
    if type == RECOVERY:
        healed = recover(sheet, amount, spread)
        low = sum(trait.now + spread.get(trait.id, 0) < Rank.POOR for trait in below_poor(sheet))
        fewer = min(0, low - sheet.pool(CARRIED))
        return (*healed, *((Spend(sheet.id, CARRIED, fewer),) if fewer else ()))
    return tuple(Damage(trait_id, ranks) for trait_id, ranks in checked_damage(sheet, amount, spread).items())


def checked_damage(sheet: Sheet, amount: int, spread: Mapping[str, int]) -> dict[str, int]:
    """The spread, if it places exactly the damage, or all that the sheet can hold; raises `BadMove`."""
    to_place = min(amount, capacity(sheet))
    for trait_id, ranks in spread.items():
        trait = sheet.trait(trait_id)
        if trait is None or ranks < 0:
            raise BadMove("Choose among the qualities of this sheet.", trait_id)
        if ranks > can_lose(trait):
            raise BadMove(f"{trait.name} can lose {can_lose(trait)} at most.", trait_id)
    if sum(spread.values()) != to_place:
        raise BadMove(f"Assign {to_place} in all; you have assigned {sum(spread.values())}.")
    return {trait_id: ranks for trait_id, ranks in spread.items() if ranks}


def danger_left(setups: Sequence[Mapping[str, Any]]) -> dict[str, Value]:
    """The danger that the conflicts of a scene leave behind: it goes on where it does after one of them (PQ-18)."""
    said = {str(setup.get("danger", MOMENTARY)) for setup in setups}
    return {"danger": CONTINUING if CONTINUING in said else MOMENTARY} if said else {}


def danger_of(values: Mapping[str, Any]) -> str:
    """The answer to what is asked when a scene closes."""
    return str(values.get("danger", "momentary"))
