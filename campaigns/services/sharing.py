"""Links that show one thing to people without an account: made, and closed."""
from __future__ import annotations

import uuid

from campaigns import trail
from campaigns.errors import Refused
from campaigns.invitations import hash_of
from campaigns.models import Campaign, Entry, Member, Role, SharedLink
from campaigns.services import PEOPLE
from campaigns.sharing import kind_of

trail.declare("share.make", "A link to show", PEOPLE, undoable=False, story=False)
trail.declare("share.close", "A link to show is closed", PEOPLE, undoable=False, story=False)

MAY_NOT = "Only a character’s player and the GM can share it, and only what everyone in the campaign can see."


@trail.answers_once
def share(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, of: str, object_id: uuid.UUID | None, token: str,
) -> Entry:
    """Makes a link to a thing, of which only the hash is kept. Everyone in the campaign can know that there is one."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="share.make") as entry:
        _refuse(entry.actor, of, object_id)
        entry.title = f"A link shows {kind_of(of).name(campaign, object_id)} to anyone who has it"
        entry.create(SharedLink(campaign=campaign, of=of, object_id=object_id, token_hash=hash_of(token)))
        if object_id:
            entry.index(object_id)
    return entry.written


@trail.answers_once
def close(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, link_id: uuid.UUID) -> Entry:
    """Closes a link: from now on it shows nothing."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="share.close") as entry:
        link = entry.locked(SharedLink, pk=link_id)
        if not entry.actor.may(Role.GM):
            _refuse(entry.actor, link.of, link.object_id)
        if not entry.change(link, closed=True):
            raise Refused("This link is already closed.")
        entry.title = "A link that showed a page is closed"
        if link.object_id:
            entry.index(link.object_id)
    return entry.written


def _refuse(actor: Member, of: str, object_id: uuid.UUID | None) -> None:
    if not kind_of(of).may(actor, object_id):
        raise Refused(MAY_NOT)
