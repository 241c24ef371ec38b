"""Campaigns that are put away, and brought back; and those that are deleted for good."""
from __future__ import annotations

import uuid

from django.apps import apps
from django.db import router

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Erasure, Member, Role
from campaigns.roles import alone
from campaigns.services import PEOPLE
from campaigns.trail.models import Change, Payload, Revelation
from rules.codec import canonical

trail.declare("campaign.archive", "The campaign is archived", PEOPLE, undoable=False)
trail.declare("campaign.restore", "The campaign is brought back", PEOPLE, undoable=False)
trail.declare("campaign.delete", "The campaign is deleted", PEOPLE, undoable=False)

# What the chain is made of, and who wrote it: it stays, and says nothing any more.
KEPT = (Entry, Payload, Change, Revelation, Erasure, Member)


@trail.answers_once
def archive(*, campaign: Campaign, actor: Member, op_id: uuid.UUID) -> Entry:
    """Puts a campaign away: it stays readable, and nothing more is written in it."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.OWNER, kind="campaign.archive",
        title="The campaign is archived",
    ) as entry:
        entry.change(entry.campaign, archived=True)
    return entry.written


@trail.answers_once
def restore(*, campaign: Campaign, actor: Member, op_id: uuid.UUID) -> Entry:
    """Brings an archived campaign back."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.OWNER, kind="campaign.restore",
        title="The campaign is brought back",
    ) as entry:
        if not entry.change(entry.campaign, archived=False):
            raise Refused("This campaign is not archived.")
    return entry.written


@trail.answers_once
def delete(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, name: str) -> Entry:
    """Deletes a campaign: all that its entries say, all its tables, pictures and its name. `name` is typed to be sure.

    The envelopes of the entries stay, as with every erasure: numbers, times and hashes, which say nothing. Nobody can
    open the campaign any more.
    """
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.OWNER, kind="campaign.delete",
        title="The campaign is deleted",
    ) as entry:
        if name.strip() != entry.campaign.name:
            raise Refused("This is not the campaign’s name. Type it exactly as above.", "name")
        entry.after(_empty)
    return entry.written


@trail.answers_once
def throw_away(*, campaign: Campaign, actor: Member, op_id: uuid.UUID) -> Entry:
    """Deletes a sample that nobody else is in: nothing in it is anybody's work, so nothing is typed to be sure."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.OWNER, kind="campaign.delete",
        title="The sample is deleted",
    ) as entry:
        if not entry.campaign.sample:
            raise Refused("This is no sample. Delete it in its settings.")
        if not Member.objects.filter(alone(), pk=entry.actor.pk).exists():
            raise Refused("Others play in this sample. Delete it in its settings.")
        entry.after(_empty)
    return entry.written


def _empty(written: Entry) -> None:
    campaign = written.campaign
    gone = Entry.objects.filter(campaign=campaign, seq__lt=written.seq)
    Erasure.objects.bulk_create(
        Erasure(entry=entry, campaign=campaign, by=written) for entry in gone.filter(erasure=None).only("pk"))
    using = router.db_for_write(Entry)
    Payload._base_manager.filter(campaign=campaign, entry__in=gone)._raw_delete(using)
    Change._base_manager.filter(campaign=campaign, entry__in=gone)._raw_delete(using)
    for model in apps.get_models():
        if model not in KEPT and any(field.name == "campaign" for field in model._meta.fields):
            # Rows that point at each other go in one transaction: the database looks when it ends.
            model._base_manager.filter(campaign=campaign)._raw_delete(using)
    Member.objects.filter(campaign=campaign).update(active=False)
    # No entry tells of this: its payload would keep the name that is to be gone.
    Campaign.objects.filter(pk=campaign.pk).update(
        name="Deleted", slug=f"deleted-{campaign.pk}", pitch="", settings_json=canonical({}), session_id=None,
        scene_id=None, archived=True, sample=False,
    )
