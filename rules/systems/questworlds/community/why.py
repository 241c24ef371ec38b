"""Why somebody who goes to the community, or a resource, is rolled with what it is (QW-02, QW-60, QW-93, QW-A9)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.engine import Sheets, Values
from rules.procedure import Offer
from rules.sheet import Sheet, Trait
from rules.systems.questworlds.community.state import Lobbied, OpenRequest, ScoredState
from rules.systems.questworlds.contest import Terms
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.older.states import worth_of
from rules.systems.questworlds.origins import ON_THE_GMS_WORD, TO_THE_PLAYER, counted_parts, left_out, rating, unfit
from rules.systems.questworlds.resistance import resistance_of
from rules.why import ON_THE_SHEET, Part, Why


def of_request(
    state: Lobbied, sheet: Sheet, request: OpenRequest, terms: Terms, source: str, lines: Sequence[Trait] = ()
) -> Why:
    """A request with its ability, what counts with it, and the resistance, of which `source` says whose word it is.
    `lines` are those that are ticked while it is written; then what lasts and is not ticked is told too."""
    symbol, asked, trait = state.symbol, request.asked, sheet.trait(request.asked.trait)
    used = rating(sheet, trait, symbol) if trait else unfit(state.edition, symbol)
    together = (Part(signed(asked.modifier, symbol), asked.why, "said in the request"),) if asked.modifier else ()
    one_by_one = tuple(Part(worth_of(line, symbol, state.edition), line.name, ON_THE_SHEET, line.id, lasts=True)
                       for line in lines)
    masteries = counted_parts((), terms.score, symbol)
    against = Part(notation(terms.resistance, symbol), f"Against {state.settings.name}", source)
    house = (TO_THE_PLAYER,) if state.settings.tie_to_player else ()
    idle = left_out(sheet, {line.id for line in lines}, symbol, state.edition) if request.resistance is None else ()
    return Why(notation(terms.score, symbol), (used, *(one_by_one or together), *masteries, against, *house),
               tuple(part for part in idle if part.line))


def why_roll(state: Lobbied, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """What a request is rolled with, against what the GM answered."""
    request = state.request(offer.by)
    return of_request(state, sheets[offer.by], request, state.terms(request), ON_THE_GMS_WORD) if request else None


def why_use(state: ScoredState, sheets: Sheets, offer: Offer, values: Values) -> Why:
    """A resource with what it has gained or lost for now, against what the GM says (QW-A9)."""
    resource, symbol = state.chosen(values["resource"]), state.symbol
    number, words = resistance_of(values["resistance"], state.settings.base, symbol)
    score = resource.score + resource.total
    gained = (Part(signed(resource.total, symbol), "Gained or lost for now", "until the interval ends"),)
    return Why(notation(score, symbol), (
        Part(notation(resource.score, symbol), resource.name, "the community’s"), *(gained if resource.total else ()),
        *counted_parts((), score, symbol), Part(notation(number, symbol), "Against the resistance", words)))
