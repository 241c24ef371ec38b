"""Mulligan points on a sheet: dealt out with a session, spent before new dice, moved by a 20 and a 1 (PN-09)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Step
from rules.sheet import Effect, Sheet, Spend
from rules.system import PoolKind, SessionChange
from rules.systems.pnc.combat import after_first_d20, spend_mulligan

MULLIGANS = "mulligans"

POOL = PoolKind(
    MULLIGANS, "Mulligan points",
    "One lets you roll your part of a roll again. A 20 on your d20 earns one, a 1 loses one.", "PN-09", sheets="played",
)


class Purse:
    """The points of one who rolls, while an action is worked out: what changes, and why."""

    def __init__(self, sheet: Sheet, *, player: bool, swing: bool) -> None:
        self.sheet, self.player, self.swing = sheet, player, swing
        self.points = sheet.pool(MULLIGANS) if player else 0
        self.effects: list[Effect] = []
        self.steps: list[Step] = []

    def spend(self) -> None:
        """One point for new dice; raises `BadMove` where there is none."""
        self.points = spend_mulligan(self.points)
        self.effects.append(Spend(self.sheet.id, MULLIGANS, -1))
        self.steps.append(Step("PN-09", f"{self.sheet.name} spends a mulligan point; {left_of(self.points)}."))

    def fell(self, face: int) -> None:
        """What a d20 does to the points, as it fell first. NPCs have none."""
        after = after_first_d20(self.points, face) if self.player and self.swing else self.points
        if after == self.points:
            return
        self.effects.append(Spend(self.sheet.id, MULLIGANS, after - self.points))
        text = "A 20 earns" if after > self.points else "A 1 costs"
        self.points = after
        self.steps.append(Step("PN-09", f"{text} {self.sheet.name} a mulligan point; {left_of(after)}."))


def deal(sheets: Sequence[Sheet], settings: Mapping[str, Any], who: str = "Everyone") -> SessionChange:
    """A session begins: everybody (`who` in words) is filled up to what the setting says.

    *Ruling*: what was earned beyond that stays.
    """
    whole = int(settings["mulligans"])
    short = [sheet for sheet in sheets if sheet.pool(MULLIGANS) < whole]
    if not sheets or not whole:
        return SessionChange()
    text = f"{who} begins the session with {whole} mulligan point{'' if whole == 1 else 's'}."
    return SessionChange(
        (Step("PN-09", text),),
        tuple(Spend(sheet.id, MULLIGANS, whole - sheet.pool(MULLIGANS)) for sheet in short),
    )


def left_of(points: int) -> str:
    """How many points there still are: `2 left`."""
    return "none is left" if not points else f"{points} left"
