"""The end of a scene in PDQ: who recovers, and where damage and recovered ranks go (PQ-16, PQ-18)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.allocates import Allocates
from rules.sheet import Effect, NewAllocation, Sheet, Trait
from rules.system import SessionChange, SessionRules
from rules.systems.pdq import scene
from rules.systems.pdq.chart import usable
from rules.systems.pdq.reckoning import terms, written
from rules.systems.pdq.recovery import RecoveryMove
from rules.values import BadMove, Value


class PdqSession(SessionRules, Allocates):
    closing = (scene.DANGER,)
    scene_end_help = "When it ends, you say whether the danger is over: then everyone in it recovers all damage."
    scene_damage = True
    recovery = RecoveryMove.name
    damage_help = ("Spread it over any qualities you like; it need not make sense. If one drops below Poor, {name} is "
                   "out of action.")

    def closing_from(self, setups: Sequence[Mapping[str, Any]]) -> Mapping[str, Value]:
        return scene.danger_left(setups)

    def close_scene(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SessionChange:
        return scene.close_scene(sheets, scene.danger_of(values))

    def scene_over(self, sheet: Sheet) -> tuple[Effect, ...]:
        return scene.scene_over(sheet)

    def recoveries(self) -> tuple[tuple[str, Mapping[str, Value]], ...]:
        return ("All damage", {"danger": scene.MOMENTARY}), ("Roll 1d6", {"danger": scene.CONTINUING})

    def recover_again(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SessionChange:
        return scene.recover_now(sheets, scene.danger_of(values))

    def healing(self, lines: Sequence[Trait]) -> dict[str, Value]:
        """Every quality that bears on it, as hurt as it is."""
        for line in lines:
            if not usable(line):
                raise BadMove(f"{line.name} is below Poor and can’t be used. Choose another quality.", "traits")
        return {"qualities": written(terms(lines))["qualities"]}

    def recovered(self, sheet: Sheet, values: Mapping[str, Value]) -> NewAllocation | None:
        return scene.recovered(sheet, values)

    def place(self, sheet: Sheet, type: str, amount: int, spread: Mapping[str, int]) -> tuple[Effect, ...]:
        return scene.place(sheet, type, amount, spread)
