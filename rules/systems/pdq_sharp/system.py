"""PDQ# as a game system: its parts, and what a campaign can set."""
from __future__ import annotations

from rules.system import System
from rules.systems.pdq_sharp.duel import Duel
from rules.systems.pdq_sharp.rolls import PdqSharpRolls
from rules.systems.pdq_sharp.session import PdqSharpSession
from rules.systems.pdq_sharp.sheet import PdqSharpSheet


class PdqSharp(System):
    slug = "pdq_sharp"
    name = "PDQ#"
    edition = "pdq sharp 2008"
    pitch = "Swashbuckling with fortes and foibles: style dice for good form, duels of attack and defence."
    procedures = (Duel(),)
    sheet = PdqSharpSheet()
    rolls = PdqSharpRolls()
    session = PdqSharpSession()
