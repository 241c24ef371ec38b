"""Danger World as a game system: its parts, what is prepared, and what a campaign can set."""
from __future__ import annotations

from rules.settings import asked
from rules.system import System
from rules.systems.danger_world.cast import SAMPLE
from rules.systems.danger_world.prep import KINDS
from rules.systems.danger_world.rolls import DangerWorldRolls
from rules.systems.danger_world.session import DangerWorldSession
from rules.systems.danger_world.session_zero import QUESTIONS
from rules.systems.danger_world.settings import Settings
from rules.systems.danger_world.sheet import DangerWorldSheet
from rules.systems.danger_world.starters import STARTERS
from rules.systems.danger_world.table import CheckAtTable


class DangerWorld(System):
    slug = "danger_world"
    sample = SAMPLE
    name = "Danger World"
    edition = "danger world 1"
    pitch = "Handfuls of dice, sets and re-rolls, and a danger track that pays and hurts."
    procedures = (CheckAtTable(),)
    sheet = DangerWorldSheet()
    rolls = DangerWorldRolls()
    session = DangerWorldSession()
    prep_items = KINDS
    starters = STARTERS
    session_zero = QUESTIONS
    setting_fields = asked(Settings)
