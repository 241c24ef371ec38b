"""PnC as a game system: its parts, and what a campaign can set."""
from __future__ import annotations

from rules.prep import resistances
from rules.settings import asked
from rules.system import System
from rules.systems.pnc.cast import SAMPLE
from rules.systems.pnc.fight import Fight, Opposed
from rules.systems.pnc.rolls import Answer, Race, StandardRollContest
from rules.systems.pnc.session import PncSession
from rules.systems.pnc.session_zero import QUESTIONS
from rules.systems.pnc.settings import Settings
from rules.systems.pnc.sheet import PncSheet
from rules.systems.pnc.starters import STARTERS
from rules.systems.pnc.tray import PncRolls


class Pnc(System):
    slug = "pnc"
    sample = SAMPLE
    name = "PnC"
    edition = "pnc 1.0"
    pitch = "The story decides; where it can’t, one d20 is rolled against three dice, and the degree says how well."
    procedures = (StandardRollContest(), Fight(), Opposed(), Race(), Answer())
    sheet = PncSheet()
    rolls = PncRolls()
    session = PncSession()
    prep_items = resistances(PncRolls.obstacle)
    starters = STARTERS
    session_zero = QUESTIONS
    setting_fields = asked(Settings)
