"""The style dice of a session: bowl, box and holders, every way of a die, and what players make with theirs."""
from __future__ import annotations

from rules.systems.pdq_sharp.style_dice.kind import StyleDice

__all__ = ["StyleDice"]
