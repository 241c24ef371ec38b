"""Who may write, read again under the lock."""
from __future__ import annotations

import uuid
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db.models import Exists, QuerySet, Subquery

from accounts.statements import compiled_once
from campaigns.errors import Refused
from campaigns.trail import chain
from campaigns.trail.models import Entry

MB = 1024 * 1024
CUT = (
    "This campaign’s Ledger does not end where it should: someone changed the database. Nothing is written until "
    "the person who runs this server has looked at it, with manage.py rebuild --check."
)
# All that is written in an archived campaign.
AT_REST = ("campaign.restore", "campaign.delete", "campaign.export", "member.leave")
WITHOUT_ROOM = (*AT_REST, "campaign.archive")  # and where there is no room for more
NO_ROOM = (
    "This campaign’s Ledger is full: this server has room for {most} in each campaign. You can still read it, "
    "download it, archive it or leave it."
)
STOPPED = "The X-card was pressed, so the scene is stopped. You can go on when the GM says so at the table."
NEEDS = {
    "observer": "Members of this campaign alone can do this.",
    "player": "Observers look on. Ask the GM to make you a player.",
    "gm": "Only the GM can do this.",
    "owner": "Only the owner can do this.",
}


def again(campaign: Any, actor: Any, op_id: uuid.UUID) -> tuple[Any, Entry | None, str]:
    """The actor as they are now, what this operation wrote before, and the hash of the last entry, in one query."""
    for now in _again(campaign.pk, actor.pk, op_id) if actor is not None else ():
        return now, _before(campaign.pk, op_id).first() if now.done else None, now.end or chain.GENESIS
    end = _ends(campaign.pk).first()
    return None, _before(campaign.pk, op_id).first(), end["hash"] if end else chain.GENESIS


@compiled_once
def _again(campaign: uuid.UUID, actor: uuid.UUID, op_id: uuid.UUID) -> QuerySet[Any]:
    members = apps.get_model("campaigns", "Member")._default_manager.filter(campaign=campaign, pk=actor)
    return members.annotate(done=Exists(_before(campaign, op_id)), end=Subquery(_ends(campaign)[:1]))


def _before(campaign: uuid.UUID, op_id: uuid.UUID) -> QuerySet[Entry]:
    return Entry.objects.filter(campaign=campaign, op_id=op_id)


def _ends(campaign: uuid.UUID) -> QuerySet[Entry, Any]:
    return Entry.objects.filter(campaign=campaign).order_by("-seq").values("hash")


def no_room(campaign: Any) -> str:
    """Why nothing more may be written in this campaign; "" where there is room."""
    if 0 < settings.MOST_ENTRIES <= campaign.head_seq:
        return NO_ROOM.format(most=f"{settings.MOST_ENTRIES:,} entries")
    if 0 < settings.LEDGER_MB * MB <= campaign.ledger_bytes:
        return NO_ROOM.format(most=f"{settings.LEDGER_MB:,} MB")
    return ""


def hold(now: Any, needs: str) -> Any:
    """The actor, held to what is needed: whoever was removed meanwhile writes nothing."""
    if now is None or not now.active:
        raise Refused("You are no longer a member of this campaign.")
    if not now.may(needs):
        raise Refused(NEEDS[needs])
    return now
