"""Who may make an account: `REGISTRATION` says everybody, whoever follows an invitation, or nobody."""
from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from django.conf import settings
from django.utils.module_loading import import_string


class Registration(StrEnum):
    """The setting."""

    OPEN = "open"
    INVITE = "invite"
    CLOSED = "closed"


def may_sign_up(next_page: str) -> bool:
    """Whether somebody who goes on to this page may make an account now."""
    match Registration(settings.REGISTRATION):
        case Registration.OPEN:
            return True
        case Registration.INVITE:
            invited: Callable[[str], bool] = import_string(settings.INVITATION_CHECK)
            return invited(next_page)
        case Registration.CLOSED:
            return False
