"""Reads of what people want to be told."""
from __future__ import annotations

from collections.abc import Iterable

from campaigns.models import Member
from news.models import Subscription


def subscriptions(members: Iterable[Member]) -> dict[object, Subscription]:
    """What these members want to be told, by member; one query."""
    found = Subscription.objects.filter(member__in=[member.pk for member in members])
    return {each.member_id: each for each in found}


def subscription_of(member: Member) -> Subscription:
    """What a member wants; not written where they have said nothing yet."""
    found = Subscription.objects.filter(member=member).first()
    return found or Subscription(campaign=member.campaign, member=member)
