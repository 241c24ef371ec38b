"""The chances before a resource is asked for, used or tested (QW-A9)."""
from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from fractions import Fraction

from rules.engine import Sheets, check, find
from rules.odds import chances
from rules.systems.questworlds.community.odds import TONES, Forecasts, expected, of_roll
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.by_degree import AUGMENTS
from rules.systems.questworlds.older.degrees import degree_of, in_words, outcome_of
from rules.systems.questworlds.older.resources.acts import resisted, terms_of, worn
from rules.systems.questworlds.older.resources.offers import offers
from rules.systems.questworlds.older.resources.state import State
from rules.systems.questworlds.older.resources.tables import DEPLETION
from rules.tables import OddsAnswer
from rules.values import Value
from rules.wording import percent


def forecast(state: State, sheets: Sheets, by: str, action: str, given: Mapping[str, Value]) -> Forecasts:
    """Of a use with what each degree takes, of the tests of an interval, and of lobbying."""
    offer = find(tuple(offers(state, sheets)), action, by)
    if offer is None:
        return ()
    if action == "lobby":
        return expected(state.lobby, sheets, by, offer, given)
    if action in ("background", "crisis"):
        tested = state.resources if action == "background" else worn(state)
        return tuple((each.name, _of(terms_of(each, state.average, counts=action == "crisis"))) for each in tested)
    if action not in ("use", "augment"):
        return of_roll(state.lobby, by, action)
    values = check(offer, given)
    found, number = state.resources[int(values["resource"])], resisted(state, values)
    against = f"{found.name} against {notation(number, state.symbol)}"
    return ((against, _of(terms_of(found, number, counts=True), action, state.symbol)),)


def _of(terms: Terms, action: str = "", symbol: str = "M") -> OddsAnswer:
    counts: Counter[int] = Counter()
    for ours, theirs, ways in terms.clash((1, 1)).throws():
        counts[degree_of(terms.clash((ours, theirs)))] += ways
    chance_of = chances(counts)
    table: list[tuple[str, ...]] = []
    if action:
        table.append(("", "Chance", "It loses", *(["Adds"] if action == "augment" else [])))
    for degree in sorted(chance_of, reverse=True) if action else ():
        adds = [signed(AUGMENTS[degree], symbol) if AUGMENTS[degree] else "0"] if action == "augment" else []
        table.append((in_words(degree).capitalize(), percent(chance_of[degree]), str(-DEPLETION[degree]), *adds))
    return OddsAnswer(tuple(
        (label, sum((likely for degree, likely in chance_of.items() if outcome_of(degree) == word), Fraction(0)), tone)
        for word, label, tone in TONES), (), tuple(table))
