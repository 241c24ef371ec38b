"""A community with resources, whom the group protects and draws on, over all sessions (QW-92 to QW-94, QW-A9)."""
from __future__ import annotations

from rules.systems.questworlds.community.kind import Community, ScoredCommunity

__all__ = ["Community", "ScoredCommunity"]
