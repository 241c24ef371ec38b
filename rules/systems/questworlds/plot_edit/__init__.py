"""The plot edit: a player proposes a fact, the GM accepts or refuses it, and story points pay for it."""
from __future__ import annotations

from rules.systems.questworlds.plot_edit.kind import PlotEdit

__all__ = ["PlotEdit"]
