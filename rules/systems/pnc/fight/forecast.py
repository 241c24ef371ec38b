"""The exact odds of what somebody is about to do in a fight, before any die falls."""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rules.odds import chances
from rules.sheet import Sheet
from rules.systems.pnc.chances import Forecasts, Spread, spread
from rules.systems.pnc.competition import degree_ways
from rules.systems.pnc.factors import roll_of, weights_of
from rules.systems.pnc.fight.state import Phase, State
from rules.systems.pnc.initiative import ahead
from rules.tables import Reckoned


def forecast(
    state: State, sheets: Mapping[str, Sheet], by: str, action: str, values: Mapping[str, Any]
) -> Forecasts:
    """What it would come to, as (against whom, odds); nothing for an action without dice."""
    match action:
        case "initiative":
            return _initiative(state, by, roll_of(
                weights_of(sheets[by], values, by=by), open_ended=state.settings.open_ended))
        case "attack" | "free_attack":
            target = values["target"] if action == "attack" else state.combatant(by).free_at
            weights = weights_of(sheets[by], values, by=by)
            roll = roll_of(weights, open_ended=state.settings.open_ended)
            return _exchange(f"{state.combatant(target).name}, before they say what helps them", spread(roll))
        case "defend" if state.attack:
            own = weights_of(sheets[by], values, by=by, against=True)
            roll = roll_of((*state.attack.weights, *own), open_ended=state.attack.open_ended)
            return _exchange(f"The attack by {state.combatant(state.attack.by).name}", spread(roll))
    return ()


def now(state: State) -> Forecasts:
    """The odds of the attack under way, with all that has fallen; and of rolling each part again."""
    attack = state.attack
    if attack is None:
        return ()
    by, foe = state.combatant(attack.by).name, state.combatant(attack.target).name
    match state.phase:
        case Phase.DEFENCE:
            return _exchange(f"As it stands: {attack.button}", spread(attack.roll))
        case Phase.STRIKE:
            return _exchange(f"{by}’s d20 against {attack.d6}", spread(attack.roll, d6=attack.d6))
        case Phase.SECOND_THOUGHTS:
            return (
                *_exchange(f"If {by} rolls the d20 again", spread(attack.roll, d6=attack.d6)),
                *_exchange(f"If {foe} rolls the {attack.roll.dice}d6 again",
                           spread(attack.roll, d20=(attack.first, attack.second))),
            )
    return ()


def _exchange(against: str, found: Spread) -> Forecasts:
    return ((against, Reckoned(found.as_attack())),)


def _initiative(state: State, by: str, roll: Any) -> Forecasts:
    """The chance to act before all others, whose dice may have fallen."""
    others = []
    for each in state.able:
        if each.id == by:
            continue
        fallen = each.dice is not None or each.placed
        own = {each.score: Fraction(1)} if fallen else chances(
            degree_ways(roll_of(each.weights, open_ended=state.settings.open_ended)))
        others.append(own)
    if not others or state.settings.initiative == "d6":
        return ()
    first = ahead(chances(degree_ways(roll)), others)
    return (("Acting first", Reckoned((("First", first, "good"), ("Later, or together", 1 - first, "bad")))),)
