"""How a character could go about a circumstance: each feature, with all wounds (PN-02, PN-05)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.approaches import NOTHING, Approach
from rules.modifiers import Modifier
from rules.sheet import Sheet
from rules.system import Settings
from rules.systems.pnc.character import WOUND, rung_of
from rules.systems.pnc.factors import Weight
from rules.systems.pnc.ladder import WORDS
from rules.systems.pnc.reckoning import alone, bearing
from rules.systems.pnc.standard_roll import StandardRoll
from rules.values import Value


def approaches(
    sheet: Sheet, values: Mapping[str, Value], settings: Settings, waiting: Sequence[Modifier] = ()
) -> tuple[Approach, ...]:
    """Every feature of the sheet against the GM's word, and none; `waiting` are circumstances."""
    obstacle = int(WORDS[str(values["rung"])]) if values.get("rung") in WORDS else 0
    more = tuple(Weight(said.amount, said.reason, False) for said in waiting)
    counts, ways = ", ".join([*(wound.name for wound in bearing(sheet)), *(said.reason for said in waiting)]), []
    for feature in (*(line for line in sheet.traits if line.kind != WOUND), None):
        roll = alone(sheet, feature, of_obstacle=obstacle, more=more,
                     open_ended=bool(settings.get("open_ended", True))).roll
        given: dict[str, Value] = {"bonus": roll.bonus, "penalty": roll.penalty, "open_ended": roll.open_ended}
        ways.append(Approach(
            feature.name if feature else NOTHING, rung_of(feature).word if feature else "average", StandardRoll.name,
            given, uses=(feature.id,) if feature else (), lines=(feature.name,) if feature else (), counts=counts,
        ))
    return tuple(ways)
