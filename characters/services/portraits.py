"""A character's picture."""
from __future__ import annotations

import uuid

from campaigns import budgets, trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.pictures import Drawn
from characters.models import Picture, Portrait
from characters.services.common import SHEETS, locked

budgets.PICTURES.append(Picture)
trail.declare("portrait.put", "A portrait", SHEETS, undoable=False)
trail.declare("portrait.remove", "A portrait is removed", SHEETS, undoable=False)


@trail.answers_once
def put(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, picture: Drawn) -> Entry:
    """Gives a character a picture, in place of the one that it had."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="portrait.put") as entry:
        character = locked(entry, character_id)
        budgets.room_for_picture(entry.campaign, len(picture.webp))
        Picture.objects.get_or_create(campaign=entry.campaign, digest=picture.digest, defaults={"webp": picture.webp})
        portrait = Portrait.objects.filter(character=character).first()
        if portrait is None:
            entry.create(Portrait(campaign=entry.campaign, character=character, digest=picture.digest))
        else:
            was = portrait.digest
            if not entry.change(portrait, digest=picture.digest):
                raise Refused("No change: this is already the portrait.", "picture")
            _forget(entry, was)
        entry.title = f"{character.name} has a new portrait"
    return entry.written


@trail.answers_once
def take_down(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID) -> Entry:
    """Takes a picture down, and forgets it."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="portrait.remove") as entry:
        character = locked(entry, character_id)
        portrait = Portrait.objects.filter(character=character).first()
        if portrait is None:
            raise Refused("There is no portrait to remove.")
        was = portrait.digest
        entry.remove(portrait)
        _forget(entry, was)
        entry.title = f"{character.name}: portrait removed"
    return entry.written


def _forget(entry: trail.Draft, digest: str) -> None:
    if not Portrait.objects.filter(campaign=entry.campaign, digest=digest).exists():
        Picture.objects.filter(campaign=entry.campaign, digest=digest).delete()
