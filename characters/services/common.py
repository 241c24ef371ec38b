"""What the services of characters share: who may, which row, and text as the trail can keep it."""
from __future__ import annotations

import uuid

from campaigns.errors import Refused
from campaigns.models import Member, Role
from campaigns.texts import text
from campaigns.trail import ALL, GM, Draft, Filter
from characters.models import Character

SHEETS, GROWTH = Filter("sheets", "Sheets"), Filter("growth", "Growth and healing")
POOLS = Filter("pools", "Pools")

__all__ = [
    "CONCEPT", "GROWTH", "NAME", "NOTE", "POOLS", "REASON", "SHEETS", "STORY", "locked", "may_edit", "text",
]

NAME, CONCEPT, STORY, NOTE, REASON = 120, 200, 20_000, 1000, 400


def may_edit(actor: Member, character: Character) -> bool:
    """Whether this member may change this sheet: its player, and the GM."""
    return actor.may(Role.GM) or (actor.may(Role.PLAYER) and character.player_id == actor.pk and not character.hidden)


def locked(entry: Draft, character_id: uuid.UUID) -> Character:
    """A character under the entry's lock. What is told of a hidden one is for the GM alone."""
    return held_to_edit(entry, entry.locked(Character, pk=character_id))


def held_to_edit(entry: Draft, character: Character | None) -> Character:
    """The same for a row that was read already; None was not found."""
    if character is None:
        raise Refused("This is no longer there. Load the page again.")
    if not may_edit(entry.actor, character):
        raise Refused("Only its player and the GM can change this sheet.")
    entry.audience = GM if character.hidden else ALL
    return character
