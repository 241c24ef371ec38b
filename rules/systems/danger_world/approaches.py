"""How a character could go about a challenge: any two stats, under best play (DW-02, DW-14)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Any

from rules.approaches import Approach
from rules.modifiers import Modifier
from rules.procedure import CampaignContext
from rules.sheet import Sheet
from rules.systems.danger_world.challenge import rate
from rules.systems.danger_world.reading import ASPECTS, BONUS, POINTS, STAT, dice, filled, of_kind
from rules.systems.danger_world.reckoning import Invoked, Proposal, Reason, terms
from rules.systems.danger_world.table.challenges import first_threats, left_at, reasons_for
from rules.systems.danger_world.table.state import ThreatLeft
from rules.systems.danger_world.track import STUNNED
from rules.values import Value
from rules.wording import join

MOVE, OF = "danger_world.check", "accomplished"


def approaches(
    sheet: Sheet, values: Mapping[str, Value], waiting: Sequence[Modifier] = ()
) -> tuple[Approach, ...]:
    """Every two stats, the highest first, with what holds on the sheet and the challenge’s threat dice.

    No danger dice: those are chosen with the roll. Bonus dice and a story point where it is asked what they would do.
    """
    stats = sorted(of_kind(sheet, STAT), key=lambda stat: -stat.now)
    pairs = sorted(combinations(stats, 2), key=lambda pair: -(pair[0].now + pair[1].now))
    threats = _threats(sheet, values)
    rated, stunned = rate(int(str(values.get("difficulty", 3))), ()), filled(sheet, STUNNED)
    bonus, invoked, more = _more(sheet, {said.kind for said in waiting})
    ways = []
    for first, second in pairs:
        known = terms(sheet, Proposal((first.id, second.id), bonus, invoked), rated, threats)
        threat = [dice(known.pool.threat, "threat")] if known.pool.threat else []
        counts = join([*([f"stunned −{stunned}"] if stunned else []), *threat, *more], "")
        pool: dict[str, Value] = {"action": known.pool.action, "threat": known.pool.threat}
        ways.append(Approach(
            f"{first.name} + {second.name}", dice(known.pool.action), MOVE,
            {"pool": pool, "difficulty": known.difficulty}, OF, uses=(first.id, second.id),
            lines=(first.name, second.name), counts=counts,
        ))
    return tuple(ways)


def as_it_stands(name: str, context: CampaignContext) -> Mapping[str, Value]:
    """By its name a challenge is known: what waits for somebody there, and the threat dice that were left on it."""
    left: list[Value] = [{"challenge": threat.challenge, "dice": threat.dice, "why": threat.why}
                         for threat in left_at(context, name)]
    return {"name": name, **({"left": left} if left else {})}


def _threats(sheet: Sheet, values: Mapping[str, Any]) -> tuple[Reason, ...]:
    """The threat dice of a check at this challenge: the GM's, and what waits there."""
    name, threat = str(values.get("name", "")), int(values.get("threat", 0))
    return reasons_for(name, first_threats(sheet, name, threat), (
        ThreatLeft(**line) for line in values.get("left", ())))


def _more(sheet: Sheet, asked: set[str]) -> tuple[tuple[str, ...], tuple[Invoked, ...], list[str]]:
    """Bonus dice and a story point on an aspect, where they are asked for and there are any; and their words."""
    held = of_kind(sheet, BONUS) if "bonus" in asked else ()
    aspects = of_kind(sheet, ASPECTS[0]) if "points" in asked and sheet.pool(POINTS) else ()
    words = [f"with {bonus.name}" for bonus in held] + [f"a story point on {aspect.name}" for aspect in aspects[:1]]
    return tuple(bonus.id for bonus in held), tuple(Invoked(aspect.id, 1) for aspect in aspects[:1]), words
