"""How a character could go about a challenge: the two stats with most dice, under best play (DW-02, DW-14)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.approaches import Approach
from rules.sheet import Sheet
from rules.systems.danger_world.reading import STAT, dice, filled, of_kind
from rules.systems.danger_world.track import BASHED, STUNNED
from rules.values import Value

MOVE, OF = "danger_world.check", "accomplished"


def approaches(sheet: Sheet, values: Mapping[str, Value]) -> tuple[Approach, ...]:
    """The best two stats; fewer action dice for stunned boxes, threat dice for bashed ones and complications.

    No danger dice, story points or bonus dice: those are chosen with the roll.
    """
    stats = sorted(of_kind(sheet, STAT), key=lambda each: -each.now)[:2]
    if len(stats) < 2:
        return ()
    stunned, bashed, more = filled(sheet, STUNNED), filled(sheet, BASHED), values.get("threat", 0)
    action = max(0, sum(each.now for each in stats) - stunned)
    pool: dict[str, Value] = {"action": action, "threat": bashed + (more if isinstance(more, int) else 0)}
    names = tuple(each.name for each in stats)
    return (Approach(
        " + ".join(names), dice(action), MOVE, {"pool": pool, "difficulty": int(str(values.get("difficulty", 3)))}, OF,
        lines=names, counts=f"stunned −{stunned}" if stunned else "",
    ),)
