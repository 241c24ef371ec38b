"""PDQ: qualities with ranks, 2d6, and damage that lowers what one is good at."""
from __future__ import annotations

from rules.systems.pdq.system import Pdq

__all__ = ["Pdq"]
