"""Danger World: sets of six-sided dice, re-rolls, and a danger track that pays and hurts."""
from rules.systems.danger_world.check import CheckMove

MOVES = (CheckMove(),)
