"""Danger World: sets of six-sided dice, re-rolls, and a danger track that pays and hurts."""
from rules.systems.danger_world.check import CheckMove
from rules.systems.danger_world.system import DangerWorld

__all__ = ["MOVES", "DangerWorld"]

MOVES = (CheckMove(),)
