"""What a GM can begin a library of QuestWorlds with: quick lines, and words to make one's own."""
from __future__ import annotations

from rules.prep import NPC, Starter


def starters(symbol: str) -> tuple[Starter, ...]:
    """Things to begin with, in the campaign's sign of a mastery."""
    return (
        Starter(NPC, f"Harbour guard, Halberd 17, Watchful 1{symbol}, #guard"),
        Starter(NPC, "2 squads of 5 guards, good, #guard"),
        Starter(NPC, "Well keeper, Knows the water 18, Stubborn 15, #town"),
        Starter(NPC, f"Storm speaker, Calls the wind 3{symbol}, Feared 17, #spirits"),
        Starter(NPC, "Toll clerk, Figures 17, Never surprised 14, #town"),
        Starter("resistance", f"Serai the broker, In a fight: low, At a bargain: 1{symbol}, What she hides: +6, #town"),
        Starter("resistance", "Any guard, moderate, #guard"),
        Starter("resistance", "A locked door, raised, #town"),
        Starter("resistance", "Swim against the tide, high, #water"),
        Starter("resistance", "The voice in the well, To hear it: high, To answer it: very high, #spirits"),
        Starter("challenge", "Sway the moot, By custom: moderate, By threat: high, At stake: the ferry rights, #town"),
        Starter("challenge", "Cross the reed sea, By boat: raised, On foot: huge, At stake: two days, #water"),
        Starter("place", "The Lamp Bridge, #water", "Wet planks and one lamp. Whoever holds the lamp speaks first."),
        Starter("faction", "The Ninth Tide, #water", "Divers and debtors. They want what lies under the old quay."),
        Starter("note", "Signs that the spirits are near", "Salt on dry wood, a bell under water, gulls that walk."),
    )
