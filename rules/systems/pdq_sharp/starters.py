"""What a GM can begin a library of PDQ# with: quick lines, and words to make one's own."""
from __future__ import annotations

from rules.prep import NPC, Starter

STARTERS = (
    Starter(NPC, "2 squads of 5 harbour guards, good, #squads"),
    Starter(NPC, "3 squads of 4 hired knives, average, #squads"),
    Starter(NPC, "Palace ushers, minion, Protocol good, #court"),
    Starter(NPC, "Sergeant of the bridge, lieutenant, Halberd expert, Bellowing good, Foible: Never off duty, #guard"),
    Starter(NPC, "The perfumed duellist, villain, Fencing expert, Flattery good, Foible: Vain, #court"),
    Starter(NPC, "The regent’s cousin, archvillain, #court"),
    Starter(NPC, "Stable girl, sidekick, Horses good, Listens at doors good, Foible: Cannot lie, #court"),
    Starter(NPC, "Smuggler captain, Seamanship expert, Pistols good, Foible: Debts everywhere, #harbour"),
    Starter("resistance", "A palace wall at night, expert, #court"),
    Starter("resistance", "Swinging from a chandelier, good, #court"),
    Starter("resistance", "Outrun the patrol, average, #harbour"),
    Starter("challenge", "Win the ball’s first dance, good, "
            "Success brings: a word alone, Failure costs: laughter, #court"),
    Starter("challenge", "Board at full sail, impressive, Success brings: their deck, Failure costs: a swim, #harbour"),
    Starter("place", "The Mirror Stairs, #court",
            "Twelve landings, each with a looking glass. Whoever fights here fights an audience."),
    Starter("faction", "The Salt Company, #harbour",
            "Merchants with a fleet and no flag. They buy letters before they are sent."),
    Starter("note", "Insults at hand",
            "Your tailor fights better. I have seen windmills with more reach. Sit down, you are in your own light."),
)
