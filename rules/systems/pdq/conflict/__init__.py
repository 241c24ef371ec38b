"""The conflict: a contest of rounds and turns, as states, events, and offers of what may be done."""
from __future__ import annotations

from rules.systems.pdq.conflict.kind import Conflict

__all__ = ["Conflict"]
