"""Characters to play at once, each spending exactly what a new one has (PQ-10), and a sample to look at."""
from __future__ import annotations

from rules.prep import PreparedObstacle, SampleScene
from rules.sheet import ReadyMade, TraitDraft
from rules.systems.pdq.chart import STRENGTH, WEAKNESS, Rank


def _made(name: str, concept: str, story: str, weakness: str, *strengths: tuple[str, Rank]) -> ReadyMade:
    lines = (TraitDraft(STRENGTH, quality, int(rank)) for quality, rank in strengths)
    return ReadyMade(name, concept, story, (*lines, TraitDraft(WEAKNESS, weakness, int(Rank.POOR))))


CAST = (
    _made("Ada Merrow", "A surveyor who draws what is no longer there",
          "The sea took her village in one night. She has the old maps, and she goes back at low water.",
          "Sleeps through anything",
          ("Old maps", Rank.EXPERT), ("Wades where others swim", Rank.GOOD), ("Says no well", Rank.GOOD)),
    _made("Brother Tolliver", "A bell-ringer who left his order",
          "He can tell by ear which of nine bells is cracked, and by the same ear who is lying.",
          "Talks to strangers",
          ("Hears what is wrong", Rank.EXPERT), ("Strong arms", Rank.GOOD), ("Forgives", Rank.GOOD)),
    _made("Wren Hask", "A poacher with the bailiff’s dog",
          "The dog came along of its own will, whatever the bailiff says.", "Never pays at once",
          ("Quiet feet", Rank.GOOD), ("Snares", Rank.GOOD), ("The bailiff’s dog", Rank.GOOD),
          ("Knows every hedge", Rank.GOOD)),
)
SAMPLE = SampleScene(
    "The Ninth Bell",
    "Eight bells hang in the tower of Halse. At low water, people hear nine.",
    "The causeway at low water",
    "An hour until the sea comes back. The causeway is under weed, and halfway along it stands somebody with a lantern "
    "who was not there when you looked before.",
    "Old Peg, Counts the tides expert, Stubborn good, Short of breath poor",
    PreparedObstacle("The weed and the wet stones", {"difficulty": "good"}),
)
