"""Handing letters over to the mail server, and what becomes of them."""
from __future__ import annotations

from collections.abc import Collection
from smtplib import SMTPRecipientsRefused

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from accounts.models import User
from campaigns.errors import Refused
from news.models import Mailbox
from news.post import Letter, send, sent_as
from news.reach import LATELY, Reach, digest_of, mailbox_of, reach


def deliver(letter: Letter) -> None:
    """Sends a letter to somebody who can be reached."""
    if reach(letter.to, mailbox_of(letter.to)) == Reach.GOOD:
        hand_over(letter)


def hand_over(letter: Letter) -> None:
    """Sends a letter. An address that is refused for good is counted; anything else that fails is tried again."""
    try:
        send(letter)
    except SMTPRecipientsRefused as refused:
        if any(code < 500 for code, _ in refused.recipients.values()):
            raise
        failed(user=letter.to)
    else:
        Mailbox.objects.filter(user=letter.to).exclude(failures=0).update(failures=0)


def failed(*, user: User) -> None:
    """A mail to this person was refused."""
    Mailbox.objects.get_or_create(user=user)
    Mailbox.objects.filter(user=user, failures__lt=100).update(failures=F("failures") + 1)


@transaction.atomic
def came_back(*, message_id: str, addresses: Collection[str]) -> int:
    """A mail that went out to one of these addresses was returned for good; answers whose accounts that is noted of.

    Only the name of a mail that this site sent to the address proves it. Told twice, it counts once.
    """
    proven = [(address, name) for address in addresses if (name := sent_as(message_id, address))]
    if not proven:
        raise Refused("This site sent no such mail to that address.")
    [(address, name), *_], now = proven, timezone.now()
    digest, people = digest_of(address), User.objects.filter(email__iexact=address, is_active=True)
    for user in people:
        Mailbox.objects.get_or_create(user=user)
        mailbox = Mailbox.objects.select_for_update().get(user=user)
        if mailbox.returned_from != digest or mailbox.returned_at is None or now - mailbox.returned_at >= LATELY:
            mailbox.returned = 0
        elif mailbox.returned_letter == name:
            continue
        mailbox.returned, mailbox.returned_from = min(mailbox.returned + 1, 100), digest
        mailbox.returned_at, mailbox.returned_letter = now, name
        mailbox.save()
    return len(people)
