"""A community whose resources have scores, over intervals (QW-A9)."""
from __future__ import annotations

from rules.systems.questworlds.older.resources.kind import ScoredCommunity

__all__ = ["ScoredCommunity"]
