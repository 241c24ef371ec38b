"""Hester the ferrywoman and what a deed does to her sheet, for the tests of growth."""
from __future__ import annotations

from typing import Any

from rules.sheet import Sheet, Trait
from rules.systems.questworlds import growth
from rules.systems.questworlds.system import QuestWorlds

UMBRELLA = QuestWorlds().read_settings({})
PACKAGE = {**UMBRELLA, "keywords": "package"}
MILESTONES = {**UMBRELLA, "growth": "milestone"}

HESTER = Sheet("h", "Hester", (
    Trait("c", "characteristic", "Dogged", 17), Trait("k", "keyword", "Ferrywoman", 17),
    Trait("b", "breakout", "River weather", 3, parent="k"), Trait("a", "ability", "Boathook", 13),
    Trait("p", "patron", "The lock-keeper", 13), Trait("r", "retainer", "Two oarsmen", 14),
    Trait("f", "flaw", "Owes the toll", 17), Trait("d", "dependent", "Her nephew Pim", 17),
    Trait("e", "flaw", "Bound by the guild", 13, parent="k"),
), (("xp", 12),))
WREN = Sheet("h", "Hester", (
    Trait("s", "sidekick", "Old Wren", 0), Trait("s1", "sidekick_ability", "Reads the current", 19, parent="s"),
    Trait("s2", "sidekick_ability", "Sour", 13, parent="s"), Trait("a", "ability", "Boathook", 13),
), (("xp", 10),))
# What a sidekick is good at.
THREE = {"first_name": "Reads the current", "second_name": "Sour", "third_name": "Knots"}


def done(action: str, sheet: Sheet = HESTER, settings: Any = UMBRELLA, **values: Any) -> Any:
    """What a deed leads to."""
    return growth.do(sheet, settings, action, values)


def advance(sheet: Sheet = HESTER, settings: Any = UMBRELLA, **values: Any) -> Any:
    """An advance whose second pick is a new ability, unless it says otherwise."""
    return done("advance", sheet, settings, **{"second": "new", "second_name": "Ropes", **values})


def text(turn: Any, rule: str) -> str:
    return " ".join(step.text for step in turn.outcome.steps if step.rule == rule)


def offered(sheet: Sheet = HESTER, settings: Any = UMBRELLA) -> dict[str, Any]:
    return {offer.action: offer for offer in growth.offers(sheet, settings)}
