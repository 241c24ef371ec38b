"""The lock on guessing passwords: which name it falls on, how long it holds, and what opens it.

django-axes counts failures for a name and an address. Each lock within a day is longer than the one before, so that
whoever goes on guessing gets a few dozen tries a day, and whoever only forgot waits five minutes.
"""
from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from axes.handlers.database import AxesDatabaseHandler
from axes.helpers import get_client_username
from axes.models import AccessAttempt, AccessFailureLog
from axes.utils import reset
from django.contrib.auth import authenticate
from django.http import HttpRequest
from django.utils import timezone

from accounts.models import User
from accounts.names import key_of

WAITS = (timedelta(minutes=5), timedelta(minutes=15), timedelta(hours=1))


class Guard(AxesDatabaseHandler):
    """Keeps failures in the database, as axes does, except for when they are forgotten."""

    def clean_expired_user_attempts(
        self, request: HttpRequest | None = None, credentials: dict[str, Any] | None = None
    ) -> int:
        """Forgets this name's failures once its own wait is over: axes would measure all names' by this one's."""
        gone = AccessAttempt.objects.filter(attempt_time__lte=timezone.now() - WAITS[-1]).delete()[0]
        if request is not None:
            over = timezone.now() - cool_off(request)
            for attempts in self.filter_user_attempts(request, credentials):
                gone += attempts.filter(attempt_time__lte=over).delete()[0]
        return gone


def name_in(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> str:
    """The name that somebody tries, however it is spelt."""
    name = (credentials or {}).get("username") or request.POST.get("username") or ""
    return key_of(str(name).strip()).replace("\0", "")[:255]


def cool_off(request: HttpRequest) -> timedelta:
    """How long a lock holds: longer with each that fell within a day."""
    locks = AccessFailureLog.objects.filter(
        username=name_in(request, getattr(request, "tried", None)), locked_out=True,
        ip_address=getattr(request, "axes_ip_address", None), attempt_time__gt=timezone.now() - timedelta(days=1),
    ).count()
    return WAITS[min(max(locks, 1), len(WAITS)) - 1]


def opens_at(request: HttpRequest, credentials: Mapping[str, Any] | None = None) -> datetime:
    """When the lock opens again."""
    name = get_client_username(request, dict(credentials or {}))
    attempts = AccessAttempt.objects.filter(username=name, ip_address=getattr(request, "axes_ip_address", None))
    last = attempts.order_by("-attempt_time").values_list("attempt_time", flat=True).first()
    return (last or timezone.now()) + cool_off(request)


def knows_password(request: HttpRequest, password: str) -> bool:
    """Whether this is the password of who is logged in. Wrong ones count as they do at log-in."""
    user = request.user
    assert isinstance(user, User)  # noqa: S101 - only asked behind log-in
    request.tried = {"username": user.username}  # type: ignore[attr-defined]
    return authenticate(request, username=user.username, password=password) is not None


def unlock(user: User) -> None:
    """Opens every lock on this name: whoever reads the person's mail need not guess."""
    reset(username=key_of(user.username))
    AccessFailureLog.objects.filter(username=key_of(user.username)).delete()
