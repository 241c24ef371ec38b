"""Sessions and the ends of scenes in PDQ#, and the pools that all share (PS-33, PS-40)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.moves import Step
from rules.sheet import Refill, Sheet
from rules.system import PoolKind, SessionChange, SessionRules, Settings
from rules.systems.pdq_sharp import recovery
from rules.systems.pdq_sharp.reading import BOWL, GM_DICE


class PdqSharpSession(SessionRules):
    scene_end_help = "When it closes, failure ranks come back and the wounded roll for their wounds."
    shared_pools = (
        PoolKind(BOWL, "Bowl", "Style dice that the GM gives for good form. What is spent comes back here.", "PS-40"),
        PoolKind(GM_DICE, "The GM’s style dice", "For all NPCs.", "PS-45"),
    )

    def shared_start(self, pool: str, players: int, settings: Settings) -> int:
        return 2 * (players + 1) if pool == BOWL else 0

    def begin(self, sheets: Sequence[Sheet], settings: Settings) -> SessionChange:
        return SessionChange((Step("PS-40", "The bowl is full: twice as many style dice as there are players, the GM "
                                            "counted."),), (Refill(BOWL),))

    def close_scene(self, sheets: Sequence[Sheet], values: Mapping[str, Any]) -> SessionChange:
        return recovery.close_scene(sheets)
