"""How aspects grow beneath each other, and how many story points a session deals (DW-10, DW-11)."""
from __future__ import annotations

PRIMARIES = 4  # three known from the start, one to be found in play
CHILDREN = (3, 2, 0)  # of a primary, a secondary, a tertiary
USES_BEFORE_CHILDREN = 2
SESSION_POINTS = 3  # where the campaign's setting says nothing else
