"""How a character could go about a resistance: each ability, with what lasts and touches it (QW-06, QW-60)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.approaches import NOTHING, Approach
from rules.sheet import Sheet
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.notation import notation, signed
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.traits import lasting, score_of, together, touches, usable
from rules.values import Value

MOVE, OF, WINS = "questworlds.contest", "outcome", ("victory",)


def approaches(
    sheet: Sheet, written: str, settings: Mapping[str, Any], symbol: str, edition: Edition
) -> tuple[Approach, ...]:
    """Every ability against what a GM wrote as a resistance, and none; a tie is no victory.

    What lasts counts where it touches the ability, as it stands ready in the tray.
    """
    against, _ = resistance_of(written, int(settings["base"]), symbol, edition)
    found = []
    for ability in (*usable(sheet), None):
        counting = [each for each in lasting(sheet) if ability and touches(each, ability, sheet)]
        amount = together(counting, settings.get("stacking") == "value", edition)
        score = score_of(ability, sheet) if ability else None
        given: dict[str, Value] = {"resistance": against, "modifiers": [amount] if amount else []}
        given |= {"ability": score} if score is not None else {}
        found.append(Approach(
            ability.name if ability else NOTHING,
            notation(edition.resolution.no_ability if score is None else score, symbol),
            MOVE, given, OF, WINS, lines=(ability.name,) if ability else (),
            against=notation(against, symbol),
            counts=f"{', '.join(each.name for each in counting)} {signed(amount, symbol)}" if amount else "",
        ))
    return tuple(found)
