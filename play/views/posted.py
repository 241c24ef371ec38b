"""Addresses that only take what is sent: who loads such a page again, after a refusal, is led to the table."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import redirect

from campaigns.access import Viewer

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase]


def posted(view: View[P]) -> View[P]:
    """A view of the table's that does something; stands below `member_only`."""

    @functools.wraps(view)
    def by_post(request: HttpRequest, viewer: Viewer, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        if request.method == "POST":
            return view(request, viewer, *args, **kwargs)
        if request.method in ("GET", "HEAD"):
            answer: HttpResponse = redirect("table", viewer.campaign.slug)
            return answer
        return HttpResponseNotAllowed(["POST"])

    return by_post
