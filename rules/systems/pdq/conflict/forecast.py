"""The exact odds of what somebody is about to do in a conflict, before any die falls (PQ-21)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from typing import Any

from rules.sheet import Sheet
from rules.systems.pdq.attack import Strike
from rules.systems.pdq.chart import Rank
from rules.systems.pdq.conflict.acts import takes_out
from rules.systems.pdq.conflict.events import Attacked, Defended
from rules.systems.pdq.conflict.evolve import evolve
from rules.systems.pdq.conflict.sides import (
    Sheets,
    action_shifts,
    attack_shifts,
    defence_shifts,
    grant_shifts,
    leading,
    side,
    stepping_in,
    strikes,
    team,
)
from rules.systems.pdq.conflict.state import KILL, Applied, Reaction, State
from rules.systems.pdq.roll import shifts_of
from rules.systems.pdq.tables import exchange, success
from rules.systems.pdq.traits import capacity, rank_of, usable
from rules.tables import OddsAnswer
from rules.wording import decimal

Forecasts = tuple[tuple[str, OddsAnswer], ...]


def forecast(state: State, sheets: Sheets, by: str, action: str, values: Mapping[str, Any]) -> Forecasts:
    """What it would come to, as (against whom, odds); nothing for an action without dice. Raises `BadMove`."""
    match action:
        case "attack":
            return _attack(state, sheets, by, values)
        case "defend":
            return _defend(state, sheets, by, values)
        case "take_damage":
            return _placed(state, sheets, by, values["spread"])
        case "act" if values["difficulty"] is not None:
            return _act(state, sheets, by, values)
    return ()


def _attack(state: State, sheets: Sheets, by: str, values: Mapping[str, Any]) -> Forecasts:
    """Against each target's best quality: which one a target will use is not known yet."""
    qualities, _ = team(state, by, values)
    shifts = (*attack_shifts(state.contestant(by), values["strategy"], len(values["targets"])),
              *shifts_of(values["lines"]))
    event = Attacked(by, values["targets"], qualities, leading(values), shifts, values.get("weapon", False),
                     values["strategy"], values["helpers"], values["words"])
    after = reduce(evolve, (*stepping_in(state, by), event), state)
    if after.attack is None:
        return ()
    best = {target: _best(sheets[target]) for target in values["targets"]}
    reactions = tuple(
        Reaction(target, tuple(Applied(target, trait) for trait, _ in best[target]),
                 shifts=defence_shifts(state.contestant(target)))
        for target in values["targets"]
    )
    return tuple(
        (f"{state.contestant(reaction.by).name}, {_reacting(best[reaction.by])}", _reckon(move))
        for reaction, move in strikes(after, sheets, replace(after.attack, reactions=reactions))
    )


def _defend(state: State, sheets: Sheets, by: str, values: Mapping[str, Any]) -> Forecasts:
    """This target's part of the attack, exactly as it stands."""
    if state.attack is None:
        return ()
    shifts = (*defence_shifts(state.contestant(by)), *shifts_of(values["lines"]))
    applied = tuple(Applied(by, trait) for trait in values["qualities"])
    event = Defended(by, applied, leading(values), shifts, bool(values.get("weakness", "")), values["words"])
    reaction = Reaction(by, event.qualities, event.lead, event.shifts, event.weakness)
    alone = replace(state.attack, targets=(by,), reactions=(reaction,))
    attacker = sheets[state.attack.by].name
    return tuple((f"The attack by {attacker}", _reckon(move)) for _, move in strikes(state, sheets, alone))


def _act(state: State, sheets: Sheets, by: str, values: Mapping[str, Any]) -> Forecasts:
    qualities, _ = team(state, by, values)
    shifts = (*action_shifts(values["strategy"]), *shifts_of(values["lines"]), *grant_shifts(state.contestant(by)))
    own, difficulty = side(sheets, qualities, leading(values), shifts), values["difficulty"]
    target = difficulty.target if isinstance(difficulty, Rank) else difficulty
    chance = success(own.modifier, target, own.dice) if own.dice else success(0, 99)
    return ((f"Against {target}", OddsAnswer((("Success", chance, "good"), ("Failure", 1 - chance, "bad")))),)


def _placed(state: State, sheets: Sheets, by: str, spread: Mapping[str, int]) -> Forecasts:
    """What placing damage so comes to: no dice fall for it (PQ-16)."""
    wound, sheet = state.wound_of(by), sheets[by]
    if wound is None:
        return ()
    open_ = min(wound.amount, capacity(sheet)) - sum(spread.values())
    if takes_out(sheet, wound.amount, spread):
        dies = state.settings.killing == "asked" and state.contestant(wound.by).intent == KILL
        text = f"This {'kills' if dies else 'takes'} {sheet.name}{'' if dies else ' out of action'}"
    else:
        text = f"{sheet.name} stays in action"
    still = f", with {open_} still to place" if open_ > 0 else f": {-open_} too many" if open_ < 0 else ""
    return ((f"{text}{still}", OddsAnswer(())),)


def _reckon(move: Strike) -> OddsAnswer:
    found = exchange(move)
    facts = [f"{decimal(found.mean_damage)} damage on average when it hits"] if found.mean_damage else []
    if move.attacker.fails:
        facts.append("The attack fails without a roll: a downshift goes below Poor")
    elif move.defender.fails and not move.static_defence:
        facts.append("The reaction counts 0 and the whole attack hits: a downshift goes below Poor")
    outcomes = (("Hit", found.higher, "good"), ("Tie", found.tie, "fair"), ("Miss", found.lower, "bad"))
    return OddsAnswer(outcomes, tuple(facts))


def _best(sheet: Sheet) -> tuple[tuple[str, str], ...]:
    """The highest quality that a target could react with: its id, and name with rank."""
    ranked = [trait for trait in sheet.traits if usable(trait)]
    if not ranked:
        return ()
    trait = max(ranked, key=lambda each: each.now)
    return ((trait.id, f"{trait.name}, {rank_of(trait).notation}"),) if trait.now > Rank.AVERAGE else ()


def _reacting(best: tuple[tuple[str, str], ...]) -> str:
    return f"reacting with {best[0][1]}" if best else "reacting with nothing better than average"
