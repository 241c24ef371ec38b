"""Whether a person can be reached by mail: their address is confirmed, and takes what is sent to it."""
from __future__ import annotations

import hashlib
from datetime import timedelta
from enum import StrEnum

from django.utils import timezone

from accounts.models import User
from news.models import Mailbox

MOST_LOST = 3
LATELY = timedelta(days=30)  # so long a mail that came back counts


class Reach(StrEnum):
    """How it is with a person's address."""

    NONE = "none"  # there is none
    UNCONFIRMED = "unconfirmed"
    REFUSED = "refused"  # too often, or mails came back: nothing is sent any more
    GOOD = "good"


def digest_of(address: str) -> str:
    """What is kept of an address beside the account."""
    return hashlib.sha256(address.strip().casefold().encode()).hexdigest()


def mailbox_of(user: User) -> Mailbox:
    """What is known of a person's mails; not written where there is nothing yet."""
    return Mailbox.objects.filter(user=user).first() or Mailbox(user=user)


def lost(user: User, mailbox: Mailbox) -> int:
    """How many mails to the address that a person has now were refused in a row, or came back lately."""
    here = digest_of(user.email)
    lately = mailbox.returned_at is not None and timezone.now() - mailbox.returned_at < LATELY
    refused = mailbox.failures if here in (mailbox.confirmed, mailbox.asked) else 0
    return refused + (mailbox.returned if lately and mailbox.returned_from == here else 0)


def reach(user: User, mailbox: Mailbox) -> Reach:
    """Whether mails go to this person."""
    if not user.email or not user.is_active:
        return Reach.NONE
    if mailbox.confirmed != digest_of(user.email):
        return Reach.UNCONFIRMED
    return Reach.REFUSED if lost(user, mailbox) >= MOST_LOST else Reach.GOOD
