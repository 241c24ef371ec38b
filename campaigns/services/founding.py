"""Making a campaign."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db import IntegrityError, transaction
from django.utils.text import slugify

from campaigns import trail
from campaigns.budgets import room_for_campaign
from campaigns.models import Campaign, Member, Role
from campaigns.services import PEOPLE
from campaigns.services.setting import as_stored
from campaigns.trail.tracked import as_kept
from rules.codec import canonical
from rules.registry import system_of
from rules.values import Value

trail.declare("campaign.found", "The campaign begins", PEOPLE, undoable=False)

TRIES = 5  # two who found at the same moment may want one slug


def found(
    *, user: Any, op_id: uuid.UUID, name: str, system: str, pitch: str = "",
    settings: Mapping[str, Value] | None = None, sample: bool = False,
) -> Campaign:
    """Makes a campaign that `user` owns, with its first entries; a repeated `op_id` answers the same campaign.

    A `sample` is there to be looked at, and thrown away with one press.
    """
    for left in reversed(range(TRIES)):
        try:
            return _found(user, op_id, as_kept(name), system, as_kept(pitch), settings or {}, sample=sample)
        except IntegrityError:
            if not left:
                raise
    raise AssertionError("unreachable")


@trail.retried
@transaction.atomic
def _found(
    user: Any, op_id: uuid.UUID, name: str, system: str, pitch: str, settings: Mapping[str, Value], *, sample: bool
) -> Campaign:
    # The id comes from the operation, so that a second click finds the first campaign.
    campaign_id = uuid.uuid5(op_id, str(user.pk))
    if known := Campaign.objects.filter(pk=campaign_id).first():
        return known
    room_for_campaign(user)
    rules = system_of(system)
    settings = as_stored(rules, settings, rules.read_settings(settings))
    campaign = Campaign.objects.create(
        id=campaign_id, slug=free_slug(name), name=name, pitch=pitch, system=system, edition=rules.edition,
        settings_json=canonical(settings), sample=sample,
    )
    owner = Member.objects.create(campaign=campaign, user=user, role=Role.OWNER)
    with trail.entry(
        campaign=campaign, actor=owner, op_id=op_id, needs=Role.OWNER, kind="campaign.found", title=f"{name} begins"
    ) as entry:
        entry.record_created(campaign)
        entry.record_created(owner)
    campaign.refresh_from_db()
    return campaign


def free_slug(name: str) -> str:
    """What nobody has yet, made of a name."""
    start = slugify(name)[:60] or "campaign"
    taken = set(Campaign.objects.filter(slug__startswith=start).values_list("slug", flat=True))
    return next(
        slug for slug in (start, *(f"{start}-{n}" for n in range(2, len(taken) + 3))) if slug not in taken
    )
