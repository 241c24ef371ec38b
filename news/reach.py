"""Whether a person can be reached by mail: their address is confirmed, and takes what is sent to it."""
from __future__ import annotations

import hashlib
from enum import StrEnum

from accounts.models import User
from news.models import Mailbox

MOST_FAILURES = 3


class Reach(StrEnum):
    """How it is with a person's address."""

    NONE = "none"  # there is none
    UNCONFIRMED = "unconfirmed"
    REFUSED = "refused"  # too often: nothing is sent any more
    GOOD = "good"


def digest_of(address: str) -> str:
    """What is kept of an address beside the account."""
    return hashlib.sha256(address.strip().casefold().encode()).hexdigest()


def mailbox_of(user: User) -> Mailbox:
    """What is known of a person's mails; not written where there is nothing yet."""
    return Mailbox.objects.filter(user=user).first() or Mailbox(user=user)


def reach(user: User, mailbox: Mailbox) -> Reach:
    """Whether mails go to this person."""
    if not user.email or not user.is_active:
        return Reach.NONE
    if mailbox.confirmed != digest_of(user.email):
        return Reach.UNCONFIRMED
    return Reach.REFUSED if mailbox.failures >= MOST_FAILURES else Reach.GOOD
