"""What is in no hashed byte and yet decides what is read, held against what is: audiences, the index, revelations,
erasures, and the secrets of dice.

`Beside` reads all of it for some entries in a fixed number of queries; its methods raise `Broken` in a sentence.
"""
from __future__ import annotations

import hashlib
from collections import defaultdict
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import Prefetch, Q

from campaigns.errors import Broken
from campaigns.trail import chain, pins, retiring
from campaigns.trail.models import Change, Commitment, Entry, Erasure, Revelation
from campaigns.trail.visible import payload_of

if TYPE_CHECKING:
    from campaigns.models import Campaign

# What a check of entries reads with them: few are revealed or erased, so that to join these costs more than to ask.
WITH = [Prefetch(name, model._base_manager.select_related("by__payload"))
        for name, model in (("revelation", Revelation), ("erasure", Erasure))]

Mark = tuple[str, str]


def marks_of(payload: dict[str, Any]) -> set[Mark]:
    """The index of an entry: what it is about (field ""), and each field that it changed."""
    marks = {(about, "") for about in payload["about"]}
    for change in payload["changes"]:
        marks |= {(change["id"], "")} | {(change["id"], name) for name in change["became"] or change["was"]}
    return marks


class Beside:
    """What stands beside some entries."""

    def __init__(self, campaign: Campaign, entries: Sequence[Entry], payloads: dict[int, dict[str, Any]]) -> None:
        self._campaign = campaign
        self._marks: dict[Any, set[Mark]] = defaultdict(set)
        for entry_id, object_id, field, seq in Change.objects.filter(entry__in=entries).values_list(
            "entry_id", "object_id", "field", "seq"
        ):
            self._marks[entry_id, seq].add((str(object_id), field))
        shown = Revelation.objects.filter(by__in=entries).values_list("by_id", "entry__seq")
        self._shown: dict[Any, int] = dict(shown)
        digests = {chain.read_envelope(entry.envelope)["dice"] for entry in entries} - {None}
        for payload in payloads.values():
            digests |= set(payload.get("commitments", ()))
            digests |= {digest for retired in payload.get("retires", ()) for digest in retired["commitments"]}
        self._secrets: dict[str, list[Commitment]] = defaultdict(list)
        for row in Commitment.objects.filter(campaign=campaign, digest__in=digests):
            self._secrets[row.digest].append(row)

    def holds(self, entry: Entry, envelope: dict[str, Any], payload: dict[str, Any] | None) -> None:
        """The entry's row, its index, and who may read it, as the entry itself says."""
        said = envelope.get("audience")
        if said is not None and said != chain.for_whom(entry.audience):
            raise Broken("its row says that others may read it than its envelope does")
        if hasattr(entry, "revelation"):
            self._marked_by(entry, entry.revelation.by, "entry.reveal", "reveals", "revealed")
        if hasattr(entry, "erasure"):
            self._erased_by(entry, entry.erasure.by)
        if payload is None:
            return
        if payload.get("audience", entry.audience) != entry.audience:
            raise Broken("its row says that others may read it than its payload does")
        if (payload["session"], payload["scene"]) != (_text(entry.session_id), _text(entry.scene_id)):
            raise Broken("its row names another session or scene than its payload")
        if self._marks.get((entry.pk, entry.seq), set()) != marks_of(payload):
            raise Broken("the index of what it is about and what it changed is not what it says")
        if payload["kind"] == "entry.reveal" and self._shown.get(entry.pk) != payload["reveals"]:
            raise Broken("it reveals an entry which is sealed all the same")

    def _marked_by(self, entry: Entry, by: Entry, kind: str, names: str, done: str) -> None:
        payload = payload_of(by) or {}
        later = by.campaign_id == entry.campaign_id and by.seq > entry.seq
        if not later or by.kind != kind or payload.get("kind") != kind or payload.get(names) != entry.seq:
            raise Broken(f"it is marked as {done}, and no entry says so")

    def _erased_by(self, entry: Entry, by: Entry) -> None:
        """An entry erases one before it; the end of a campaign erases all of them."""
        if by.kind != "campaign.delete" or by.campaign_id != entry.campaign_id or by.seq <= entry.seq:
            self._marked_by(entry, by, "entry.erase", "erases", "erased")

    def published(self, entry: Entry, payload: dict[str, Any]) -> None:
        """The secrets behind what this entry commits to: each is the one, and its owner's, and has its number."""
        for place, digest in enumerate(payload["commitments"]):
            row = self._secret(digest)
            gone = row.secret == retiring.LOST and row.used_by_id is None
            if not gone and hashlib.sha256(bytes.fromhex(row.secret)).hexdigest() != digest:
                raise Broken("a secret behind its commitments is not the one that was committed to")
            if "of" in payload and (str(row.owner_id), row.number, row.published_id) != (
                payload["of"], payload["first"] + place, entry.pk
            ):
                raise Broken("a secret that it commits to has another owner or number by now")

    def used(self, entry: Entry, digest: str, seeds: Collection[str | None] | None) -> None:
        """The secret that this entry used is marked as used by it, and keeps one of these seeds (None: any)."""
        row = self._secret(digest)
        if row.used_by_id != entry.pk:
            raise Broken("the secret of its dice is not marked as used by it")
        if seeds is not None and row.pinned not in seeds:
            raise Broken("the secret of its dice does not keep the seed that an entry tells of, or none does")

    def retired(self, entry: Entry, digest: str) -> None:
        """The secret that this entry gave up is marked as given up by it, and is gone."""
        row = self._secret(digest)
        if row.retired_by_id != entry.pk or row.secret != retiring.LOST:
            raise Broken("a secret that it retires is still there")

    def _secret(self, digest: str) -> Commitment:
        rows = self._secrets[digest]
        if len(rows) != 1:
            raise Broken("a secret that was committed to is gone, or is there twice")
        return rows[0]


