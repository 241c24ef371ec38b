"""Sessions in QuestWorlds, and the story points that all share (QW-90)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.moves import Step
from rules.sheet import Refill, Sheet, SpendShared
from rules.system import PoolKind, SessionChange, SessionRules, Settings
from rules.systems.questworlds import story_points
from rules.systems.questworlds.older.states import session_ends

STORY_POINTS = PoolKind("story_points", "Story points", "A bump up after the dice, or an edit of the plot.", "QW-90")


class QuestWorldsSession(SessionRules):
    """`points`: whether the campaign has story points. Without them there is no pool."""

    scene_end_help = "Nothing heals by itself: what lasts fades when the GM says so."

    def __init__(self, points: bool = True) -> None:
        self.shared_pools = (STORY_POINTS,) if points else ()

    def pool_label(self, name: str) -> str | None:
        return STORY_POINTS.label if name == STORY_POINTS.name else None

    def shared_start(self, pool: str, players: int, settings: Settings) -> int:
        return story_points.full(players, settings["points"])

    def end(self, sheets: Sequence[Sheet], pools: Mapping[str, int], settings: Settings) -> SessionChange:
        steps, effects = session_ends(sheets)
        return SessionChange(tuple(steps), tuple(effects))

    def begin(self, sheets: Sequence[Sheet], settings: Settings) -> SessionChange:
        if settings["refresh"] != story_points.SESSION or not settings["points"]:
            return SessionChange()
        return SessionChange((Step("QW-90", story_points.back(settings["points"])),), (Refill("story_points"),))

    def join(self, sheet: Sheet, settings: Settings, *, first: bool = True) -> SessionChange:
        points = story_points.full(1, settings["points"]) if settings["refresh"] == story_points.SESSION else 0
        if not points or not first:
            return SessionChange()
        step = Step("QW-90", f"{sheet.name} comes: {points} story point{'' if points == 1 else 's'} more for everyone.")
        return SessionChange((step,), (SpendShared(STORY_POINTS.name, points),))
