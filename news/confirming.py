"""Asking a person to confirm their address."""
from __future__ import annotations

import uuid

from django.utils import timezone
from django_tasks import task

from accounts.models import User
from jobs.queue import ask
from news.delivery import hand_over
from news.links import confirm_url
from news.post import Letter
from news.reach import Reach, digest_of, mailbox_of, reach


@task()
def mail_confirmation(user_id: str) -> None:
    """Sends a link that confirms the address. It tells nothing of any campaign: whose address it is isn't known yet."""
    user = User.objects.filter(pk=uuid.UUID(user_id)).first()
    if user and reach(user, mailbox_of(user)) in (Reach.UNCONFIRMED, Reach.REFUSED):
        url, name = confirm_url(user), f"confirm {user.pk} {digest_of(user.email)} {timezone.now().date()}"
        hand_over(Letter(name, user, "Confirm your e-mail address", "confirm", {"url": url}))


def ask_to_confirm(*, user: User, again: bool = False) -> None:
    """Sends a link that confirms the address, once; with `again` whatever was sent before."""
    mailbox = mailbox_of(user)
    if reach(user, mailbox) in ((Reach.UNCONFIRMED, Reach.REFUSED) if again else (Reach.UNCONFIRMED,)):
        digest = digest_of(user.email)
        if again or mailbox.asked != digest:
            if digest not in (mailbox.asked, mailbox.confirmed):
                mailbox.failures = 0  # those of another address say nothing of this one
            mailbox.asked = digest
            mailbox.save()
            ask(mail_confirmation, str(user.pk))
