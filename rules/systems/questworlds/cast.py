"""Characters to play at once, each with twelve abilities and twenty points spent (QW-70 to QW-75), and a sample."""
from __future__ import annotations

from collections.abc import Mapping

from rules.prep import PreparedObstacle, SampleScene
from rules.sheet import ReadyMade, TraitDraft
from rules.systems.questworlds.traits import ABILITY, BREAKOUT, CHARACTERISTIC, FLAW, KEYWORD


def _made(
    who: tuple[str, str, str], keyword: tuple[str, int], characteristic: tuple[str, int], flaw: str,
    breakouts: Mapping[str, int], abilities: Mapping[str, int],
) -> ReadyMade:
    name, concept, story = who
    return ReadyMade(name, concept, story, (
        TraitDraft(CHARACTERISTIC, *characteristic), TraitDraft(KEYWORD, *keyword),
        *(TraitDraft(BREAKOUT, breakout, bonus, within=keyword[0]) for breakout, bonus in breakouts.items()),
        *(TraitDraft(ABILITY, ability, score) for ability, score in abilities.items()), TraitDraft(FLAW, flaw, 0),
    ))


CAST = (
    _made(("Ysolde", "A grieving bell-founder",
           "She cast the bell that cracked on the day of the wedding. She has been looking for the flaw ever since, in "
           "the metal and elsewhere."),
          ("Bell-founder", 20), ("Grieving", 17), "Cannot leave a fire alone",
          {"Hears a lie in the metal": 5, "Moulds and casts": 3},
          {"Daughter of the upper town": 13, "Strong shoulders": 17, "Songs for the dead": 15, "Bargains in copper": 13,
           "Reads old inscriptions": 13, "A mule called Deacon": 13, "Walks long roads": 13,
           "Asks the right widow": 18}),
    _made(("Corin Ashdown", "A boastful river pilot",
           "There are three stories about how he lost the barge, and he tells all of them."),
          ("River pilot", 22), ("Boastful", 19), "Owes money in every port",
          {"Reads brown water": 5, "Ropes and sails": 2},
          {"Friend of smugglers": 15, "Swims like a rat": 16, "Tells it well": 13, "Cards": 13, "Quick knife": 14,
           "A cousin in the customs": 13, "Holds his drink": 13, "Sees weather coming": 15}),
    _made(("Marrow", "A soft-hearted debt collector",
           "People pay Marrow because they are ashamed, not because they are afraid. The money goes where it should, "
           "less a little for soup."),
          ("Debt collector", 20), ("Soft-hearted", 20), "Believes a sad story",
          {"Finds anybody": 6, "Keeps the books": 1},
          {"Fills a doorway": 18, "Born below the bridge": 13, "Takes a blow": 15, "Cooks for many": 13,
           "Knows each lock": 14, "Speaks with dogs": 13, "Remembers faces": 14, "Quiet for his size": 13}),
)
SAMPLE = SampleScene(
    "The Empty Ferry",
    "The ferry over the Tessary came back empty: no passengers, no ferryman, and a bell on board that nobody has cast.",
    "The ferry that came back empty",
    "Low water, a rope still wet, and the bell in the middle of the deck under a cloth. The toll keeper would rather "
    "that nobody lifts it.",
    "Dame Quill, Negotiate 1M, Toll book 17",
    PreparedObstacle("The toll keeper’s no", {"resistance": ""}),
)
