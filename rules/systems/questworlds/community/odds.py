"""The chances of what somebody asks of a community, before the dice (QW-93, QW-94)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction

from rules.engine import Sheets, check, find
from rules.odds import chances
from rules.procedure import Offer
from rules.systems.questworlds.community import acts
from rules.systems.questworlds.community.offers import offers
from rules.systems.questworlds.community.state import BOLSTER, Request, State
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.resistance import resistance
from rules.tables import OddsAnswer
from rules.values import Value

Forecasts = tuple[tuple[str, OddsAnswer], ...]
TONES = (("victory", "Victory", "good"), ("tie", "Tie", "fair"), ("defeat", "Defeat", "bad"))


def forecast(state: State, sheets: Sheets, by: str, action: str, given: Mapping[str, Value]) -> Forecasts:
    """Of a roll, as it stands; of a request that is being written, against what the GM most likely answers."""
    return of_roll(state, by, action) or _of_request(state, sheets, by, action, given)


def of_roll(state: State, by: str, action: str) -> Forecasts:
    """Of a request that is about to be rolled; nothing of any other act."""
    if action == "roll" and (asked := state.request(by)):
        return (("As it stands", _of(state.terms(asked))),
                ("With a story point", _of(state.terms(replace(asked, point=True)))))
    return ()


def _of_request(state: State, sheets: Sheets, by: str, action: str, given: Mapping[str, Value]) -> Forecasts:
    offer = find(offers(state, sheets), action, by)
    if action not in ("draw", "bolster") or offer is None:
        return ()
    return expected(state, sheets, by, offer, given)


def expected(state: State, sheets: Sheets, by: str, offer: Offer, given: Mapping[str, Value]) -> Forecasts:
    """Of a request that is being written, against what the GM most likely answers."""
    action = offer.action
    made = acts.request(state, sheets, by, action, check(offer, given)).events[0]
    asked = Request(made)  # type: ignore[arg-type]
    found = state.resource(asked.asked.resource)
    rank = found.counts if action == BOLSTER and not found.veiled else 0
    number = resistance(state.held(rank), state.settings.base, state.edition)
    words = "by its rank" if rank else "moderate"
    against = f"Against {notation(number, state.settings.symbol)}, {words}, if the GM leaves it at that"
    return ((against, _of(state.terms(replace(asked, resistance=number)))),)


def _of(terms: Terms) -> OddsAnswer:
    counts: Counter[str] = Counter()
    for ours, theirs, ways in terms.clash((1, 1)).throws():
        counts[terms.clash((ours, theirs)).outcome] += ways
    chance_of = chances(counts)
    return OddsAnswer(tuple((label, chance_of.get(word, Fraction(0)), tone) for word, label, tone in TONES))
