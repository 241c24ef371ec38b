"""How a character could go about a resistance: each ability, with what lasts and touches it (QW-06, QW-60)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.approaches import NOTHING, Approach
from rules.modifiers import Modifier
from rules.sheet import Sheet
from rules.systems.questworlds.edition import Edition
from rules.systems.questworlds.notation import notation
from rules.systems.questworlds.older.options import DEGREES, turned_on
from rules.systems.questworlds.reckoning import Modifier as Line
from rules.systems.questworlds.reckoning import Party, binding, counting, terms, told, uses
from rules.systems.questworlds.resistance import resistance_of
from rules.systems.questworlds.settings import stacks_by_value, ties_to_player
from rules.systems.questworlds.traits import score_of, usable

MOVE, OF, WINS = "questworlds.contest", "outcome", ("victory",)
STRETCH, AUGMENT = "stretch", "augment"


def approaches(
    sheet: Sheet, written: str, settings: Mapping[str, Any], symbol: str, edition: Edition,
    waiting: Sequence[Modifier] = (),
) -> tuple[Approach, ...]:
    """Every ability against what a GM wrote as a resistance, and none; a tie is nobody’s unless the campaign says so.

    What lasts counts where it touches the ability, as it does in the tray; `waiting` is a stretch or an augment.
    """
    against, _ = resistance_of(written, int(settings["base"]), symbol, edition)
    by_value, older = stacks_by_value(settings), turned_on(settings)
    said = tuple(Line(sheet.id, more.kind, more.reason, more.amount) for more in waiting)
    stretched = any(more.kind == STRETCH for more in waiting)
    ways = []
    for ability in (*usable(sheet), None):
        score = score_of(ability, sheet) if ability else None
        bound = (*binding(sheet, [ability] if ability else [], by_value, edition), *said)
        roll = terms(Party(score, uses(ability), bound, stretch=stretched), Party(against),
                     tie_to_player=ties_to_player(settings), degrees=DEGREES in older, edition=edition)
        counts = counting(bound, uses(ability), edition)
        ways.append(Approach(
            ability.name if ability else NOTHING,
            notation(edition.resolution.no_ability if score is None else score, symbol),
            MOVE, roll.given(), OF, WINS, (ability.id,) if ability else (), (ability.name,) if ability else (),
            against=notation(against, symbol),
            counts=", ".join(f"{line.label} {told(line, symbol)}" for line in counts),
        ))
    return tuple(ways)
