"""Deleting an account: each campaign gets an entry that one left, then nothing of the person is kept."""
from __future__ import annotations

import uuid
from typing import Any

from django.db import transaction

from accounts.services import empty
from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Member, Role
from campaigns.roles import A, cap


def to_hand_over(user: Any) -> list[Campaign]:
    """The campaigns that this person owns and that have other members."""
    owned = Member.objects.filter(user=user, active=True, role=Role.OWNER).values("campaign_id")
    others = Member.objects.filter(campaign__in=owned, active=True).exclude(user=user).values("campaign_id")
    return list(Campaign.objects.filter(pk__in=others).order_by("name", "pk"))


def left_alone(user: Any) -> list[Campaign]:
    """The campaigns that nobody else is a member of: without this person nobody can open them."""
    mine = Member.objects.filter(user=user, active=True).values("campaign_id")
    others = Member.objects.filter(campaign__in=mine, active=True).exclude(user=user).values("campaign_id")
    return list(Campaign.objects.filter(pk__in=mine).exclude(pk__in=others).order_by("name", "pk"))


@trail.retried
@transaction.atomic
def depart(*, user: Any, op_id: uuid.UUID) -> None:
    """Leaves every campaign and empties the account. Refused while an owned campaign has other members."""
    # In the order of their ids: two people who depart at once take the locks in the same order.
    for member in Member.objects.filter(user=user, active=True).select_related("campaign").order_by("campaign_id"):
        _leave(member, uuid.uuid5(op_id, str(member.pk)))
    empty(user=user)


def _leave(member: Member, op_id: uuid.UUID) -> None:
    title = f"{cap(A[Role(member.role)])} leaves the campaign"
    with trail.entry(
        campaign=member.campaign, actor=member, op_id=op_id, needs=Role.OBSERVER, kind="member.leave", title=title
    ) as entry:
        now = entry.actor
        others = Member.objects.filter(campaign=member.campaign, active=True).exclude(pk=member.pk)
        if now.role == Role.OWNER and others.exists():
            raise Refused(f"Others play in {member.campaign.name}. Make someone else its owner first.")
        entry.change(now, active=False)
