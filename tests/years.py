"""Years of a campaign, written into its tables at once: what its last entries say, again and again."""
from __future__ import annotations

import itertools
import uuid
from typing import Any

from campaigns.models import Campaign, Change, Entry, Payload
from campaigns.trail import chain
from characters import snapshots
from characters.models import Character
from rules.codec import canonical

ROUND = 40  # entries of a round, as long as a page of the Ledger


def pass_by(campaign: Campaign, entries: int) -> None:
    """So many more entries: edits of all characters by one of the members, rolls, and what is sealed from players.

    They stand in the campaign's session and scene, and change nothing. Their hashes are none.
    """
    campaign.refresh_from_db()
    last = Entry.objects.filter(campaign=campaign).latest("seq")
    members, characters = list(campaign.members.order_by("joined")), list(Character.objects.filter(campaign=campaign))
    rows: list[Entry] = []
    for turn, seq in enumerate(range(last.seq + 1, last.seq + 1 + entries)):
        kind, audience = (("character.note", "gm"), ("contest.tray", "all"), ("character.edit", "all"))[turn % 3]
        rows.append(Entry(
            campaign=campaign, seq=seq, op_id=uuid.uuid4(), actor=members[turn % ROUND % 2], at=last.at, kind=kind,
            audience=audience, session_id=campaign.session_id, scene_id=campaign.scene_id, prev="0" * 64,
            hash=chain.GENESIS, envelope=last.envelope))
    Entry.objects.bulk_create(rows)
    whose = itertools.cycle(characters)
    about = [next(whose) for _ in rows]
    Payload.objects.bulk_create(
        Payload(entry=row, campaign=campaign, salt="0" * 64, text=_said(row, character))
        for row, character in zip(rows, about, strict=True))
    Change.objects.bulk_create(
        Change(campaign=campaign, entry=row, seq=row.seq, object_id=character.pk, field=field)
        for row, character in zip(rows, about, strict=True) for field in ("", "story"))
    Campaign.objects.filter(pk=campaign.pk).update(head_seq=last.seq + entries)
    campaign.refresh_from_db()
    snapshots.lay_out(campaign.pk)


def _said(row: Entry, character: Character) -> str:
    change: dict[str, Any] = {
        "of": "character", "id": str(character.pk), "was": {"story": f"Before {row.seq}"},
        "became": {"story": f"What happened on day {row.seq}"}}
    return canonical({
        "v": 1, "about": [], "audience": row.audience, "dice": None, "edition": "pdq 1.0", "move": None,
        "outcome": None, "scene": None, "session": None, "kind": row.kind, "title": "A day",
        "changes": [change]})
