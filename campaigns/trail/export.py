"""The trail as a file that `verify.py` checks offline: JSON lines, each written in one way only.

The first line is the header, the others are the entries, oldest first:

    {"campaign":"…","export":"campaign-trail","head":{"hash":"…","seq":7},"v":1}
    {"envelope":"…","hash":"…","payload":"…","salt":"…"}

Envelopes and payloads are the stored texts, as strings. What the viewer may not read, and what was erased, has neither
payload nor salt. Nothing stands in the file that the chain does not bind: the campaign's name is in its entries.
"""
from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from campaigns.trail.models import Entry
from campaigns.trail.visible import may_read

if TYPE_CHECKING:
    from campaigns.access import Viewer

CHUNK = 500


def export(viewer: Viewer) -> Iterator[str]:
    """The lines of the viewer's export; one query for each 500 entries."""
    entries = Entry.objects.filter(campaign=viewer.campaign)
    last, head = entries.order_by("-seq").values_list("seq", "hash").first() or (0, viewer.campaign.head_hash)
    yield _line({
        "v": 1, "export": "campaign-trail", "campaign": str(viewer.campaign.pk), "head": {"seq": last, "hash": head},
    })
    for start in range(0, last, CHUNK):
        chunk = entries.filter(seq__gt=start, seq__lte=min(start + CHUNK, last))
        for entry in chunk.select_related("payload", "revelation").order_by("seq"):
            payload = entry.payload if may_read(viewer, entry) and hasattr(entry, "payload") else None
            yield _line({
                "envelope": entry.envelope, "hash": entry.hash, "salt": payload and payload.salt,
                "payload": payload and payload.text,
            })


def _line(document: dict[str, Any]) -> str:
    # Not the codec's `canonical`: NFC over a text that is JSON already would draw the "n" of a written "\n" into a
    # letter with the accent that follows it.
    return json.dumps(document, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
