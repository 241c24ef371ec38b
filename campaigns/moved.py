"""Pages that have another address by now: old links and bookmarks reach them, with their query."""
from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponseBase, HttpResponsePermanentRedirect
from django.urls import reverse


def moved(name: str, **renamed: str) -> Callable[..., HttpResponseBase]:
    """A view that leads to the route of this name for good; `before="earlier"` renames a word of the query."""

    def view(request: HttpRequest, **place: Any) -> HttpResponseBase:
        return lead_to(request, name, place, renamed)

    return view


def lead_to(
    request: HttpRequest, name: str, place: dict[str, Any], renamed: dict[str, str] | None = None
) -> HttpResponseBase:
    """The answer that leads there. What was posted is posted again: a form may have been open while the page moved."""
    query = [((renamed or {}).get(key, key), value) for key, values in request.GET.lists() for value in values]
    address = reverse(name, kwargs=place) + (f"?{urlencode(query)}" if query else "")
    answer = HttpResponsePermanentRedirect(address)
    if request.method not in ("GET", "HEAD"):
        answer.status_code = 308
    return answer
