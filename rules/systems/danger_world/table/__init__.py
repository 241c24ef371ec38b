"""A check as it is played at the table: the pool, two rounds of re-rolls, the choice of a set, what botches cost."""
from rules.systems.danger_world.table.kind import CheckAtTable

__all__ = ["CheckAtTable"]
