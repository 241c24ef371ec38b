"""All addresses, and one whose answer is longer than what a system keeps for a reader who is not there."""
from __future__ import annotations

from django.http import HttpRequest, StreamingHttpResponse
from django.urls import path

from config.urls import handler500 as handler500
from config.urls import urlpatterns as ours

CHUNKS, CHUNK = 20, b"x" * 1_000_000


def large(_request: HttpRequest) -> StreamingHttpResponse:
    """Twenty megabytes."""
    return StreamingHttpResponse((CHUNK for _ in range(CHUNKS)), content_type="text/plain")


urlpatterns = [*ours, path("large/", large)]
