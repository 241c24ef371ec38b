"""PDQ as a game system: its parts, and what a campaign can set."""
from __future__ import annotations

from rules.prep import resistances
from rules.settings import asked
from rules.system import System
from rules.systems.pdq.at_table import TestAtTable
from rules.systems.pdq.cast import SAMPLE
from rules.systems.pdq.conflict import Conflict
from rules.systems.pdq.growth import PdqGrowth
from rules.systems.pdq.rolls import PdqRolls
from rules.systems.pdq.session import PdqSession
from rules.systems.pdq.session_zero import QUESTIONS
from rules.systems.pdq.settings import Settings
from rules.systems.pdq.sheet import PdqSheet
from rules.systems.pdq.starters import STARTERS


class Pdq(System):
    slug = "pdq"
    sample = SAMPLE
    name = "PDQ"
    edition = "pdq 1.0"
    pitch = "Qualities with ranks, two dice, and wounds that lower what you are good at."
    procedures = (Conflict(), TestAtTable())
    sheet = PdqSheet()
    rolls = PdqRolls()
    growth = PdqGrowth()
    session = PdqSession()
    prep_items = resistances(PdqRolls.obstacle)
    starters = STARTERS
    session_zero = QUESTIONS
    setting_fields = asked(Settings)
