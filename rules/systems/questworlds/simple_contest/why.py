"""Why somebody rolls against what they do, as players know the contest (QW-02, QW-21, QW-60)."""
from __future__ import annotations

from collections.abc import Iterator

from rules.engine import Sheets, Values
from rules.procedure import Offer
from rules.sheet import Sheet
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.origins import (
    BY_VALUE,
    ON_THE_GMS_WORD,
    TO_THE_PLAYER,
    counted_parts,
    left_out,
    rating,
    unfit,
)
from rules.systems.questworlds.simple_contest.state import State
from rules.why import Part, Why


def why(state: State, sheets: Sheets, offer: Offer, values: Values) -> Why | None:
    """The ability with its keyword and its masteries, what lasts and counts, what stands against it, the house rules
    that bear on it; and what could count and does not. None for the GM's acts, who has all of them before them."""
    if offer.by not in sheets or state.entrant(offer.by).chosen is None:
        return None
    if foe := state.foe_sheet(offer.by):
        sheets.get(foe)  # what an NPC is rolled against with counts: who may not know it may not know this
    known, sheet, symbol = state.unannounced, sheets[offer.by], state.settings.symbol
    score = known.terms(sheet.id).score
    parts = (*_used(known, sheet), *counted_parts(known.lines(sheet.id), score, symbol), *_against(known, sheet.id))
    idle = left_out(sheet, known.counted(sheet.id), symbol, known.edition)
    return Why(notation(score, symbol), parts, tuple(idle))


def _used(state: State, sheet: Sheet) -> Iterator[Part]:
    """What is used: an ability, two that are put together, one that is made up for it, or none."""
    symbol, chosen, score = state.settings.symbol, state.entrant(sheet.id).chosen, state.score(sheet.id)
    lines = [trait for id_ in state.used(sheet.id) if (trait := sheet.trait(id_))]
    if score is None or chosen is None:
        yield unfit(state.edition, symbol)
    elif len(lines) == 1 and chosen.second_score is None:
        yield rating(sheet, lines[0], symbol)
    else:
        yield Part(notation(score, symbol), " with ".join(trait.name for trait in lines) or chosen.name)


def _against(state: State, who: str) -> Iterator[Part]:
    """What stands against one, and what this campaign has otherwise than the rules, where it bears on this roll."""
    symbol, against = state.settings.symbol, state.against(who)
    if rival := state.rival(who):
        yield Part(notation(state.terms(rival.id).score, symbol), f"Against {rival.name}")
    elif against:
        yield Part(notation(against.resistance, symbol), f"Against {against.name}", against.told or ON_THE_GMS_WORD)
    if state.settings.by_value and len(state.lines(who)) > 1:
        yield BY_VALUE
    if against.tie_to_player if against else state.settings.tie_to_player:
        yield TO_THE_PLAYER
