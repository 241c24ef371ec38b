"""The secret address at which a person's calendar is read: made, made again, and looked up."""
from __future__ import annotations

import hashlib

from django.db import transaction
from django.utils import timezone

from accounts.conflicts import retried
from accounts.models import CalendarAddress, User


def hash_of(token: str) -> str:
    """What is kept of a secret."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


@retried
@transaction.atomic
def renew(*, user: User, token: str) -> CalendarAddress:
    """The address with this secret is theirs from now on; the one before it stops working."""
    User.objects.select_for_update().get(pk=user.pk)  # two presses at once: one after the other
    user.calendar_addresses.filter(renewed=None).update(renewed=timezone.now())
    return CalendarAddress.objects.create(user=user, token_hash=hash_of(token))


def address_of(user: User) -> CalendarAddress | None:
    """The one that works; None where none was made."""
    return user.calendar_addresses.filter(renewed=None).first()


def find(token: str) -> CalendarAddress | None:
    """The address of this secret, renewed or not; None where there is none, or its person is gone."""
    addresses = CalendarAddress.objects.filter(token_hash=hash_of(token), user__is_active=True)
    return addresses.select_related("user").first()
