"""Reads of what people want to be told."""
from __future__ import annotations

from collections.abc import Iterable

from campaigns.models import Member
from news.models import Subscription


def subscriptions(members: Iterable[Member]) -> dict[object, Subscription]:
    """What these members want to be told, by member; one query."""
    rows = Subscription.objects.filter(member__in=[member.pk for member in members])
    return {subscription.member_id: subscription for subscription in rows}


def subscription_of(member: Member) -> Subscription:
    """What a member wants; not written where they have said nothing yet."""
    subscription = Subscription.objects.filter(member=member).first()
    return subscription or Subscription(campaign=member.campaign, member=member)
