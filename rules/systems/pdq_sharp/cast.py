"""Characters to play at once: each spends exactly what a new one has, each in a way of its own (PS-02 to PS-05)."""
from __future__ import annotations

from rules.prep import PreparedObstacle, SampleScene
from rules.sheet import ReadyMade, TraitDraft
from rules.systems.pdq_sharp.chart import AVERAGE, EXPERT, GOOD
from rules.systems.pdq_sharp.kinds import (
    FOIBLE,
    FORTE,
    IDIOM,
    MINIONS,
    MOTIVATION,
    PAST,
    SIDEKICK,
    SIDEKICK_FOIBLE,
    SIDEKICK_FORTE,
    SIDEKICK_TECHNIQUE,
    SWASHBUCKLING,
    SWASHBUCKLING_MOTIVATION,
    SWASHBUCKLING_PAST,
    TECHNIQUE,
    WEALTHY,
)

PLACE, MANEUVER, FOE, TOOL = 2, 3, 4, 5  # kinds of technique, beside an idiom


def _chained(host: str, *techniques: tuple[str, int]) -> tuple[TraitDraft, ...]:
    return tuple(TraitDraft(TECHNIQUE, name, kind, within=host) for name, kind in techniques)


PERPETUA = ReadyMade(
    "Perpetua Vane", "A duellist whose fencing school was closed by decree",
    "The school of Saint Orme lost its charter the week her master lost his head. She has kept the keys of the hall, "
    "and a list of those who signed.",
    (
        TraitDraft(FOIBLE, "Must have the last word", 0, "Above all when silence would have been enough."),
        TraitDraft(MOTIVATION, "Clear her master’s name", GOOD),
        TraitDraft(PAST, "Shipwright’s daughter", GOOD, "Wood, ropes, yards; what floats and what only looks so."),
        TraitDraft(SWASHBUCKLING, "School of Saint Orme", EXPERT, "The sword, its manners, its people; not firearms."),
        TraitDraft(FORTE, "Repartee", GOOD), TraitDraft(FORTE, "Acrobatics", GOOD),
        TraitDraft(FORTE, "Never kneels twice", GOOD, "Standing up again, and to whom one should not."),
        *_chained("School of Saint Orme", ("Mocking", IDIOM), ("Rapier", TOOL), ("Stairs and rigging", PLACE),
                  ("Bind and turn", MANEUVER), ("Officers of the Arsenal", FOE)),
    ))
MATTEO = ReadyMade(
    "Matteo Brand", "A smuggler who has retired four times",
    "He knows which of the customs men can be paid and which can only be outrun. Tib keeps the lookout, and the books.",
    (
        TraitDraft(FOIBLE, "Cannot leave a wager alone", 0), TraitDraft(FOIBLE, "Wanted in two ports", 0),
        TraitDraft(MOTIVATION, "A ship with his name on it", GOOD),
        TraitDraft(SWASHBUCKLING_PAST, "Smuggler of the Long Canal", EXPERT, "Boats by night, cargo, cutlass, bribes."),
        TraitDraft(FORTE, "Brawling", GOOD), TraitDraft(FORTE, "Reads the tide", GOOD),
        TraitDraft(SIDEKICK, "Tib", GOOD), TraitDraft(FORTE, "Locks", AVERAGE),
        *_chained("Smuggler of the Long Canal", ("Languid", IDIOM), ("Cutlass", TOOL), ("In the dark", PLACE)),
        *_chained("Brawling", ("Found objects", TOOL)),
        TraitDraft(SIDEKICK_FOIBLE, "Counts aloud", 0, within="Tib"),
        TraitDraft(SIDEKICK_FORTE, "Lookout", GOOD, within="Tib"),
        TraitDraft(SIDEKICK_FORTE, "Bookkeeping", GOOD, within="Tib"),
        TraitDraft(SIDEKICK_FORTE, "Knife", AVERAGE, within="Tib"),
        TraitDraft(SIDEKICK_TECHNIQUE, "From the masthead", PLACE, "Lookout", within="Tib"),
        TraitDraft(SIDEKICK_TECHNIQUE, "Two sets of books", TOOL, "Bookkeeping", within="Tib"),
    ))
