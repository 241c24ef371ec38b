"""Handing letters over to the mail server, and what becomes of them."""
from __future__ import annotations

from smtplib import SMTPRecipientsRefused

from django.db.models import F

from accounts.models import User
from news.models import Mailbox
from news.post import Letter, send
from news.reach import Reach, mailbox_of, reach


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
    """A mail to this person was refused, or came back."""
    Mailbox.objects.get_or_create(user=user)
    Mailbox.objects.filter(user=user, failures__lt=100).update(failures=F("failures") + 1)
