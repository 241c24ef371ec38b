"""Characters to play at once, each with eight dice spread and three aspects known (DW-01), and a sample to look at."""
from __future__ import annotations

from collections.abc import Mapping

from rules.prep import PreparedObstacle, SampleScene
from rules.sheet import ReadyMade
from rules.systems.danger_world.builder import sheet_of


def _made(
    name: str, concept: str, story: str, stats: Mapping[str, int], aspects: Mapping[str, str]
) -> ReadyMade:
    return ReadyMade(name, concept, story, sheet_of(stats, aspects))


CAST = (
    _made("Juno Vance", "A courier who never looks down",
          "The lifts of the high city belong to the company. The outside of it belongs to her.",
          {"agility": 4, "speed": 3, "cool": 3, "perception": 2},
          {"Born on the roofs": "Ledges, gutters, wind.", "Never late": "", "Owes the Quiet Union": ""}),
    _made("Doc Amari", "A surgeon without a licence",
          "They took the licence for saving the wrong man. She kept the knives.",
          {"reasoning": 4, "cool": 4, "perception": 3},
          {"Steady hands": "In a moving car, too.", "Knows who is not dead": "", "Needs to sleep more": ""}),
    _made("Barrow", "A stoker who put the hammer down, mostly",
          "He held a door once for eleven minutes. The people behind it still send him soup.",
          {"strength": 4, "endurance": 4, "charisma": 2, "speed": 2},
          {"Holds doors": "", "Loved below deck": "", "Afraid of open sky": ""}),
)
SAMPLE = SampleScene(
    "Eleven Minutes",
    "The pumps under the high city stop in eleven minutes. Someone sold the spare parts, and someone bought them.",
    "The pump hall, knee-deep",
    "Red lamps, one ladder, a foreman who is shouting at a wheel that will not turn. The water is warm, and "
    "it is rising.",
    "Pump foreman, strength 3, cool 2, Knows every valve",
    PreparedObstacle("The jammed wheel", {"difficulty": "3", "keywords": "rust, warm water", "threat": 0}),
)
