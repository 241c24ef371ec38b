"""Writes to accounts."""
from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounts.guessing import unlock
from accounts.models import User
from accounts.names import GONE


@transaction.atomic
def empty(*, user: User) -> None:
    """Leaves nothing of a person but a row that the trail can point at.

    Every session of theirs ends with this: a session holds a digest of the password, and the account is closed.
    """
    unlock(user)
    user.username = f"{GONE}{user.pk.hex}"
    user.email = ""
    user.set_unusable_password()
    user.is_active = user.is_staff = user.is_superuser = False
    user.last_login = None
    user.deleted_at = timezone.now()
    user.save()
    user.groups.clear()
    user.user_permissions.clear()
