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
from jobs import queue
from news.models import Mailbox

SHOWN = 30


def people(name: str) -> QuerySet[User]:
    """Accounts whose name begins so, or those that logged in last."""
    users = User.objects.filter(deleted_at=None).annotate(
        campaigns=Count("memberships", filter=Q(memberships__active=True)))
    if name:
        return users.filter(name_key__startswith=key_of(name)).order_by("name_key")[:SHOWN]
    return users.order_by(F("last_login").desc(nulls_last=True), "-date_joined", "pk")[:SHOWN]


def largest() -> Sequence[Campaign]:
    """The campaigns whose trails take most room."""
    rows = Campaign.objects.only("name", "head_seq", "ledger_bytes", "archived", "created")
    return list(rows.order_by("-ledger_bytes", "pk")[:SHOWN])


def refused_mail() -> Sequence[Mailbox]:
    """Whose mail was refused since the last that went out to them; their addresses are nobody’s business."""
    refused = Mailbox.objects.filter(Q(failures__gt=0) | Q(returned__gt=0)).select_related("user")
    return list(refused.order_by("-failures", "pk")[:SHOWN])


def minutes_since_sign() -> int | None:
    """How long ago a worker said that it is there; None where none did for a day."""
    sign = queue.last_sign()
    return None if sign is None else int(sign.total_seconds() // 60)


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
