"""Writes to accounts."""
from __future__ import annotations

from collections.abc import Callable

from django.db import transaction
from django.utils import timezone

from accounts.conflicts import retried
from accounts.guessing import unlock
from accounts.models import User
from accounts.names import GONE

FORGET: list[Callable[[User], object]] = []  # what the apps above keep of a person, and leave off keeping


@retried
@transaction.atomic
def empty(*, user: User) -> None:
    """Leaves nothing of a person but a row that the trail can point at.

    Every session of theirs ends with this: a session holds a digest of the password, and the account is closed.
    """
    unlock(user)
    for forget in FORGET:
        forget(user)
    user.username = f"{GONE}{user.pk.hex}"
    user.email = user.time_zone = ""
    user.calendar_addresses.all().delete()
    user.set_unusable_password()
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.deleted_at = timezone.now()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
