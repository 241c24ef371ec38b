"""The downtime: each player says how their character spends it, and the story points may come back with it."""
from __future__ import annotations

from rules.systems.questworlds.downtime.kind import Downtime

__all__ = ["Downtime"]
