"""What a campaign of PDQ# can set, and what its procedures keep of it in their first event (PS-28, PS-46, PS-49)."""
from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from rules.fields import Choice, Flag, Text, Whole
from rules.settings import setting
from rules.systems.pdq_sharp.harm import WOUND

# What people say when somebody shows style; the GM's answer begins with "Indeed".
PHRASES = {"good_form": "Good form", "yarr": "Yarr", "huzzah": "Huzzah"}
OWN = "own"
PLAIN, MODIFIER, TARGET = "plain", "mod", "tn"
HARMS, WEAKENS, KILLS = "harms", "weakens", "kills"

ACCLAIM = Choice(
    name="acclaim", label="What you say for style", default="good_form",
    options=(("good_form", "“Good form”, as musketeers do"), ("yarr", "“Yarr”, as pirates do"),
             ("huzzah", "“Huzzah”, as outlaws do"), (OWN, "Your own phrase")))
OWN_ACCLAIM = Text(name="own_acclaim", label="Your own phrase", most=40)


@dataclass(frozen=True)
class Settings:
    """All of them, in the order in which the campaign's page asks."""

    acclaim: str = setting(ACCLAIM)
    own_acclaim: str = setting(OWN_ACCLAIM)
    aesthetic: str = setting(Choice(
        name="aesthetic", label="Aesthetic", default="musketeer",
        options=(("musketeer", "Musketeers: in defence of order"), ("pirate", "Pirates: the glory of chaos"),
                 ("highwayman", "Highwaymen: one in defence of the other"))))
    themes: str = setting(Text(
        name="themes", label="Themes", most=200, help="Honour, revenge, friendship: what it shall be about."))
    together: str = setting(Choice(
        name="together", label="Why you are together", default="own",
        options=(("family", "A family or noble household"), ("crew", "A pirate crew"),
                 ("regiment", "Comrades of a regiment"), ("wronged", "All wronged by the same foe"),
                 ("agents", "Agents of a patron"), ("own", "Something else"))))
    penumbra: str = setting(Text(
        name="penumbra", label="What fortes cover", most=2000, lines=True,
        help="What you agreed on, a line for each forte: Pirate covers climbing in rigging, not fencing on land."))
    firearms: str = setting(Choice(
        name="firearms", label="Firearms", default=PLAIN,
        options=((PLAIN, "A weapon like others"), (MODIFIER, "Damage and the modifier of the forte"),
                 (TARGET, "Damage and the target number of the forte"))))
    poison: str = setting(Choice(
        name="poison", label="Poison", default=HARMS,
        options=((HARMS, "Harms: its modifier adds to the damage"),
                 (WEAKENS, "Weakens: nothing heals, a second wind costs 2"),
                 (KILLS, "Kills: a failed challenge leaves mostly dead"))))
    impasse_dice: str = setting(Choice(
        name="impasse_dice", label="An impasse in a duel", default="2", help="How many dice it is rolled with.",
        options=(("2", "2d6, as any flashy challenge"), ("3", "3d6, as the duel"))))
    players_kill: bool = setting(Flag(
        name="players_kill", label="Players can kill without asking you", default=False,
        help="Otherwise you answer each killing with one tap."))
    misfortunes: int = setting(Whole(
        name="misfortunes", label="Vexing misfortunes before a warning", default=2, least=0, most=10,
        help="How many a character may have in a session before the page asks twice."))


@dataclass(frozen=True)
class DuelSettings:
    """Those that a duel reads, what it is about, and what its damage is."""

    conflict: str = "physical"  # what becomes of whoever has nothing left (PS-31)
    harm: str = WOUND
    firearms: str = PLAIN  # PS-49
    poison: str = HARMS
    impasse_dice: int = 2  # PS-28
    players_kill: bool = True  # whether a player's word kills, as it once always did (PS-32)


@dataclass(frozen=True, kw_only=True)
class StyleSettings:
    """Those that a session's style dice read; what is said for style they keep as it is said."""

    misfortunes: int


def phrase(settings: Mapping[str, Any]) -> str:
    """What is said for style in this campaign.

    >>> phrase({"acclaim": "yarr", "own_acclaim": ""}), phrase({"acclaim": "own", "own_acclaim": "Zounds"})
    ('Yarr', 'Zounds')
    """
    if settings["acclaim"] == OWN and settings["own_acclaim"].strip():
        return str(settings["own_acclaim"]).strip()
    return PHRASES.get(settings["acclaim"], PHRASES["good_form"])


def answer(said: str) -> str:
    """The GM's answer to it: `Indeed, good form`."""
    return f"Indeed, {said[:1].lower()}{said[1:]}"


def agreed(settings: Mapping[str, Any], name: str) -> str:
    """What the table agreed that a forte covers: the rest of the line that begins with its name, "" for none.

    >>> agreed({"penumbra": "Pirate: rigging, not fencing on land"}, "pirate")
    'rigging, not fencing on land'
    """
    for line in str(settings.get("penumbra", "")).splitlines():
        start, rest = line.strip()[: len(name)], line.strip()[len(name) :]
        if start.casefold() == name.casefold() and rest[:1] in (":", " "):
            return rest.lstrip(": ")
    return ""
