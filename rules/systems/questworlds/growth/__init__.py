"""What is done with a sheet between contests: it grows, people come and go, what lasts fades (QW-61, QW-75, QW-81)."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.contests import Offer, Turn
from rules.moves import Outcome
from rules.sheet import Sheet
from rules.systems.questworlds.framed.asked import check_offer
from rules.systems.questworlds.growth import advances, directed, fading, supporting
from rules.systems.questworlds.growth.fading import faded
from rules.systems.questworlds.growth.improving import Answer
from rules.systems.questworlds.traits import lasting
from rules.values import BadMove, Value

__all__ = ["do", "faded", "offers"]

HANDLERS: Mapping[str, Callable[[Sheet, Mapping[str, Any], Mapping[str, Any]], Answer]] = {
    "advance": advances.advance, "improve": directed.improve, "milestone": directed.milestone, "fade": fading.fade,
    "sidekick": supporting.take_on, "promote": supporting.promote, "retainers": supporting.find,
    "lose": supporting.lose,
}


def offers(sheet: Sheet, dials: Mapping[str, Any]) -> tuple[Offer, ...]:
    """What can be done with a sheet between contests."""
    found: list[Offer] = []
    if sheet.pool("xp") >= int(dials["advance"]):
        found.append(advances.offer(sheet, dials))
    found.append(directed.improvement(sheet, dials))
    if dials["growth"] == "milestone":
        found.append(directed.milestone_offer())
    if lasting(sheet):
        found.append(fading.offer(sheet, dials))
    return (*found, *supporting.offers(sheet, dials))


def do(sheet: Sheet, dials: Mapping[str, Any], action: str, given: Mapping[str, Value]) -> Turn[Any]:
    """What a deed leads to; raises `BadMove`."""
    offer = next((each for each in offers(sheet, dials) if each.action == action), None)
    if offer is None:
        raise BadMove("This can't be done now.", "action")
    steps, effects = HANDLERS[action](sheet, dials, check_offer(offer, given))
    return Turn((), Outcome({"action": action}, tuple(steps)), tuple(effects))
