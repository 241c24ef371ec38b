"""What every template may know: of who is logged in, and of who may make an account."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from accounts.offline import asked_to_keep, keeper


@dataclass(frozen=True)
class Me:
    """Who is logged in."""

    name: str
    key: str  # tells what a browser keeps for them from what it keeps for others
    keeper: str  # whose pages this device may keep for when there is no network; "" where none are
    no_zone: bool  # nobody knows yet in which time zone they are


def me(request: HttpRequest) -> dict[str, Any]:
    """`me` for templates, None for whoever is not logged in; asked for only where a template uses it.

    `unseen` says that nobody looks at the page: it is only kept for later.
    """
    return {"me": SimpleLazyObject(lambda: _me(request)), "unseen": asked_to_keep(request)}


def _me(request: HttpRequest) -> Me | None:
    user: Any = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    return Me(user.shown_name, str(user.pk), keeper(request), not user.time_zone)


def registration(_request: HttpRequest) -> dict[str, str]:
    """For templates: whether to offer it."""
    return {"registration": settings.REGISTRATION}
