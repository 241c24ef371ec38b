"""Duels: several turns of splitting dice, clashing and striking back (PS-20 to PS-28, PS-30 to PS-32)."""
from __future__ import annotations

from rules.systems.pdq_sharp.duel.kind import Duel

__all__ = ["Duel"]
