"""The games that tests go through, by what each has: one that lacks something is no defect, it has no such thing."""
from __future__ import annotations

from rules.registry import SYSTEMS

# Those that a group can begin with at once: a game joins when it has what `tests/test_games.py` asks of these.
FINISHED = ("pdq", "pnc", "questworlds", "danger_world", "pdq_sharp")
STOCKED = [slug for slug, game in SYSTEMS.items() if game.starters]
SAMPLED = [slug for slug, game in SYSTEMS.items() if game.sample]
SET = [slug for slug, game in SYSTEMS.items() if game.setting_fields]
ROLLED = [slug for slug, game in SYSTEMS.items() if game.rolls.moves]
