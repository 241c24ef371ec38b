"""The long contests: scored, chained, extended, for pairs and for groups (QW-43 to QW-59)."""
from __future__ import annotations

from rules.systems.questworlds.long.kind import ChainedLong, ExtendedLong, ScoredLong

__all__ = ["ChainedLong", "ExtendedLong", "ScoredLong"]
