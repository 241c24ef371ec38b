"""The names of the procedures that teach, as they are stored, and stand in addresses."""
from __future__ import annotations

SIMPLE = ("questworlds.framed", "questworlds.versus", "questworlds.group", "questworlds.flaw")
LONG = ("questworlds.scored", "questworlds.chained", "questworlds.extended")
COMMUNITY = "questworlds.community"
RESOURCES = "questworlds.resources"
TEACHING = (*SIMPLE, *LONG, COMMUNITY, RESOURCES)