def secrets_left(campaign: Campaign, last: int, published: int, used: int, retired: int) -> None:
    """In the end there are no more secrets than were published up to entry `last`, and no others are marked as used
    or as given up."""
    rows = Commitment.objects.filter(campaign=campaign)
    if rows.filter(Q(published=None) | Q(published__seq__lte=last)).count() != published:
        raise Broken("there are other secrets of dice than those that were committed to")
    if rows.filter(used_by__seq__lte=last).count() != used:
        raise Broken("secrets are marked as used that no entry used")
    if rows.filter(retired_by__seq__lte=last).count() != retired:
        raise Broken("secrets are marked as retired that no entry retires")


def seeds_left(campaign: Campaign, last: int, kept: dict[str, str], early: Collection[str]) -> None:
    """In the end the secrets that are left keep the seeds that entries up to `last` tell of, and no others.

    `kept` are these by the secrets' digests; `early` are the digests of those that may keep one without an entry.
    """
    rows = Commitment.objects.filter(campaign=campaign).exclude(used_by__seq__lte=last).filter(
        Q(retired_by=None) | Q(retired_by__seq__gt=last))
    held = list(rows.exclude(pinned=None).values_list("digest", "pinned", "owner__pk", "number"))
    # Read after the rows: what was kept meanwhile has its entry by now.
    later = Entry.objects.filter(campaign=campaign, seq__gt=last, kind__in=(pins.PIN, pins.EARLIER))
    told = dict(kept)
    for entry in later.select_related("payload"):
        told |= pins.seeds(entry)
    for digest, seed, owner, number in held:
        if told.get(digest) != seed and not (digest in early and digest not in told):
            raise Broken(f"secret {number} of member {owner} keeps a seed that no entry tells of")
    if set(kept) - {digest for digest, *_ in held}:
        raise Broken("a secret no longer keeps the seed that an entry tells of")


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
