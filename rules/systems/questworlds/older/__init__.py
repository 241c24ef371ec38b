"""The older options of the appendix (QW-A1 to QW-A9): each is a dial of the campaign, off unless it is turned on."""
from rules.systems.questworlds.older.options import DIALS, turned_on

__all__ = ["DIALS", "turned_on"]
