"""Sessions and the ends of scenes in PnC: mulligan points are dealt out, wounds stay (PN-09 to PN-11)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.sheet import Sheet
from rules.system import SessionChange, SessionRules, Settings
from rules.systems.pnc import mulligans, standing
from rules.values import Value


class PncSession(SessionRules):
    scene_end_help = ("When it ends, wounds stay until the story heals them. Anyone who surrendered, escaped or fell "
                      "unconscious can act again.")

    def begin(self, sheets: Sequence[Sheet], settings: Settings) -> SessionChange:
        return mulligans.deal(sheets, settings)

    def join(self, sheet: Sheet, settings: Settings, *, first: bool = True) -> SessionChange:
        return mulligans.deal([sheet], settings, who=sheet.name)

    def close_scene(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SessionChange:
        return SessionChange(standing.back(sheets, "The scene is over."))

    def recoveries(self) -> tuple[tuple[str, Mapping[str, Value]], ...]:
        return (("Let them recover", {}),)

    def recover_again(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SessionChange:
        effects = (effect for sheet in sheets if not sheet.dead for effect in standing.stands(sheet, standing.FIGHTING))
        return SessionChange(standing.back(sheets, "The GM says so."), tuple(effects))
