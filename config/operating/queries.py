"""What an operator sees of the site."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone

from accounts.models import User
from accounts.names import key_of
from campaigns.keeping import nightly
from campaigns.models import Campaign

SHOWN = 30


def people(name: str) -> QuerySet[User]:
    """Accounts whose name begins so, or those that logged in last."""
    users = User.objects.filter(deleted_at=None).annotate(
        campaigns=Count("memberships", filter=Q(memberships__active=True)))
    if name:
        return users.filter(name_key__startswith=key_of(name)).order_by("name_key")[:SHOWN]
    return users.order_by(F("last_login").desc(nulls_last=True), "-date_joined", "pk")[:SHOWN]


def largest() -> Sequence[Campaign]:
    """The campaigns with the longest trails."""
    return list(Campaign.objects.only("name", "head_seq", "archived", "created").order_by("-head_seq", "pk")[:SHOWN])


@dataclass(frozen=True)
class LastBackup:
    """The newest nightly backup."""

    made: datetime
    size: int

    @property
    def is_late(self) -> bool:
        """Whether there should be a newer one."""
        return timezone.now() - self.made > timedelta(days=2)


def last_backup() -> LastBackup | None:
    """The newest of those that the worker writes every night; None where there is none, or none can be read."""
    try:
        newest = nightly.last()
    except OSError:
        return None
    return LastBackup(*newest) if newest else None
