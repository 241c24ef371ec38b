"""Characters to play at once (PN-05), and a sample to look at."""
from __future__ import annotations

from rules.prep import PreparedObstacle, SampleScene
from rules.sheet import ReadyMade, TraitDraft
from rules.systems.pnc.character import FEATURE
from rules.systems.pnc.ladder import Rung


def _made(name: str, concept: str, story: str, *features: tuple[str, Rung]) -> ReadyMade:
    return ReadyMade(name, concept, story, tuple(TraitDraft(FEATURE, feature, int(rung)) for feature, rung in features))


CAST = (
    _made("Hedda of the Mill", "A miller’s daughter who can carry the millstone",
          "The mill stands still since the lord moved the river. She means to have it moved back.",
          ("lifting", Rung.VERY_EASY), ("being believed", Rung.EASY), ("numbers", Rung.EASY),
          ("holding her temper", Rung.HARD)),
    _made("Jory Lark", "A player of small parts",
          "He has been a king in nine villages, and was paid in seven of them.",
          ("pretending", Rung.VERY_EASY), ("climbing out of windows", Rung.EASY), ("knots", Rung.EASY),
          ("going unnoticed", Rung.HARD)),
    _made("Sister Amaltha", "A healer who is owed favours on both sides of the border",
          "She stitched up the soldiers of either army, and remembers which of them cried.",
          ("wounds and fevers", Rung.VERY_EASY), ("walking all night", Rung.EASY),
          ("debts that she may call in", Rung.EASY),
          ("violence", Rung.VERY_HARD)),
)
SAMPLE = SampleScene(
    "The Stolen River",
    "The lord of Cresk has had a river moved. Below his dam there are three dry villages and one good idea.",
    "Below the dam, by night",
    "Frogs, a guard’s fire, and above you all the water that used to be yours. The sluice is held by a chain as thick "
    "as an arm.",
    "Sluice guard, good with a club, staying awake hard",
    PreparedObstacle("The chain of the sluice", {"rung": "hard"}),
)
