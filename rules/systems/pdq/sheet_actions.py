"""What can be done with a sheet at any time: what a failure or a fire costs, at the GM’s word (PQ-07, PQ-16)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.engine import check
from rules.fields import REQUIRED, Text, Whole
from rules.moves import Step, take
from rules.procedure import ActResult, Offer
from rules.sheet import NewAllocation, Sheet
from rules.systems.pdq.chart import usable
from rules.systems.pdq.harm import noted, ranks
from rules.values import Value

HARM = "harm"
MOST = 30


def offers(sheet: Sheet) -> tuple[Offer, ...]:
    """The GM may hurt whoever can still be hurt; the player assigns it."""
    if not any(usable(trait) for trait in sheet.traits):
        return ()
    note = "Fire, a fall, what a failure costs: the player assigns the damage."
    return (Offer(HARM, "", "Hurt this character", note, (
        Whole(name="damage", label="Damage", least=1, most=MOST, default=1),
        Text(name="name", label="Cause", default=REQUIRED, most=120, missing="Describe it in a few words."))),)


def act(sheet: Sheet, action: str, given: Mapping[str, Value], faces: Sequence[int]) -> ActResult[Any]:
    """Damage that waits to be placed, and that they were hurt in this scene; raises `BadMove`."""
    take(faces, 0)
    values = check(next(offer for offer in offers(sheet) if offer.action == action), given)
    damage, by = values["damage"], values["name"]
    step = Step("PQ-07", f"{sheet.name} takes {ranks(damage)}: {by}.")
    return ActResult((), (step,), effects=(
        NewAllocation(sheet.id, "damage", damage, by), *noted({sheet.id: sheet}, sheet.id)))
