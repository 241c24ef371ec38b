"""Who may write, read again under the lock."""
from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Exists, Subquery

from campaigns.errors import Refused
from campaigns.trail import chain
from campaigns.trail.models import Entry

CUT = (
    "This campaign's Ledger does not end where it should: somebody changed the database. Nothing is written until "
    "whoever runs this server has looked at it, with manage.py rebuild --check."
)
AT_REST = ("campaign.restore", "campaign.delete", "member.leave")  # all that is written in an archived campaign
NEEDS = {
    "observer": "Members of this campaign alone can do this.",
    "player": "Observers look on. Ask the GM to make you a player.",
    "gm": "Only the GM can do this.",
    "owner": "Only the owner can do this.",
}


def again(campaign: Any, actor: Any, op_id: uuid.UUID) -> tuple[Any, Entry | None, str]:
    """The actor as they are now, what this operation wrote before, and the hash of the last entry, in one query."""
    before = Entry.objects.filter(campaign=campaign, op_id=op_id)
    ends = Entry.objects.filter(campaign=campaign).order_by("-seq").values("hash")[:1]
    if actor is not None:
        found = type(actor)._default_manager.filter(campaign=campaign, pk=actor.pk)
        if now := found.annotate(done=Exists(before), end=Subquery(ends)).first():
            return now, before.first() if now.done else None, now.end or chain.GENESIS
    end = ends.first()
    return None, before.first(), end["hash"] if end else chain.GENESIS


def hold(now: Any, needs: str) -> Any:
    """The actor, held to what is needed: whoever was removed meanwhile writes nothing."""
    if now is None or not now.active:
        raise Refused("You are no longer a member of this campaign.")
    if not now.may(needs):
        raise Refused(NEEDS[needs])
    return now
