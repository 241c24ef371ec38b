"""Who sees what of a character: its face to everyone, and more of it to single players."""
from __future__ import annotations

import uuid
from collections.abc import Mapping

from campaigns import sight, trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role, View
from characters.models import Character
from characters.services.common import SHEETS, locked, text
from characters.services.lifecycle import card_of, hide, present, show

LOOKS = 2000

trail.declare("character.face", "The name and picture of a character are shown", SHEETS, sight.SHOWN)
trail.declare("character.look", "Appearance", SHEETS, story=False)
trail.declare("character.told", "Who sees a character", SHEETS, story=False)

__all__ = ["face", "look", "see", "tell"]


def see(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, view: View) -> Entry:
    """Sets how much of an NPC everyone may know."""
    service = {View.ALL: show, View.FACE: face, View.NOTHING: hide}[view]
    return service(campaign=campaign, actor=actor, op_id=op_id, character_id=character_id)


@trail.answers_once
def face(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID) -> Entry:
    """Lets everyone know an NPC by its face, and no number of it. Where all was known, this is sealed: they know."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="character.face") as entry:
        character = locked(entry, character_id)
        if not character.npc:
            raise Refused("Only of an NPC players may know less than all.")
        appears = character.view is View.NOTHING
        if not entry.change(character, hidden=True, face=True):
            raise Refused("No change: players already see its name and picture.")
        if appears:
            entry.audience, entry.title = trail.ALL, f"{character.name} is seen"
            entry.extra["card"] = card_of(character)
        else:
            entry.audience, entry.title = trail.GM, f"{character.name}: players see the name and picture"
    return entry.written


@trail.answers_once
def look(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, looks: str) -> Entry:
    """Writes what anyone would see of a character; sealed while nobody is to know of it."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="character.look") as entry:
        character = locked(entry, character_id)
        if not entry.change(character, looks=text(looks, LOOKS, "looks")):
            raise Refused("No change: the text is the same.", "looks")
        entry.audience = trail.GM if character.view is View.NOTHING else trail.ALL
        entry.title = f"{character.name}: appearance"
    return entry.written


@trail.answers_once
def tell(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, views: Mapping[uuid.UUID, View]
) -> Entry:
    """Sets what single players may know of an NPC beyond everyone. Each who learns more gets an entry of their own."""
    return sight.tell_players(
        campaign=campaign, actor=actor, op_id=op_id, views=views, kind="character.told",
        shown={View.ALL: "character.show", View.FACE: "character.face"},
        find=lambda entry: locked(entry, character_id), present=_present)


def _present(entry: trail.Draft, character: Character, view: View) -> None:
    """Says in an entry of one player's what they see of it."""
    entry.title = f"{character.name} {'appears' if view is View.ALL else 'is seen'}"
    entry.index(character.pk)
    if view is View.ALL:
        present(entry, character)
    else:
        entry.extra["card"] = card_of(character)
