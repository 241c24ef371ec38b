"""Tests at the table: the roll of the tray."""
from rules.systems.pdq.at_table.kind import TestAtTable

__all__ = ["TestAtTable"]
