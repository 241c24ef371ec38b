"""PDQ as a game system: its parts, and what a campaign can set."""
from __future__ import annotations

from rules.fields import Choice, Flag, Whole
from rules.prep import resistances
from rules.system import System
from rules.systems.pdq.cast import SAMPLE
from rules.systems.pdq.conflict import Conflict
from rules.systems.pdq.growth import PdqGrowth
from rules.systems.pdq.rolls import PdqRolls
from rules.systems.pdq.session import PdqSession
from rules.systems.pdq.sheet import PdqSheet
from rules.systems.pdq.starters import STARTERS


class Pdq(System):
    slug = "pdq"
    sample = SAMPLE
    name = "PDQ"
    edition = "pdq 1.0"
    pitch = "Qualities with ranks, two dice, and wounds that lower what you are good at."
    procedures = (Conflict(),)
    sheet = PdqSheet()
    rolls = PdqRolls()
    growth = PdqGrowth()
    session = PdqSession()
    prep_items = resistances(PdqRolls.obstacle)
    starters = STARTERS
    setting_fields = (
        Whole(name="strength_ranks", label="Ranks of strengths", default=4, least=1, most=30,
              help="What a new character spreads over strengths: Good costs one, Expert two, Master three."),
        Whole(name="weakness_ranks", label="Weaknesses", default=1, least=0, most=10,
              help="How many poor qualities a new character has."),
        Choice(name="defence", label="Defence", default="roll",
               help="Standing is quicker: the attacker's dice alone decide.",
               options=(("roll", "The defender rolls"), ("stand", "The defender stands on a target number"))),
        Choice(name="ties", label="Equal initiative", default="together",
               help="What happens when two are equally quick.",
               options=(("together", "Act at the same moment"), ("roll", "Roll a die for it"))),
        Flag(name="weapons", label="Weapons add 2 damage", default=False,
             help="An attacker says so with each attack; the GM may undo it."),
        Choice(name="killing", label="Killing", default="free",
               help="Whether those who are out can be killed later, or everybody says at the start what they mean.",
               options=(("free", "A free action against one who was out before"), ("asked", "Asked at the start"))),
        Flag(name="ranges", label="Range and movement in yards", default=False,
             help="For groups that like to know who can reach whom. A round's movement is 2 yards and twice the sum of "
                  "the modifiers: Good, Good and Expert make 18, where the source's own example has 10."),
    )
