"""Addresses that only take what is sent: who loads such a page again, after a refusal, is led to the table; who presses
on a contest that is gone by now, with its beginning, or looks at it or at its odds, is told there."""
from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Concatenate, ParamSpec

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import reverse

from campaigns.access import Viewer
from campaigns.web import ActionForm, by_htmx
from play import queries
from play.views.open_table import gone_on, not_taken

P = ParamSpec("P")
GONE = "This contest is gone, as its beginning was undone."
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


class Gone(Http404):
    """A contest that was of this campaign once, before its beginning was undone."""


def told_when_gone(view: View[P], *, looks: bool = False) -> View[P]:
    """A view of a contest; of one that does something it stands below `posted`. The press with which it went is done
    already. Who only looked on, as a page does that stands open, has failed at nothing."""

    @functools.wraps(view)
    def told(request: HttpRequest, viewer: Viewer, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
        try:
            return view(request, viewer, *args, **kwargs)
        except Gone:
            table = reverse("table", args=[viewer.campaign.slug])
            if looks and by_htmx(request) and request.POST.get("at") == "table":
                return HttpResponse(status=204)  # it draws by itself what is gone, and keeps what is typed in its tray
            if looks or request.method != "POST":
                messages.info(request, GONE)
                return gone_on(request, table)
            if queries.already_done(viewer, request.POST.get("op_id", "")):
                return gone_on(request, table)
            form = ActionForm(request.POST)
            form.add_error(None, GONE)
            return not_taken(request, viewer, form)

    return told


def led_on_when_gone(view: View[P]) -> View[P]:
    """The same for what a form asks for by itself while it is filled in, which is no press though it is posted."""
    return told_when_gone(view, looks=True)
