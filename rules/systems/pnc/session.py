"""Sessions in PnC: mulligan points are dealt out, and wounds stay (PN-09, PN-10)."""
from __future__ import annotations

from collections.abc import Sequence

from rules.sheet import Sheet
from rules.system import SessionChange, SessionRules, Settings
from rules.systems.pnc import mulligans


class PncSession(SessionRules):
    scene_end_help = "When it ends, wounds stay until the story heals them."

    def begin(self, sheets: Sequence[Sheet], settings: Settings) -> SessionChange:
        return mulligans.deal(sheets, settings)

    def join(self, sheet: Sheet, settings: Settings, *, first: bool = True) -> SessionChange:
        return mulligans.deal([sheet], settings, who=sheet.name)
