"""Placing ranks, helpless foes, and the GM's rulings (PS-30 to PS-32)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Step
from rules.sheet import Effect, SetDead, Sheet
from rules.systems.pdq_sharp import harm
from rules.systems.pdq_sharp.duel.events import (
    BroughtBack,
    Ended,
    Event,
    HarmRuled,
    KillAnnounced,
    KillAnswered,
    Rearmed,
    Result,
    Suffered,
    TakenOut,
)
from rules.systems.pdq_sharp.duel.setup import FALLS, FEWEST_MINIONS
from rules.systems.pdq_sharp.duel.state import BROKEN, FALLEN, LEFT, Fencer, State, Wound
from rules.systems.pdq_sharp.duel.trays import Sheets
from rules.systems.pdq_sharp.reading import absorbing, can_lose, capacity, squad
from rules.values import BadMove
from rules.wording import alone, quoted

Values = Mapping[str, Any]


def place(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """Ranks over fortes, as the player likes; where nothing is said, where they hurt least (PS-30)."""
    wound = next(each for each in state.wounds if each.who == by)
    spread = values["spread"] or easiest(sheets[by], state.fencer(by), wound.amount)
    return suffered(state, sheets[by], wound, spread, values["first"])


def place_npcs(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The ranks of all NPCs, where they hurt least."""
    events: tuple[Event, ...] = ()
    steps: tuple[Step, ...] = ()
    effects: tuple[Effect, ...] = ()
    for fencer in hurt_npcs(state):
        wound = next(each for each in state.wounds if each.who == fencer.id)
        found = suffered(state, sheets[fencer.id], wound, easiest(sheets[fencer.id], fencer, wound.amount))
        events, steps, effects = events + found.events, steps + found.steps, effects + found.effects
    return Result(events, steps, effects=effects)


def hurt_npcs(state: State) -> tuple[Fencer, ...]:
    """The NPCs who have ranks to place."""
    return tuple(each for each in state.fencers if not each.player and state.wound_of(each.id))


def suffered(state: State, sheet: Sheet, wound: Wound, spread: Mapping[str, int], first: str = "") -> Result:
    """What placing so leads to; raises `BadMove` (PS-25, PS-30, PS-31)."""
    try:
        done = harm.take(sheet, wound.amount, spread, wound.kind, first=first, fall=FALLS[state.settings.conflict],
                         why=wound.why)
    except BadMove as bad:
        raise bad.inside("spread") from None
    out = FALLEN if done.falls else ""
    steps = done.steps
    minions = squad(sheet)
    if minions and capacity(sheet) - sum(spread.values()) < FEWEST_MINIONS:
        out = BROKEN
        steps += (Step("PS-25", f"{sheet.name} is no squad any more."),)
    losses = tuple(sorted((trait, lost) for trait, lost in spread.items() if lost))
    return Result((Suffered(sheet.id, losses, out),), steps, {"placed": sum(spread.values()), "out": out},
                  effects=done.effects)


def easiest(sheet: Sheet, fencer: Fencer, amount: int) -> dict[str, int]:
    """A spread that hurts least: on fortes that do not count first, and on none to its end while another has room."""
    room = sorted(absorbing(sheet), key=lambda each: (each.id in fencer.fortes, -can_lose(each)))
    left, spread = min(amount, capacity(sheet)), {each.id: 0 for each in room}
    for spare in (1, 0):
        for each in room:
            more = min(left, max(0, can_lose(each) - spare - spread[each.id]))
            spread[each.id] += more
            left -= more
    return {trait: lost for trait, lost in spread.items() if lost}


def helpless(state: State, by: Fencer) -> tuple[Fencer, ...]:
    """Whom somebody could kill: foes at their mercy, where it is fought with blades (PS-32)."""
    if state.settings.conflict != "physical":
        return ()
    return tuple(each for each in state.fencers if each.helpless and each.side != by.side)


def kill(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """A statement, and it is asked again before it is so (PS-32)."""
    target = state.fencer(values["target"])
    text = f"{state.fencer(by).name} means to kill {target.name}, who is helpless{quoted(values['words'])}"
    return Result((KillAnnounced(by, target.id),), (Step("PS-32", text),))


def confirm_kill(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It is so."""
    target = state.fencer(state.coup[1])
    step = Step("PS-32", f"{state.fencer(by).name} kills {target.name}.")
    return Result((KillAnswered(True),), (step,), {"killed": target.id}, effects=(SetDead(target.id),))


def spare(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """On second thought, no."""
    step = Step("PS-32", f"{state.fencer(by).name} lets {state.fencer(state.coup[1]).name} live.")
    return Result((KillAnswered(False),), (step,))


def end(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """It ends here: whoever lies there lives, or the GM says that it is over."""
    winner = state.sides_standing[0] if state.decided and state.sides_standing else ""
    steps = (Step("PS-23", f"The duel ends here{quoted(values['words'])}"),
             *((Step("PS-31", f"{alone(winner)}."),) if winner else ()))
    return Result((Ended(winner, values["words"]),), steps)


def take_out(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says that somebody is out of it: gone, carried off, bound."""
    text = f"{state.fencer(values['whom']).name} is out of the duel{quoted(values['words'])}"
    return Result((TakenOut(values["whom"], LEFT),), (Step("PS-23", text),))


def bring_back(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says that somebody is in it again."""
    text = f"{state.fencer(values['whom']).name} is in the duel again{quoted(values['words'])}"
    return Result((BroughtBack(values["whom"]),), (Step("PS-23", text),))


def rearm(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says that somebody has a weapon, or needs none (PS-27)."""
    text = f"{state.fencer(values['whom']).name} fences on{quoted(values['words'])}"
    return Result((Rearmed(values["whom"]),), (Step("PS-27", text),))


def rule_harm(state: State, sheets: Sheets, by: str, values: Values, faces: Sequence[int]) -> Result:
    """The GM says what damage is from now on (PS-30)."""
    text = f"Damage means {values['harm']} ranks from now on."
    return Result((HarmRuled(values["harm"]),), (Step("PS-30", text),))
