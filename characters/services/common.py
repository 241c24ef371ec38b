"""What the services of characters share: who may, which row, and text as the trail can keep it."""
from __future__ import annotations

import unicodedata
import uuid

from campaigns.errors import Refused
from campaigns.models import Member, Role
from campaigns.trail import ALL, GM, Draft, Filter
from characters.models import Character

SHEETS, GROWTH = Filter("sheets", "Sheets"), Filter("growth", "Growth and healing")
POOLS = Filter("pools", "Pools")

NAME, CONCEPT, STORY, NOTE, REASON = 120, 200, 20_000, 1000, 400


def text(given: str, most: int, field: str, *, needed: str = "") -> str:
    """Text as it is kept: NFC like the trail's own, so that a campaign built anew from its trail has the same.

    `needed` is the sentence for an empty one; without it, empty is fine.
    """
    if "\0" in given:
        raise Refused("There is a character in this that can't be kept. Type it anew.", field)
    kept = unicodedata.normalize("NFC", given.replace("\r\n", "\n")).strip()
    if needed and not kept:
        raise Refused(needed, field)
    if len(kept) > most:
        raise Refused(f"Keep this to {most} characters; it has {len(kept)}.", field)
    return kept


def may_edit(actor: Member, character: Character) -> bool:
    """Whether this member may change this sheet: its player, and the GM."""
    return actor.may(Role.GM) or (actor.may(Role.PLAYER) and character.player_id == actor.pk and not character.hidden)


def fresh(entry: Draft, character_id: uuid.UUID) -> Character:
    """A character under the entry's lock. What is told of a hidden one is for the GM alone."""
    character = entry.fresh(Character, pk=character_id)
    if not may_edit(entry.actor, character):
        raise Refused("Only its player and the GM can change this sheet.")
    entry.audience = GM if character.hidden else ALL
    return character
