"""The exact odds of what somebody is about to do in a fight, before any die falls."""
from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rules.odds import chances
from rules.sheet import Sheet
from rules.systems.pnc.competition import degree_ways
from rules.systems.pnc.factors import roll_of, weights_of
from rules.systems.pnc.fight.state import State
from rules.systems.pnc.initiative import ahead
from rules.systems.pnc.roll_odds import Forecasts, exchange, spread
from rules.tables import OddsAnswer


def forecast(
    state: State, sheets: Mapping[str, Sheet], by: str, action: str, values: Mapping[str, Any]
) -> Forecasts:
    """What it would come to, as (against whom, odds); nothing for an action without dice."""
    match action:
        case "initiative":
            return _initiative(state, sheets, by, roll_of(
                weights_of(sheets[by], values, by=by), open_ended=state.settings.open_ended))
        case "attack" | "free_attack":
            target = values["target"] if action == "attack" else state.combatant(by).free_at
            weights = weights_of(sheets[by], values, by=by)
            roll = roll_of(weights, open_ended=state.settings.open_ended)
            return exchange(f"{state.combatant(target).name}, before they say what helps them", spread(roll))
        case "defend" if state.attack:
            own = weights_of(sheets[by], values, by=by, against=True)
            roll = roll_of((*state.attack.weights, *own), open_ended=state.attack.open_ended)
            whose = f"{sheets[state.attack.by].name}’s roll"
            return exchange(whose, spread(roll), harmless=state.settings.opposed)
        case "weigh" if state.attack:
            own = weights_of(sheets[by], values, by=by)
            roll = roll_of((*state.attack.weights, *own), open_ended=state.attack.open_ended)
            return exchange("With that", spread(roll), harmless=True)
    return ()


def _initiative(state: State, sheets: Mapping[str, Sheet], by: str, roll: Any) -> Forecasts:
    """The chance to act before all others, whose dice may have fallen."""
    if state.settings.initiative == "d6":
        return ()
    others = []
    for each in state.able:
        if each.id == by:
            continue
        if not each.dice:
            sheets[each.id]  # its factors count: who may not know them may not know these odds
        own = {each.score: Fraction(1)} if each.dice else chances(
            degree_ways(roll_of(each.weights, open_ended=state.settings.open_ended)))
        others.append(own)
    if not others:
        return ()
    first = ahead(chances(degree_ways(roll)), others)
    return (("Acting first", OddsAnswer((("First", first, "good"), ("Later, or together", 1 - first, "bad")))),)