ODILE = ReadyMade(
    "Odile Rook of the Long Canal", "The last of a house that still keeps its guard",
    "Nine men in faded livery, a palace with one warm room, and a voice that the Council has to stand up for.",
    (
        TraitDraft(FOIBLE, "The honour of the house", 0), TraitDraft(FOIBLE, "In debt to the Margrave", 0),
        TraitDraft(MOTIVATION, "The seat that was her father’s", GOOD), TraitDraft(PAST, "Raised at court", GOOD),
        TraitDraft(SWASHBUCKLING, "Lady of the Council", EXPERT, "Rank, law, rumour, being listened to."),
        TraitDraft(MINIONS, "Guard of the house of Rook", GOOD), TraitDraft(WEALTHY, "What is left of it", GOOD),
        TraitDraft(FORTE, "Fencing", AVERAGE),
        *_chained("Lady of the Council", ("Icy", IDIOM), ("Before an audience", PLACE)),
        TraitDraft(TECHNIQUE, "Fan", TOOL),
    ))
BASTIEN = ReadyMade(
    "Bastien Coil", "A highwayman who robs coaches and returns the letters",
    "By day he mends clocks for the very people whose purses he takes. Nobody looks twice at the man who winds.",
    (
        TraitDraft(FOIBLE, "Under two names", 0), TraitDraft(MOTIVATION, "Ruin the tax farmers", GOOD),
        TraitDraft(PAST, "Clockmaker", GOOD), TraitDraft(SWASHBUCKLING, "Highwayman", EXPERT),
        TraitDraft(FORTE, "Horsemanship", GOOD), TraitDraft(FORTE, "Firearms", GOOD),
        *_chained("Highwayman", ("Courteous", IDIOM), ("Behind the mask", PLACE), ("Sabre", TOOL)),
        *_chained("Horsemanship", ("At full gallop", PLACE)), *_chained("Firearms", ("A pair of pistols", TOOL)),
    ))
IMRE = ReadyMade(
    "Sister Imre", "A field surgeon of an order that has forgotten her",
    "She walked out of the convent with the herb book and a quarterstaff, and has been sent for ever since.",
    (
        TraitDraft(FOIBLE, "Will not leave the wounded", 0), TraitDraft(FOIBLE, "Rude to the well", 0),
        TraitDraft(PAST, "Twelve years a nun", GOOD),
        TraitDraft(SWASHBUCKLING_MOTIVATION, "Nobody dies today", EXPERT, "Surgery under fire; going in after them."),
        TraitDraft(FORTE, "Quarterstaff", GOOD), TraitDraft(FORTE, "Quick healer", GOOD),
        TraitDraft(FORTE, "Herbs and poisons", GOOD), TraitDraft(FORTE, "Alchemy", AVERAGE),
        *_chained("Nobody dies today", ("Calm", IDIOM), ("Under fire", PLACE), ("Needle and gut", TOOL)),
        *_chained("Quarterstaff", ("Sweep the legs", MANEUVER)),
    ))
JORY = ReadyMade(
    "Jory Quill", "A pirate captain between ships",
    "The last one is at the bottom of the bay, by a misunderstanding. The crew is in every tavern, by agreement.",
    (
        TraitDraft(FOIBLE, "Vain about the hat", 0), TraitDraft(MOTIVATION, "The treasure fleet, once", GOOD),
        TraitDraft(PAST, "Cabin boy of the Margrave’s navy", GOOD), TraitDraft(SWASHBUCKLING, "Pirate captain", EXPERT),
        TraitDraft(MOTIVATION, "Find the one who scuttled her", GOOD),
        TraitDraft(FORTE, "Known in every harbour", GOOD), TraitDraft(FORTE, "Strong", GOOD),
        *_chained("Pirate captain", ("Roaring", IDIOM), ("Aboard", PLACE), ("Cutlass", TOOL)),
        *_chained("Strong", ("Throw it", MANEUVER)),
    ))
CAST = (PERPETUA, MATTEO, ODILE, BASTIEN, IMRE, JORY)
SAMPLE = SampleScene(
    "The Gilded Compass",
    "In the floor of the customs house of Saltmere lies a compass of gilded bronze. Last night it turned.",
    "The customs house, after hours",
    "Ledgers to the ceiling, one candle, and the compass under your feet. Somebody is coming up the stairs, and takes "
    "care to be heard.",
    "Sergeant Pell, lieutenant, Halberd expert, Command good, Harbour law good, Strong good, "
    "Motivation: A quiet pension good, Past: Bargeman good, Foible: Sleeps badly, Idiom: Slow, Weapon: Halberd",
    PreparedObstacle("What the compass points at", {"difficulty": "expert"}),
)
