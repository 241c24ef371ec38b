"""A campaign as the lines of its file: all that its Ledger says, sealed or not, and what no entry carries."""
from __future__ import annotations

import base64
import re
from collections.abc import Callable, Iterator
from typing import Any

from campaigns.carrying.lines import IS, VERSION, packed
from campaigns.carrying.pictures import PICTURES
from campaigns.errors import Refused
from campaigns.models import Campaign, Commitment, Entry, Erasure, Member

BATCH = 500
SAID = 5000  # entries between two words of how far it is
UNMATCHED = re.compile(r"\.unmatched(\.\d+)?\Z")


Say = Callable[[str], object]


def file_of(campaign: Campaign, say: Say = lambda said: None) -> Iterator[bytes]:
    """The bytes of a campaign's file; raises `Refused` where it was deleted. `say` gets a line now and then."""
    if Erasure.objects.filter(campaign=campaign).exists():
        raise Refused("The texts of this campaign’s entries were erased. There is nothing to export.")
    return packed(documents(campaign, say))


def documents(campaign: Campaign, say: Say = lambda said: None) -> Iterator[dict[str, Any]]:
    """The documents of the file, up to the entry that the campaign's row names as the last; a query for 500 rows."""
    campaign.refresh_from_db()
    last = campaign.head_seq
    yield {
        "is": IS, "v": VERSION, "campaign": str(campaign.pk), "head": {"seq": last, "hash": campaign.head_hash},
        "slug": campaign.slug, "system": campaign.system, "edition": campaign.edition, "sample": campaign.sample,
        "created": campaign.created.isoformat(),
    }
    count = 1
    for part in (_people(campaign), _entries(campaign, last, say), _secrets(campaign, last), _pictures(campaign)):
        for document in part:
            yield document
            count += 1
    yield {"is": "end", "lines": count}


def called(member: Member) -> str | None:
    """What the file calls a member: the person's name, without what says that they were not found here yet."""
    return None if member.user.deleted_at else UNMATCHED.sub("", member.user.username)


def _people(campaign: Campaign) -> Iterator[dict[str, Any]]:
    for member in campaign.members.select_related("user").order_by("pk"):
        yield {"is": "person", "member": str(member.pk), "name": called(member), "joined": member.joined.isoformat(),
               "seen": member.seen_seq}


def _entries(campaign: Campaign, last: int, say: Say) -> Iterator[dict[str, Any]]:
    for start in range(0, last, BATCH):
        if start and start % SAID == 0:
            say(f"{start:,} of {last:,} entries written …")
        entries = Entry.objects.filter(campaign=campaign, seq__gt=start, seq__lte=min(start + BATCH, last))
        for entry in entries.select_related("payload", "revelation__by").order_by("seq"):
            shown = entry.revelation.by.seq if hasattr(entry, "revelation") else None
            yield {
                "is": "entry", "envelope": entry.envelope, "hash": entry.hash, "salt": entry.payload.salt,
                "payload": entry.payload.text, "audience": entry.audience,
                "shown": shown if shown is None or shown <= last else None,
            }


def _secrets(campaign: Campaign, last: int) -> Iterator[dict[str, Any]]:
    """What no roll has used goes without the secret: whoever has the file must not know what will fall."""
    for start in range(0, Commitment.objects.filter(campaign=campaign).count(), BATCH):
        rows = Commitment.objects.filter(campaign=campaign, place__gte=start, place__lt=start + BATCH)
        for row in rows.select_related("published", "used_by", "retired_by").order_by("place"):
            by = (row.published, row.used_by, row.retired_by)
            published, used, retired = (entry.seq if entry else 0 for entry in by)
            if published > last:
                continue
            used, retired = (seq if seq <= last else 0 for seq in (used, retired))
            yield {
                "is": "secret", "place": row.place, "digest": row.digest, "number": row.number,
                "owner": str(row.owner_id) if row.owner_id else None, "published": published or None,
                "used": used or None, "retired": retired or None, "pinned": row.pinned,
                "secret": row.secret if used else None,
            }


def _pictures(campaign: Campaign) -> Iterator[dict[str, Any]]:
    for name, model in sorted(PICTURES.items()):
        for row in model._base_manager.filter(campaign=campaign).order_by("digest").iterator(chunk_size=20):
            webp = base64.b64encode(bytes(row.webp)).decode()  # type: ignore[attr-defined]
            yield {"is": "picture", "of": name, "digest": row.digest, "webp": webp}  # type: ignore[attr-defined]
