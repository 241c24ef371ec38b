"""Seeds that secrets keep: dice that fell for what was then refused fall again, from the seed that they fell with.

The seed is in `Commitment.pinned`, and the trail tells of it:

    dice.pin     a secret keeps a seed: which one, and what was to be done with the dice
    dice.pins    once a campaign: the seeds that earlier versions kept, which wrote no entry of them

A campaign that has neither the latter nor a list with `MARK` was last played with one of those versions. From the first
of the two on, a seed without an entry was put there by hand, and nobody can pass it off as an early one. The table is
held against the trail before dice fall, and by each check.
"""
from __future__ import annotations

from collections.abc import Callable
from typing import Any

from campaigns.trail import chain
from campaigns.trail.declared import Filter, declare
from campaigns.trail.models import Commitment, Entry
from rules.codec import Unreadable, read

PIN, EARLIER = "dice.pin", "dice.pins"
MARK = "pins"  # in a list: whatever seed a secret of this campaign keeps has an entry
CHANGED = (
    "These dice would not fall from the seed that the Ledger tells of: someone changed the database. Nothing is "
    "rolled until the person who runs this server has looked at it, with manage.py rebuild --check."
)

_DICE = Filter("dice", "Dice secrets")
declare("dice.", "Secrets of dice are committed to", _DICE, undoable=False, story=False)
declare(PIN, "Refused dice are kept", _DICE, undoable=False, story=False)
declare(EARLIER, "Dice that were kept before are told", _DICE, undoable=False, story=False)


def keep(campaign: Any, refused: Any, taken: Commitment, record: Any, entry: Callable[..., Any]) -> None:
    """A secret keeps the seed of the draft that was refused, and an entry tells whoever would have read the draft.

    `record` is what the draft's dice say of themselves; the secret and its faces are not told.
    """
    title, audience = "Refused dice are kept", refused.audience
    with entry(campaign=campaign, actor=refused.actor, kind="dice.pin", title=title, audience=audience) as draft:
        draft.extra["kept"] = [{
            **_seed(taken, record["client_seed"]), "sides": record["sides"], "act": refused.kind,
            "operation": str(refused.op_id), "given": refused.given,
        }]
    Commitment.objects.filter(pk=taken.pk).update(pinned=record["client_seed"])


def take_over(campaign: Any, entry: Callable[..., Any]) -> None:
    """Tells of the seeds that earlier versions kept; once a campaign, before its dice do anything else."""
    lists = Commitment.objects.filter(campaign=campaign).exclude(owner=None)
    if not lists.exists() or _told(campaign):
        return
    # Only the next secret of each could have been thrown and refused.
    following = {row.owner_id: row for row in lists.filter(used_by=None, retired_by=None).order_by("-number")}
    with entry(campaign=campaign, actor=None, kind="dice.pins", title="Dice that were kept before are told") as draft:
        draft.extra["kept"] = [_seed(row, row.pinned) for row in following.values() if row.pinned is not None]


def _seed(row: Commitment, seed: str) -> dict[str, Any]:
    return {"of": str(row.owner_id), "number": row.number, "commitment": row.digest, "client_seed": seed}


def _told(campaign: Any) -> bool:
    """Whether whatever seed a secret of this campaign keeps has an entry."""
    lists = Entry.objects.filter(campaign=campaign, kind="dice.commit").select_related("payload")
    if (latest := lists.order_by("-seq").first()) and MARK in (opened(latest) or {}):
        return True
    return Entry.objects.filter(campaign=campaign, kind=EARLIER).exists()


def opened(entry: Entry) -> dict[str, Any] | None:
    """What an entry says; None where it is not what its envelope was made with."""
    if not hasattr(entry, "payload"):
        return None
    commit = chain.payload_commit(entry.payload.salt, entry.payload.text)
    try:
        return read(entry.payload.text) if commit == chain.read_envelope(entry.envelope)["payload_commit"] else None
    except Unreadable:
        return None


def seeds(entry: Entry) -> dict[str, str]:
    """The seeds that an entry of either kind tells of, by the digests of the secrets that keep them."""
    return {kept["commitment"]: kept["client_seed"] for kept in (opened(entry) or {"kept": ()})["kept"]}


def seed_of(before: Any, taken: Any, published: dict[str, Any]) -> str | None:
    """The seed that the next secret of somebody keeps, as the trail tells it.

    `before` is the secret before it, `published` the payload of the list that it is of; `kept` of both is the first
    `dice.pin` of their owner since they were used, or since they were published.
    """
    pinned = (before or taken).kept
    if pinned is None and MARK in published:
        return None
    telling = Entry.objects.filter(pk=pinned) if pinned else Entry.objects.filter(
        campaign=taken.campaign_id, kind=EARLIER)
    told = [seeds(entry) for entry in telling.select_related("payload")]
    return told[0].get(taken.digest) if told else None
