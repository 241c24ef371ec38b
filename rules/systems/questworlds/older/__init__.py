"""The older options of the appendix (QW-A1 to QW-A9): each is a setting of the campaign, off unless it is turned on."""
from rules.systems.questworlds.older.options import SETTINGS, turned_on

__all__ = ["SETTINGS", "turned_on"]
