"""What a GM can begin a library of Danger World with: quick lines, and words to make one's own."""
from __future__ import annotations

from rules.prep import NPC, Starter

STARTERS = (
    Starter(NPC, "Roof runner, speed 3, cool 2, Knows every gutter, #street"),
    Starter(NPC, "Night watchman, strength 2, Whistle and lamp, Counts the hours, #street"),
    Starter(NPC, "2 squads of 4 raiders, Hungry, #wastes"),
    Starter(NPC, "Dock foreman, strength 3, Owed by everybody, #street"),
    Starter(NPC, "Tinker, Carries spare parts, Talks to engines, #wastes"),
    Starter("challenge", "Guarded yard, significant, dogs, floodlights, tired men, #street"),
    Starter("challenge", "Sandstorm, major, blind, deafening, 1 threat dice, #wastes"),
    Starter("challenge", "A jammed lock, minor, rust, #street"),
    Starter("challenge", "Talk past the clerk, meaningful, rules, vanity, #street"),
    Starter("challenge", "The thing in the cistern, monumental, many arms, dark water, 2 threat dice, #wastes"),
    Starter("challenge", "Rooftop chase, significant, loose tiles, washing lines, #street"),
    Starter("place", "Station Nine, #wastes",
            "A filling station without fuel. The radio answers, but never what was asked."),
    Starter("faction", "The Quiet Union, #street", "Stokers, porters, lift boys. When they stop, the city does."),
    Starter("note", "What the wind brings", "Ash, a song, somebody’s letter, a drone with one wing."),
)
