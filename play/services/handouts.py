"""A handout: a note of the GM's, made and shown at one press."""
from __future__ import annotations

import uuid
from collections.abc import Collection
from typing import Any

from django.db import transaction

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, View
from campaigns.pictures import Drawn
from campaigns.services import pages


@trail.answers_once
@transaction.atomic
def hand_out(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, title: str, words: str = "", picture: Drawn | None = None,
    members: Collection[uuid.UUID] = (),
) -> Entry:
    """Makes a note of these words and this picture and shows all of it: to everyone, or to these members alone.

    Raises `Refused` where there is neither.
    """
    if not words.strip() and picture is None:
        raise Refused("Write a text, or add a picture.", "text")
    by: dict[str, Any] = {"campaign": campaign, "actor": actor}
    write = uuid.uuid5(op_id, "write")
    pages.write(**by, op_id=write, title=title, words=words, whose="gm")
    page = pages.id_from(campaign, write)
    if picture:
        pages.set_picture(**by, op_id=uuid.uuid5(op_id, "picture"), page_id=page, picture=picture)
    if members:
        return pages.tell(**by, op_id=op_id, page_id=page, views=dict.fromkeys(members, View.ALL))
    return pages.see(**by, op_id=op_id, page_id=page, view=View.ALL)
