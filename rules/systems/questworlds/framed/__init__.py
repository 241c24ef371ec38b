"""A contest as a conversation: framed, modified, rolled, settled, and what lasts of it."""
from rules.systems.questworlds.framed.kind import Framed, Group, Versus

__all__ = ["Framed", "Group", "Versus"]
