"""What the services of characters share: who may, which row, and text as the trail can keep it."""
from __future__ import annotations

import uuid
from collections.abc import Callable

from django.db.models import Q

from campaigns.errors import Refused
from campaigns.models import Member, Role
from campaigns.texts import text
from campaigns.trail import ALL, GM, Draft, Filter
from characters.models import IN_STORY, Character

SHEETS, GROWTH = Filter("sheets", "Sheets"), Filter("growth", "Growth and healing")
POOLS = Filter("pools", "Pools")

__all__ = [
    "CONCEPT", "GROWTH", "NAME", "NOTE", "POOLS", "REASON", "SHEETS", "STORY", "arrived", "died_or_lives", "free",
    "locked", "may_edit", "on_arrival", "on_death", "text",
]

NAME, CONCEPT, STORY, NOTE, REASON = 120, 200, 20_000, 1000, 400


OnSheet = Callable[[Draft, Character], None]
_ARRIVALS: list[OnSheet] = []
_DEATHS: list[OnSheet] = []


def on_arrival(then: OnSheet) -> None:
    """Says what else happens, in the same entry, when a character comes to a player: an app above knows of scenes."""
    _ARRIVALS[:] = [then]


def arrived(entry: Draft, character: Character) -> None:
    """A character has just come to a player."""
    for then in _ARRIVALS:
        then(entry, character)


def on_death(then: OnSheet) -> None:
    """Says what else happens, in the same entry, when the GM says of a character that it is dead, or lives again: an
    app above knows of contests."""
    _DEATHS[:] = [then]


def died_or_lives(entry: Draft, character: Character) -> None:
    """The GM has just said of a character that it is dead, or lives again."""
    for then in _DEATHS:
        then(entry, character)


def free() -> Q:
    """Characters that any player may take: player characters without a player."""
    return IN_STORY & Q(npc=False, hidden=False, player=None)


def may_edit(actor: Member, character: Character) -> bool:
    """Whether this member may change this sheet: its player, and the GM."""
    return actor.may(Role.GM) or (actor.may(Role.PLAYER) and character.player_id == actor.pk and not character.hidden)


def locked(entry: Draft, character_id: uuid.UUID) -> Character:
    """A character under the entry's lock. What is told of a hidden one is for the GM alone."""
    return held_to_edit(entry, entry.locked(Character, pk=character_id))


def held_to_edit(entry: Draft, character: Character | None) -> Character:
    """The same for a row that was read already; None was not found."""
    if character is None:
        raise Refused("This no longer exists. Reload the page.")
    if not may_edit(entry.actor, character):
        raise Refused("Only its player and the GM can change this sheet.")
    entry.audience = GM if character.hidden else ALL
    return character
