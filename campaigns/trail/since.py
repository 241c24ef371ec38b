"""What a browser asks for to hold the Ledger against what it kept: the chain from an entry on, and its own rolls."""
from __future__ import annotations

import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet

from accounts.statements import compiled_once
from campaigns.trail.dice import DICE, unused_by
from campaigns.trail.models import Commitment, Entry
from campaigns.trail.visible import head_of, may_read

if TYPE_CHECKING:
    from campaigns.access import Viewer

MOST = 200


@dataclass(frozen=True)
class KeptContext:
    """What a page tells the browser that keeps receipts: the last entry that it shows, the secret of its next roll."""

    campaign: str
    member: str
    head: int
    hash: str
    number: int  # 0 where there is none
    commitment: str


def kept(viewer: Viewer) -> KeptContext:
    """For one viewer's page; one query."""
    campaign, secret = viewer.campaign, next_secret(viewer) or {"number": 0, "commitment": ""}
    head = head_of(viewer)
    return KeptContext(str(campaign.pk), str(viewer.member.pk), head.seq, head.hash, **secret)


def since(viewer: Viewer, seq: int) -> dict[str, Any]:
    """Entry `seq` and those after it, as an export has them, with payloads of the viewer's own rolls alone."""
    rows = _from(viewer.campaign.pk, seq)
    return {
        "head": {"seq": viewer.campaign.head_seq, "hash": viewer.campaign.head_hash},
        "next": next_secret(viewer), "more": len(rows) > MOST,
        "entries": [_row(viewer, entry) for entry in rows[:MOST]],
    }


@compiled_once
def _from(campaign: uuid.UUID, seq: int) -> QuerySet[Entry]:
    entries = Entry.objects.filter(campaign=campaign, seq__gte=seq).select_related("payload", "revelation")
    return entries.order_by("seq")[: MOST + 1]


def _row(viewer: Viewer, entry: Entry) -> dict[str, Any]:
    mine = entry.actor_id == viewer.member.pk and DICE in entry.envelope
    payload = entry.payload if mine and may_read(viewer, entry) and hasattr(entry, "payload") else None
    return {
        "envelope": entry.envelope, "hash": entry.hash, "salt": payload and payload.salt,
        "payload": payload and payload.text,
    }


def next_secret(viewer: Viewer) -> dict[str, Any] | None:
    """The number and the digest of the secret that the viewer's next roll will use."""
    rows = _next(viewer.campaign.pk, viewer.member.pk) if viewer.plays else []
    return {"number": rows[0]["number"], "commitment": rows[0]["digest"]} if rows else None


@compiled_once
def _next(campaign: uuid.UUID, owner: uuid.UUID) -> QuerySet[Commitment, Any]:
    return unused_by(campaign, owner).values("number", "digest")[:1]
