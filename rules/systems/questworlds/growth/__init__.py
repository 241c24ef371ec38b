"""What is done with a sheet between contests: it grows, people come and go, what lasts fades (QW-61, QW-75, QW-81)."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.engine import check, find
from rules.procedure import ActResult, Offer
from rules.sheet import Sheet
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.growth import advances, directed, fading, supporting
from rules.systems.questworlds.growth.fading import faded
from rules.systems.questworlds.growth.improving import Answer
from rules.systems.questworlds.growth.terms import GrowthTerms
from rules.systems.questworlds.traits import lasting
from rules.values import BadMove, Value

__all__ = ["do", "faded", "offers"]

HANDLERS: Mapping[str, Callable[[Sheet, GrowthTerms, Mapping[str, Any]], Answer]] = {
    "advance": advances.advance, "improve": directed.improve, "milestone": directed.milestone, "fade": fading.fade,
    "sidekick": supporting.take_on, "promote": supporting.promote, "retainers": supporting.find,
    "lose": supporting.lose,
}


def offers(sheet: Sheet, settings: Mapping[str, Any], edition: Edition = FIRST) -> tuple[Offer, ...]:
    """What can be done with a sheet between contests."""
    terms, offered = GrowthTerms.of(settings, edition), list[Offer]()
    if sheet.pool("xp") >= terms.cost:
        offered.append(advances.offer(sheet, terms))
    offered.append(directed.improvement(sheet, terms))
    if not terms.by_xp:
        offered.append(directed.milestone_offer())
    if lasting(sheet):
        offered.append(fading.offer(sheet, terms))
    return (*offered, *supporting.offers(sheet, terms))


def do(
    sheet: Sheet, settings: Mapping[str, Any], action: str, given: Mapping[str, Value], edition: Edition = FIRST
) -> ActResult[Any]:
    """What an action on a sheet leads to; raises `BadMove`."""
    offered = offers(sheet, settings, edition)
    offer = find(offered, action, sheet.id) or find(offered, action, "")
    if offer is None:
        raise BadMove("This can’t be done now.", "action")
    steps, effects = HANDLERS[action](sheet, GrowthTerms.of(settings, edition), check(offer, given))
    return ActResult((), tuple(steps), {"action": action}, effects=tuple(effects))
