"""How often something was tried lately, by an account, by an address, or by one from the other; kept in the database.

Names and addresses are kept as digests under the server's key: a copy of the table tells nobody who tried what.
"""
from __future__ import annotations

import math
from datetime import datetime, timedelta

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import salted_hmac

from accounts.addresses import network_of
from accounts.conflicts import retried
from accounts.models import Tally

FORGOTTEN = timedelta(days=1)  # after the last time
HOUR = timedelta(hours=1)


class Wait(Exception):
    """It was tried too often: how long until it may be tried again."""

    def __init__(self, what: str, left: timedelta) -> None:
        self.seconds = max(1, math.ceil(left.total_seconds()))
        minutes = math.ceil(self.seconds / 60)
        self.sentence = f"{what} You can try again in {minutes} minute{'' if minutes == 1 else 's'}."
        super().__init__(self.sentence)


def address_of(request: HttpRequest) -> str:
    """What a request is counted by."""
    return network_of(request.META.get("REMOTE_ADDR", ""))


def digest(text: str) -> str:
    """What is kept of a name or an address; nothing of nothing."""
    return salted_hmac("accounts.tallies", text, algorithm="sha256").hexdigest() if text else ""


def locked(what: str, *, account: str = "", address: str = "", now: datetime) -> Tally:
    """The row, made where there is none, begun anew where it is forgotten. Inside a transaction, which it holds."""
    Tally.objects.filter(last__lt=now - FORGOTTEN).delete()
    row, _ = Tally.objects.select_for_update().get_or_create(
        what=what, account=digest(account), address=digest(address), defaults={"times": 0, "since": now, "last": now}
    )
    return row


def count(row: Tally, now: datetime) -> None:
    """Once more."""
    row.times += 1
    row.last = now
    row.save(update_fields=["times", "since", "last"])


@retried
@transaction.atomic
def take(what: str, *, most: int, too_often: str, account: str = "", address: str = "") -> None:
    """Counts one of the `most` that there may be in an hour; raises `Wait`."""
    now = timezone.now()
    row = locked(what, account=account, address=address, now=now)
    if row.since <= now - HOUR:
        row.times, row.since = 0, now
    if row.times >= most:
        raise Wait(too_often, row.since + HOUR - now)
    count(row, now)
