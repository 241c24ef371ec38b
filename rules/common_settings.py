"""The settings that a campaign of every game has, beside the game's own."""
from __future__ import annotations

from rules.fields import Choice, Field, Flag

REAL_DICE = "real_dice"
FACE_ODDS = "face_odds"
REMINDERS = "reminders"
SAFETY_NAMES = "safety_names"
ASK_FIRST = "ask_first"
COMMON: tuple[Field, ...] = (
    Flag(name=REAL_DICE, label="Allow physical dice",
         help="Players enter their own results; these rolls are marked as unverified."),
    Flag(name=FACE_ODDS, label="Show odds against NPCs whose sheet is hidden",
         help="The numbers on the sheet stay hidden either way."),
    Flag(name=ASK_FIRST, label="Ask the GM first",
         help="Anything a player adds to a roll besides the sheet (a modifier, a weapon, a circumstance) counts only "
              "once the GM adds it. Otherwise it counts at once, marked as theirs."),
    Choice(name=REMINDERS, label="Reminders of the next session", default="day",
           options=(("week", "A week before"), ("day", "A day before"), ("hour", "An hour before"), ("never", "None")),
           help="A mail to everyone who plays and has confirmed their address. A date that is set later than that has "
                "none: its own mail says it."),
    Flag(name=SAFETY_NAMES, label="Show who wrote a line or a veil",
         help="Only for new ones. Entries written without a name stay that way."),
)
