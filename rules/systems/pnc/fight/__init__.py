"""A fight: initiative, attacks that two people roll, wounds in words, until one side is left (PN-06, PN-07, PN-11)."""
from rules.systems.pnc.fight.kind import Fight, Opposed

__all__ = ["Fight", "Opposed"]
