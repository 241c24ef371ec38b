"""Sessions in QuestWorlds, and the story points that all share: when they are back, what is paid (QW-90, QW-91)."""
from __future__ import annotations

from collections.abc import Mapping, Sequence

from rules.moves import Step
from rules.sheet import Refill, Sheet, SpendShared
from rules.system import PoolKind, SessionChange, SessionRules, Settings
from rules.systems.questworlds.edition import FIRST, Edition
from rules.systems.questworlds.older.states import session_ends
from rules.values import BadMove

SESSION, DOWNTIME, GM = "session", "downtime", "gm"
STORY_POINTS = PoolKind("story_points", "Story points", "A bump up after the dice, or an edit of the plot.", "QW-90")
REFRESHES = ((SESSION, "With each session"), (DOWNTIME, "With each downtime"), (GM, "When the GM says so"))


def points_are_back(each: int) -> str:
    """That the pool is full again, in words."""
    many = {1: "one", 2: "two", 3: "three", 4: "four", 5: "five"}.get(each, str(each))
    return f"The story points are back: {many} for each player’s character."


def full_pool(characters: int, each: int = 1) -> int:
    """The pool after a refresh: one for each player's character, or more where the campaign says so."""
    return characters * each


def burn(pool: int, number: int = 1) -> int:
    """The pool after so many points are burned; raises `BadMove` where there are not as many."""
    if number < 1:
        raise BadMove("Spend one point at least.", "story_points")
    if number > pool:
        left = "is 1 story point" if pool == 1 else f"are {pool} story points"
        raise BadMove(f"There {left} in the pool.", "story_points")
    return pool - number


def cost_of(level: str, edition: Edition = FIRST) -> int:
    """The story points that a plot edit takes (QW-91); raises `BadMove`."""
    edits = dict(edition.story_points.edits)
    if level not in edits:
        raise BadMove(f"Choose one of: {', '.join(edits)}.", "level")
    return edits[level]


class QuestWorldsSession(SessionRules):
    """`points`: whether the campaign has story points. Without them there is no pool."""

    scene_end_help = "Nothing heals by itself: what lasts fades when the GM says so."

    def __init__(self, points: bool = True) -> None:
        self.shared_pools = (STORY_POINTS,) if points else ()

    def pool_label(self, name: str) -> str | None:
        return STORY_POINTS.label if name == STORY_POINTS.name else None

    def shared_start(self, pool: str, players: int, settings: Settings) -> int:
        return full_pool(players, settings["points"])

    def end(self, sheets: Sequence[Sheet], pools: Mapping[str, int], settings: Settings) -> SessionChange:
        steps, effects = session_ends(sheets)
        return SessionChange(tuple(steps), tuple(effects))

    def begin(self, sheets: Sequence[Sheet], settings: Settings) -> SessionChange:
        if settings["refresh"] != SESSION or not settings["points"]:
            return SessionChange()
        return SessionChange((Step("QW-90", points_are_back(settings["points"])),), (Refill("story_points"),))

    def join(self, sheet: Sheet, settings: Settings, *, first: bool = True) -> SessionChange:
        points = full_pool(1, settings["points"]) if settings["refresh"] == SESSION else 0
        if not points or not first:
            return SessionChange()
        step = Step("QW-90", f"{sheet.name} comes: {points} story point{'' if points == 1 else 's'} more for everyone.")
        return SessionChange((step,), (SpendShared(STORY_POINTS.name, points),))
