"""What a GM can begin a library of PnC with: quick lines, and words to make one's own."""
from __future__ import annotations

from rules.prep import NPC, Starter

STARTERS = (
    Starter(NPC, "Gatekeeper, good with a halberd, telling faces apart hard, #town"),
    Starter(NPC, "2 squads of 5 guards, good, #town"),
    Starter(NPC, "Pickpocket, cutting purses very easy, standing still hard, #town"),
    Starter(NPC, "Hedge knight, riding easy, sword easy, letters very hard, #road"),
    Starter(NPC, "Innkeeper, gossip very easy, keeping secrets hard, #road"),
    Starter(NPC, "Wild boar, charging very easy, turning hard, #road"),
    Starter("resistance", "A rusty lock, hard, #town"),
    Starter("resistance", "Ice on the pass, very hard, #road"),
    Starter("resistance", "A friendly crowd, easy, #town"),
    Starter("challenge", "Forge the seal, hard, Success brings: the gate opens, Failure costs: the wax is kept, #town"),
    Starter("challenge", "Ride through the night, hard, Success brings: a day won, Failure costs: a lame horse, #road"),
    Starter("place", "The Toll Tree, #road", "An oak hung with coins. Nobody remembers who collects them."),
    Starter("faction", "The Ferry Kin, #road", "One family, nine boats. They carry anybody, and forget nobody."),
    Starter("note", "Weather for a week",
            "Mist, mist, hail, a warm wind, thunder without rain, frost, one clear night."),
)
