"""Sessions and the ends of scenes in Danger World, and the pools that all share (DW-06, DW-10, DW-14)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.sheet import Sheet
from rules.system import PoolKind, SessionChange, SessionRules, Settings
from rules.systems.danger_world import recovery
from rules.systems.danger_world.reading import GENERAL, KEPT
from rules.systems.danger_world.sheet_actions import RESTS
from rules.values import Value


class DangerWorldSession(SessionRules):
    closing = (recovery.REST,)
    scene_end_help = "When it ends, you choose whether a rest follows."
    shared_pools = (
        PoolKind(GENERAL, "General pool", "Story points that players spent. The GM pays from it for dark sides.",
                 "DW-10"),
        PoolKind(KEPT, "Botches kept", "What the GM did not spend yet.", "DW-06"),
    )

    def begin(self, sheets: Sequence[Sheet], settings: Settings) -> SessionChange:
        return recovery.begin_session(sheets, settings)

    def join(self, sheet: Sheet, settings: Settings, *, first: bool = True) -> SessionChange:
        return recovery.begin_session([sheet], settings)

    def recoveries(self) -> tuple[tuple[str, Mapping[str, Value]], ...]:
        return tuple((label, {"rest": rest}) for rest, label in RESTS if rest != "episode")

    def close_scene(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SessionChange:
        return recovery.close_scene(sheets, values)
