"""The settings that a campaign of every game has, beside the game's own."""
from __future__ import annotations

from rules.fields import Field, Flag

REAL_DICE = "real_dice"
FACE_ODDS = "face_odds"
COMMON: tuple[Field, ...] = (
    Flag(name=REAL_DICE, label="Players may roll real dice, and type the faces",
         help="Such rolls are marked: nobody can check the dice."),
    Flag(name=FACE_ODDS, label="Show players the odds against those known by face only",
         help="Otherwise those odds are unknown to them. The numbers of the sheet stay hidden in either case."),
)
