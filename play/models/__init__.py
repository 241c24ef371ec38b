"""All tables of play."""
from __future__ import annotations

from play.models.desk import (
    LibraryTag,
    LineUsed,
    MatrixFit,
    MatrixLimits,
    PlanLine,
    PlanScene,
    PrepItem,
    SessionPlan,
)
from play.models.table import (
    Afterword,
    AskedRecovery,
    AskedRoll,
    Attendance,
    Contest,
    ContestEvent,
    Obstacle,
    PendingAllocation,
    PendingModifier,
    PoolTransfer,
    Presence,
    Scene,
    Session,
    SharedPool,
)

__all__ = [
    "Afterword",
    "AskedRecovery",
    "AskedRoll",
    "Attendance",
    "Contest",
    "ContestEvent",
    "LibraryTag",
    "LineUsed",
    "MatrixFit",
    "MatrixLimits",
    "Obstacle",
    "PendingAllocation",
    "PendingModifier",
    "PlanLine",
    "PlanScene",
    "PoolTransfer",
    "PrepItem",
    "Presence",
    "Scene",
    "Session",
    "SessionPlan",
    "SharedPool",
]
