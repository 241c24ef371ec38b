"""How a character could go about a circumstance: each feature, with all wounds (PN-02, PN-05)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.approaches import NOTHING, Approach
from rules.sheet import Sheet
from rules.system import Settings
from rules.systems.pnc.character import WOUND, rung_of
from rules.systems.pnc.ladder import WORDS
from rules.systems.pnc.reckoning import alone, bearing
from rules.systems.pnc.standard_roll import StandardRoll
from rules.values import Value


def approaches(sheet: Sheet, values: Mapping[str, Value], settings: Settings) -> tuple[Approach, ...]:
    """Every feature of the sheet against the GM's word, and none."""
    obstacle = int(WORDS[str(values["rung"])]) if values.get("rung") in WORDS else 0
    wounds, ways = ", ".join(wound.name for wound in bearing(sheet)), []
    for feature in (*(line for line in sheet.traits if line.kind != WOUND), None):
        roll = alone(sheet, feature, of_obstacle=obstacle, open_ended=bool(settings.get("open_ended", True))).roll
        given: dict[str, Value] = {"bonus": roll.bonus, "penalty": roll.penalty, "open_ended": roll.open_ended}
        ways.append(Approach(
            feature.name if feature else NOTHING, rung_of(feature).word if feature else "average", StandardRoll.name,
            given, lines=(feature.name,) if feature else (), counts=wounds,
        ))
    return tuple(ways)
