"""Secrets of dice that are given up: somebody may know them, so no dice fall from them any more.

Whoever puts a backup back has secrets that were unused then and are known by now; whoever moves a server, or takes a
campaign to another one, leaves a copy behind. What is unused there loses its secret at once (`forget`): nothing can be
thrown from what is not there. The campaign's next list of secrets is preceded by an entry that says which are given up:

    dice.retire     all secrets that no roll used: whose, from which number on, their digests
"""
from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Callable
from typing import Any

from django.db.models import F, QuerySet

from campaigns.trail import pins
from campaigns.trail.declared import Filter, declare
from campaigns.trail.models import Commitment, Entry

RETIRE = "dice.retire"
LOST = ""  # stands where a secret was

declare("dice.retire", "Unused secrets of dice are retired", Filter("dice", "Dice secrets"), undoable=False)


def forget() -> int:
    """Takes the secrets away from all commitments that no roll used; answers of how many."""
    return Commitment.objects.filter(used_by=None).exclude(secret=LOST).update(secret=LOST)


def lost(campaign_id: uuid.UUID) -> QuerySet[Commitment]:
    """The unused commitments of a campaign whose secrets are gone, before an entry says so."""
    return Commitment.objects.filter(
        campaign=campaign_id, used_by=None, retired_by=None, secret=LOST).exclude(owner=None)


def retire_lost(campaign: Any, entry: Callable[..., Any]) -> None:
    """Writes the entry where secrets are gone, in a locked campaign; `entry` is the trail's own."""
    if not lost(campaign.pk).exists():
        return
    # Whoever brought the campaign here knows as much of one secret as of another: all go.
    left = Commitment.objects.filter(campaign=campaign, used_by=None, retired_by=None).exclude(owner=None)
    mine: dict[str, list[Commitment]] = defaultdict(list)
    for row in left.order_by(F("owner__pk"), "number"):
        mine[str(row.owner_id)].append(row)
    title = f"{sum(map(len, mine.values()))} unused dice secrets retired: this is a copy from elsewhere or from before"
    with entry(campaign=campaign, actor=None, kind="dice.retire", title=title) as draft:
        draft.extra["retires"] = [
            {"of": owner, "first": rows[0].number, "commitments": [row.digest for row in rows]}
            for owner, rows in mine.items()
        ]
    left.update(secret=LOST, retired_by=draft.written)


def says_so(entry: Entry | None, owner: uuid.UUID, digest: str) -> bool:
    """Whether an entry retires this secret of this owner."""
    said = pins.opened(entry) if entry is not None else None
    return said is not None and said["kind"] == RETIRE and any(
        retired["of"] == str(owner) and digest in retired["commitments"] for retired in said["retires"])
