"""PDQ# as a game system: its parts, and what a campaign can set."""
from __future__ import annotations

from typing import Any

from rules.engine import Procedure
from rules.prep import resistances
from rules.settings import asked
from rules.system import System
from rules.systems.pdq_sharp.cast import SAMPLE
from rules.systems.pdq_sharp.challenge import ChallengeAtTable, FlashyAtTable
from rules.systems.pdq_sharp.duel import Duel
from rules.systems.pdq_sharp.growth import PdqSharpGrowth
from rules.systems.pdq_sharp.rolls import PdqSharpRolls
from rules.systems.pdq_sharp.session import PdqSharpSession
from rules.systems.pdq_sharp.session_zero import QUESTIONS
from rules.systems.pdq_sharp.settings import Settings
from rules.systems.pdq_sharp.sheet import PdqSharpSheet
from rules.systems.pdq_sharp.starters import STARTERS
from rules.systems.pdq_sharp.style_dice import StyleDice


class PdqSharp(System):
    slug = "pdq_sharp"
    sample = SAMPLE
    name = "PDQ#"
    edition = "pdq sharp 2008"
    pitch = "Swashbuckling with fortes and foibles: style dice for good form, duels of attack and defence."
    procedures: tuple[Procedure[Any], ...] = (ChallengeAtTable(), FlashyAtTable(), Duel(), StyleDice())
    prep_items = resistances(PdqSharpRolls.obstacle)
    starters = STARTERS
    session_zero = QUESTIONS
    setting_fields = asked(Settings)
    sheet = PdqSharpSheet()
    growth = PdqSharpGrowth()
    rolls = PdqSharpRolls()
    session = PdqSharpSession()
