"""How a character could go about a circumstance: each feature, with all wounds (PN-02, PN-05)."""
from __future__ import annotations

from collections.abc import Mapping

from rules.approaches import NOTHING, Approach
from rules.sheet import Sheet
from rules.system import Settings
from rules.systems.pnc.character import WOUND, rung_of
from rules.systems.pnc.ladder import WORDS
from rules.systems.pnc.standard_roll import StandardRoll
from rules.values import Value


def approaches(sheet: Sheet, values: Mapping[str, Value], settings: Settings) -> tuple[Approach, ...]:
    """Every feature of the sheet against the GM's word, and none."""
    wounds = [each for each in sheet.traits if each.kind == WOUND and rung_of(each) < 0]
    always = [int(WORDS[str(values["rung"])])] if values.get("rung") in WORDS else []
    always += [int(rung_of(each)) for each in wounds]
    found = []
    for feature in (*(each for each in sheet.traits if each.kind != WOUND), None):
        counts = [*always, *([int(rung_of(feature))] if feature else [])]
        given: dict[str, Value] = {
            "bonus": sum(each for each in counts if each > 0), "penalty": -sum(each for each in counts if each < 0),
            "open_ended": bool(settings.get("open_ended", True)),
        }
        found.append(Approach(
            feature.name if feature else NOTHING, rung_of(feature).word if feature else "average", StandardRoll.name,
            given, lines=(feature.name,) if feature else (), counts=", ".join(each.name for each in wounds),
        ))
    return tuple(found)
