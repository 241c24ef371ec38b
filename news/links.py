"""Signed links in mails: they work without logging in, for whoever has the mail and for this alone."""
from __future__ import annotations

import uuid
from dataclasses import dataclass
from datetime import timedelta
from enum import StrEnum

from django.conf import settings
from django.core import signing
from django.urls import reverse

from accounts.models import User
from news.reach import digest_of

STOP, CONFIRM = "news.stop", "news.confirm"
LASTS = timedelta(days=7)  # of a link that confirms an address


class Stream(StrEnum):
    """What a link stops: news of one campaign, its dates, or all that comes once a day."""

    NEWS = "news"
    DATES = "dates"
    DAILY = "daily"


@dataclass(frozen=True)
class Stop:
    """What a link is for. `of` is a member, and of the daily mail a person."""

    stream: Stream
    of: uuid.UUID


def absolute(path: str) -> str:
    """An address as a mail needs it."""
    return f"{settings.SITE_URL}{path}"


def stop_url(stream: Stream, of: uuid.UUID) -> str:
    """Where mails of this kind are stopped."""
    return absolute(reverse("mail_stop", args=[signing.dumps([stream, str(of)], salt=STOP)]))


def read_stop(token: str) -> Stop | None:
    """What a link is for; None where it is not ours."""
    try:
        stream, of = signing.loads(token, salt=STOP)
        return Stop(Stream(stream), uuid.UUID(of))
    except (signing.BadSignature, ValueError):
        return None


def confirm_url(user: User) -> str:
    """Where this person confirms the address that they have now."""
    return absolute(reverse("mail_confirm", args=[
        signing.dumps([str(user.pk), digest_of(user.email)], salt=CONFIRM)]))


def read_confirm(token: str) -> User | None:
    """Whose address a link confirms; None where it is too old, not ours, or the address is another by now."""
    try:
        pk, digest = signing.loads(token, salt=CONFIRM, max_age=LASTS)
    except (signing.BadSignature, ValueError):
        return None
    user = User.objects.filter(pk=pk, is_active=True).exclude(email="").first()
    return user if user and digest_of(user.email) == digest else None
