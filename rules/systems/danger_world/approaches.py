"""How a character could go about a challenge: the two stats with most dice, under best play (DW-02, DW-14)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.approaches import Approach
from rules.sheet import Sheet
from rules.systems.danger_world.challenge import rate
from rules.systems.danger_world.reading import STAT, dice, filled, of_kind
from rules.systems.danger_world.reckoning import Proposal, Reason, terms
from rules.systems.danger_world.track import STUNNED
from rules.values import Value

MOVE, OF = "danger_world.check", "accomplished"


def approaches(sheet: Sheet, values: Mapping[str, Value]) -> tuple[Approach, ...]:
    """The best two stats, with what holds on the sheet and the challenge’s threat dice.

    No danger dice, story points or bonus dice: those are chosen with the roll.
    """
    stats = sorted(of_kind(sheet, STAT), key=lambda stat: -stat.now)[:2]
    if len(stats) < 2:
        return ()
    threat = values.get("threat", 0)
    threats = (Reason(threat, "threat", "Complications", "DW-02"),) if isinstance(threat, int) and threat else ()
    known = terms(sheet, Proposal((stats[0].id, stats[1].id)), rate(int(str(values.get("difficulty", 3))), ()), threats)
    stunned, names = filled(sheet, STUNNED), tuple(stat.name for stat in stats)
    pool: dict[str, Value] = {"action": known.pool.action, "threat": known.pool.threat}
    return (Approach(
        " + ".join(names), dice(known.pool.action), MOVE, {"pool": pool, "difficulty": known.difficulty}, OF,
        lines=names, counts=f"stunned −{stunned}" if stunned else "",
    ),)
