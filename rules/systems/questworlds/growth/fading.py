"""What lasts after a contest fades when the GM says so (QW-61)."""
from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.fields import Choice, text
from rules.moves import Step
from rules.procedure import Offer
from rules.sheet import Lose, Raise, Sheet, Trait
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.growth.improving import Answer
from rules.systems.questworlds.growth.terms import GrowthTerms
from rules.systems.questworlds.older.states import worth, worth_of
from rules.systems.questworlds.traits import STATES, lasting


def offer(sheet: Sheet, terms: GrowthTerms) -> Offer:
    """A consequence or benefit falls by a rank, or goes."""
    options = tuple((t.id, f"{t.name}, {worth_of(t, terms.symbol)}") for t in lasting(sheet))
    how = (("lower", "Lower by a rank"), ("gone", "Remove it"))
    fields = (
        text("line", "Consequence or benefit", needed=True),
        Choice(name="how", label="Change", options=how, default="lower"),
    )
    return Offer("fade", "", "Lower a consequence or benefit", "", fields, {"line": options})


def fade(sheet: Sheet, terms: GrowthTerms, values: Mapping[str, Any]) -> Answer:
    """A consequence or benefit loses a rank, or is over."""
    trait = next(trait for trait in sheet.traits if trait.id == values["line"])
    return faded(sheet, trait, values["how"], terms.symbol, terms.edition)


def faded(sheet: Sheet, trait: Trait, how: str, symbol: str, edition: Edition = FIRST) -> Answer:
    """What fading does to one line."""
    if how == "gone" or trait.value <= 1:
        return [Step("QW-61", f"{sheet.name}: {trait.name} is over.")], [Lose(trait.id)]
    after = worth(trait.kind, trait.value - 1, symbol, edition)
    rank = f"rank {trait.value - 1}, " if trait.kind not in STATES else ""
    return [Step("QW-61", f"{sheet.name}: {trait.name} falls to {rank}{after}.")], [
        Raise(trait.id, -1)
    ]
