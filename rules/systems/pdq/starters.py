"""What a GM can begin a library of PDQ with: quick lines, and words to make one's own."""
from __future__ import annotations

from rules.prep import NPC, Starter

STARTERS = (
    Starter(NPC, "Gate guard, Watchful good, Spear good, Bored poor, #guard"),
    Starter(NPC, "2 squads of 4 bandits, good, #wild"),
    Starter(NPC, "Village healer, Herbs expert, Bedside manner good, Trusting poor, #town"),
    Starter(NPC, "Fence, Knows the price expert, Quick exit good, Greedy poor, #town"),
    Starter(NPC, "Captain of the watch, Commands expert, Sword expert, Grey head poor, #guard"),
    Starter(NPC, "Old wolf, Pack leader good, Teeth expert, Lame poor, #wild"),
    Starter("resistance", "Locked door, good, #town"),
    Starter("resistance", "Swollen river, expert, #wild"),
    Starter("resistance", "Any guard’s eyes, average, #guard"),
    Starter("challenge", "Calm the crowd, expert, "
            "Success brings: they go home, Failure costs: a stone is thrown, #town"),
    Starter("challenge", "Cross before dawn, good, "
            "Success brings: nobody saw you, Failure costs: a lantern turns, #wild"),
    Starter("place", "The Drowned Bell, #town",
            "An inn below the dike. The floor is always wet, and the cellar is not on any plan."),
    Starter("faction", "The Lamplighters, #town",
            "They keep the streets lit and know who walks them. They want the new gas works to fail."),
    Starter("note", "Three names for strangers", "Orrin Fell, Tabitha Marsh, Old Quill."),
)
