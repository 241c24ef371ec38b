"""What every template may know of who is logged in."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject


@dataclass(frozen=True)
class Me:
    """Who is logged in."""

    name: str


def me(request: HttpRequest) -> dict[str, Any]:
    """`me` for templates, None for whoever is not logged in; asked for only where a template uses it."""
    return {"me": SimpleLazyObject(lambda: _me(request))}


def _me(request: HttpRequest) -> Me | None:
    user: Any = getattr(request, "user", None)
    return Me(user.shown_name) if user is not None and user.is_authenticated else None
