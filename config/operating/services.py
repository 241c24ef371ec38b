"""What an operator does to accounts; by the page, and by `manage.py person` where there is no mail."""
from __future__ import annotations

import uuid

from django.conf import settings
from django.contrib.auth.tokens import default_token_generator
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode

from accounts.guessing import unlock
from accounts.models import User
from campaigns.errors import Refused
from campaigns.services.departing import depart


def lock(*, person: User, locked: bool) -> None:
    """Keeps somebody out, from their next request on, or lets them in again. Nothing of theirs changes."""
    _not_an_operator(person)
    person.is_active = not locked
    person.save(update_fields=["is_active"])


def password_link(*, person: User) -> str:
    """An address at which they choose a new password, for as long as one that is sent by mail; it works once."""
    _not_an_operator(person)
    unlock(person)
    who, token = urlsafe_base64_encode(force_bytes(person.pk)), default_token_generator.make_token(person)
    return str(settings.SITE_URL) + reverse("set_password", args=(who, token))


def delete(*, person: User) -> None:
    """Deletes an account as its person would: refused while they own a campaign that others play in."""
    _not_an_operator(person)
    depart(user=person, op_id=uuid.uuid4())


def _not_an_operator(person: User) -> None:
    if person.is_staff:
        raise Refused(f"{person.username} is an operator. Run manage.py operator {person.username} --remove first.")
