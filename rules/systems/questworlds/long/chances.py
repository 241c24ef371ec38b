"""The exact chances of one roll of a long contest, whatever it is for: laid as it would be, and counted."""
from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from rules.engine import Forecasts, Handler, Sheets, Values
from rules.odds import chances
from rules.procedure import Offer
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.long.dice import DiceFell, way_of
from rules.systems.questworlds.long.pairs import Returned
from rules.systems.questworlds.long.state import State
from rules.systems.questworlds.long.values import Throw
from rules.systems.questworlds.reckoning import settle
from rules.systems.questworlds.roll import Clash, Known, counted, remembered
from rules.tables import OddsAnswer
from rules.wording import percent

TONES = (("victory", "Victory", "good"), ("tie", "Tie", "fair"), ("defeat", "Defeat", "bad"))
THROWS = 400
OUTCOMES: Known[str] = remembered()  # what pairs of results come to, once seen


def of_round(terms: Terms) -> tuple[tuple[str, Fraction, str], ...]:
    """Victory, tie and defeat of a roll."""
    chance_of = chances(counted(settle(terms, (1, 1)), lambda clash: clash.outcome, OUTCOMES))
    return tuple((label, chance_of.get(word, Fraction(0)), tone) for word, label, tone in TONES)


def look_at_all(state: State, sheets: Sheets) -> None:
    """Their numbers are in the state: who may not know one of them may not know these odds."""
    for contestant in state.contestants:
        sheets.get(contestant.id)


def of_roll(do: Handler[Any]) -> Callable[[Any, Sheets, Offer, Values], Forecasts]:
    """The odds of an act that only rolls: of the dice that it would lay."""
    def odds(state: State, sheets: Sheets, offer: Offer, values: Values) -> Forecasts:
        look_at_all(state, sheets)
        laid = do(state, sheets, offer.by, values, (1, 1))
        throw = Throw(next(event for event in getattr(laid, "events", ()) if isinstance(event, DiceFell)))
        terms, lies = state.terms(throw), throw.thrown
        comes = way_of(state, lies.kind).settle

        def back(clash: Clash) -> bool:
            return any(isinstance(event, Returned) for event in comes(state, sheets, throw, clash)[0])

        facts = []
        if returns := counted(settle(terms, (1, 1)), back, remembered()).get(True, 0):
            who = state.name_of(lies.whom or lies.first)
            facts.append(f"{percent(Fraction(returns, THROWS))} that {who} is back in it.")
        return (("This roll", OddsAnswer(of_round(terms), tuple(facts))),)
    return odds
