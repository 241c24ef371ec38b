"""PnC: a d20 over three six-sided dice, and the story decides the rest."""
from rules.systems.pnc.competition import Competition
from rules.systems.pnc.initiative import Initiative
from rules.systems.pnc.standard_roll import AttackRoll, StandardRoll
from rules.systems.pnc.system import Pnc

MOVES = (StandardRoll(), AttackRoll(), Competition(), Initiative())

__all__ = ["MOVES", "Pnc"]
