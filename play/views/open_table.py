"""What a table that stands open gets: what is new since it was drawn, and after a press what came of it. No page.

Who loads again an address that only takes what is sent, is led to the table; who presses on a contest that is gone by
now, with its beginning, or looks at it or at its odds, is told there.
"""
from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, HttpResponseNotAllowed
from django.shortcuts import redirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from campaigns.access import Viewer, anew, member_only
from campaigns.models import Entry
from campaigns.web import ActionForm, by_htmx, render_page
from play import queries
from play.contexts.contest_page import NotDone
from play.contexts.feed import news, story_part
from play.contexts.scene_here import scene_here
from play.contexts.story import contest_of
from play.contexts.tray import forecast
from play.forms.tray import Tray
from play.services.contests import is_over_with
from play.views.table import large, number_in, saw, say_if_over, the_table, tray_of

P = ParamSpec("P")
View = Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase]

GONE = "This contest is gone, as its beginning was undone."
SINCE = "since"  # up to which entry the page is that asks


@member_only()
def feed(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What changes while one looks on; to a page that stands open, what is new `since` the entry up to which it is."""
    if by_htmx(request) and number_in(request, SINCE) is not None:
        return _rows(request, news(request, viewer, number_in(request, SINCE)), "play/news.html")
    return render_page(request, "play/feed.html", {**vars(scene_here(viewer)), **vars(story_part(viewer))})


def done(
    request: HttpRequest, viewer: Viewer, address: str, *, seq: int | None = None, pressed: Tray | None = None,
    contest: uuid.UUID | None = None,
) -> HttpResponse:
    """The answer to a press that was taken: to `address`, or at an open table what a page there would show: what is
    new, the roll of the entry `seq` large, the `contest` unfolded, and the tray that was `pressed` made fresh; any
    other tray keeps what is chosen in it, and asks anew where something moved."""
    if not by_htmx(request):
        return redirect(address)
    viewer = anew(viewer)
    saw(viewer)
    context = {**news(request, viewer, number_in(request, SINCE), unfold=contest), "address": address}
    context["rolled"] = large(viewer, seq, context["contests_here"] or ())
    if pressed:
        form = tray_of(request, viewer, roller=pressed.roller_id) if context["moved"] else pressed.fresh(viewer)
        context |= {"tray": form, "forecast": forecast(viewer, form) if form else None, "pressed": True,
                    "same": form and "opened" in request.GET and form.shown == pressed.before}
    return _rows(request, context, "play/done.html")


def rolled(
    request: HttpRequest, viewer: Viewer, written: Entry, *, pressed: Tray | None = None, apart: bool = False,
    **back: str,
) -> HttpResponse:
    """The answer to a roll: its contest, while something is still to be decided in it, unless that is `apart` from the
    table; else the roll itself, large. What goes `back` stays in the address."""
    undecided = None if apart or is_over_with(written) else contest_of(written)
    place, at = ("contest", str(undecided)) if undecided else ("rolled", str(written.seq))
    address = f"{reverse('table', args=[viewer.campaign.slug])}?{urlencode({**back, place: at})}#{place}"
    return done(request, viewer, address, seq=None if undecided else written.seq, pressed=pressed, contest=undecided)


def not_taken(request: HttpRequest, viewer: Viewer, form: ActionForm) -> HttpResponse:
    """A press of a button of the table's that was not taken: why not, and at an open table what is new there."""
    messages.error(request, " ".join(str(error) for errors in form.errors.values() for error in errors))
    if not by_htmx(request):
        return redirect("table", viewer.campaign.slug)
    answer = _rows(request, news(request, anew(viewer), number_in(request, SINCE)), "play/news.html")
    answer.status_code = 409
    return answer


def npc_refused(request: HttpRequest, viewer: Viewer, form: ActionForm) -> HttpResponse:
    """The line of an NPC that was not taken, at an open table: where it stands, with what was typed."""
    context = {**news(request, viewer, number_in(request, SINCE)), **vars(scene_here(viewer))}
    context |= {"moved": True, "npc": form}
    answer = _rows(request, context, "play/news.html")
    answer.status_code = 422
    return answer


def gone_on(request: HttpRequest, address: str) -> HttpResponse:
    """The answer to a press after which one is on another page."""
    answer: HttpResponse = HttpResponseClientRedirect(address) if by_htmx(request) else redirect(address)
    return answer


def refused(request: HttpRequest, viewer: Viewer, why: NotDone) -> HttpResponse:
    """A press in a contest that was not taken, at the table: the form where it stands, with what was typed."""
    if not by_htmx(request):
        return the_table(request, viewer, tray_of(request, viewer), why)
    context = news(request, viewer, number_in(request, SINCE), why)
    say_if_over(request, context["contests_here"], why)
    answer = _rows(request, context, "play/news.html")
    answer.status_code = 422 if why.form else 409
    return answer


def _rows(request: HttpRequest, context: dict[str, Any], template: str) -> HttpResponse:
    """`news` as rows for the top of the story, or in place of all that are there, and what goes beside them."""
    answer = render_page(request, template, context)
    if context["again"]:
        answer["HX-Reswap"] = "morph:innerHTML"
    if context["moved"] and not context.get("pressed"):
        answer["HX-Trigger"] = "stale"  # an open tray may show something else by now: it asks, with what is chosen
    return answer


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
