"""The trail's tables. The first three are append-only: triggers refuse what code forgets to.

An entry's envelope is for every member; its payload only for its audience. They are apart, so that a payload can be
sealed, or erased when a person asks for it, while the chain still checks.
"""
from __future__ import annotations

import uuid
from typing import Any

from django.db import models
from django.utils.functional import cached_property

from rules.codec import read


class Entry(models.Model):
    """The envelope: number, author, time, and the hash that ties it to the one before."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="entries")
    seq = models.PositiveIntegerField()
    op_id = models.UUIDField()
    actor = models.ForeignKey("campaigns.Member", models.PROTECT, null=True, related_name="entries")
    at = models.DateTimeField()
    audience = models.CharField(max_length=40)  # "all", "gm", or a member's id
    kind = models.CharField(max_length=60)
    session_id = models.UUIDField(null=True)
    scene_id = models.UUIDField(null=True)
    prev = models.CharField(max_length=64)
    hash = models.CharField(max_length=64)
    envelope = models.TextField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "seq"], name="one_entry_a_number"),
            models.UniqueConstraint(fields=["campaign", "op_id"], name="one_entry_an_operation"),
        ]
        indexes = [
            models.Index(fields=["campaign", "kind", "seq"]),
            models.Index(fields=["campaign", "actor", "seq"]),
            models.Index(fields=["campaign", "session_id", "seq"]),
        ]


class Payload(models.Model):
    """What an entry says: canonical JSON, and the salt that its envelope's commitment was made with."""

    entry = models.OneToOneField(Entry, models.PROTECT, primary_key=True, related_name="payload")
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="+")
    salt = models.CharField(max_length=64)
    text = models.TextField()

    @cached_property
    def said(self) -> dict[str, Any]:
        """What it says, read once: whoever asks changes nothing in it. Raises `Unreadable`."""
        return read(self.text)


class Change(models.Model):
    """An index of payloads: this entry is about this object (`field` is ""), or changed this field of it."""

    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="+")
    entry = models.ForeignKey(Entry, models.PROTECT, related_name="index")
    seq = models.PositiveIntegerField()
    object_id = models.UUIDField()
    field = models.CharField(max_length=40, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["entry", "object_id", "field"], name="one_mark_an_entry")]
        indexes = [models.Index(fields=["campaign", "object_id", "field", "seq"])]


class Revelation(models.Model):
    """A sealed entry was shown to all; `by` is the entry that did it."""

    entry = models.OneToOneField(Entry, models.PROTECT, primary_key=True, related_name="revelation")
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="+")
    by = models.ForeignKey(Entry, models.PROTECT, related_name="+")


class Erasure(models.Model):
    """A payload may be deleted, because `by` says so; without this row a trigger refuses."""

    entry = models.OneToOneField(Entry, models.PROTECT, primary_key=True, related_name="erasure")
    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="+")
    by = models.ForeignKey(Entry, models.PROTECT, related_name="+")


class Commitment(models.Model):
    """A secret that the dice of one roll come from; its digest stood in the trail before.

    It is the `number`th of its owner's list, used in order, once. `published` is the entry that committed to it.
    `pinned` is the seed of a throw that was refused afterwards: the same faces fall again. Earlier versions had one
    list for all, without owners: those that are left of it are never used. `retired_by` is the entry that gave it up
    unused; then, and where a campaign came from elsewhere, `secret` is "".
    """

    campaign = models.ForeignKey("campaigns.Campaign", models.PROTECT, related_name="+")
    owner = models.ForeignKey("campaigns.Member", models.PROTECT, null=True, related_name="+")
    number = models.PositiveIntegerField(null=True)
    published = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")
    pinned = models.CharField(max_length=64, null=True)  # noqa: DJ001 - "" is a seed: that of an unwitnessed throw
    place = models.PositiveIntegerField()
    digest = models.CharField(max_length=64)
    secret = models.CharField(max_length=64)
    used_by = models.OneToOneField(Entry, models.PROTECT, null=True, related_name="commitment")
    retired_by = models.ForeignKey(Entry, models.PROTECT, null=True, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["campaign", "place"], name="one_commitment_a_place"),
            models.UniqueConstraint(fields=["owner", "number"], name="one_commitment_a_number"),
        ]
        indexes = [
            models.Index(fields=["campaign", "digest"], name="commitment_by_digest"),
            # Each page names the next one: the used ones are too many to go through.
            models.Index(fields=["owner", "number"], name="commitment_unused",
                         condition=models.Q(used_by=None, retired_by=None)),
        ]
