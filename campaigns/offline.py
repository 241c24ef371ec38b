"""Which pages of a campaign a browser may keep for when there is no network: those that a player reads, and no GM's."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, HttpResponseBase

from accounts.offline import may_keep
from campaigns.access import Viewer

P = ParamSpec("P")


def keeps(viewer: Viewer) -> bool:
    """Whether a browser may keep what this viewer reads: never what a GM does, not even as a player sees it."""
    return not viewer.runs and viewer.through is None


def kept_offline(
    view: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase],
) -> Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase]:
    """A view, below `@member_only`, whose page a player may read without a network."""

    @functools.wraps(view)
    def marked(request: HttpRequest, viewer: Viewer, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        answer = view(request, viewer, *args, **kwargs)
        return may_keep(request, answer) if keeps(viewer) and isinstance(answer, HttpResponse) else answer

    return marked
