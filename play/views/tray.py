"""The roll tray, and the obstacles on the scene that rolls are made against."""
from __future__ import annotations

import uuid
from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from campaigns.access import Viewer, member_only
from campaigns.contexts import viewer_context
from campaigns.models import Campaign, Entry, Role
from campaigns.web import ActionForm, by_htmx, render_page, submit
from play import queries
from play.contexts.tray import forecast
from play.forms.obstacles import ObstacleForm
from play.forms.tray import Tray
from play.services import contests, obstacles, requests
from play.services import tray as services
from play.views.open_table import done, not_taken, posted, rolled
from play.views.table import the_table, tray_of


class ShownElse(Exception):
    """Something moved before the lock was held, so that this tray is not as it was shown: nothing is rolled."""

    def __init__(self, form: Tray) -> None:
        super().__init__("The tray was shown otherwise.")
        self.form = form


@member_only(Role.PLAYER)
def tray(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The tray's odds for what is chosen now; as a page the whole table. What was shown otherwise is drawn anew, with
    what was chosen; so is a tray that was not there yet (`whole`)."""
    sent = _sent(viewer, request, request.POST or None)
    refitted = sent.refitted() if request.method == "POST" else None
    form = sent.opened_anew() if sent.another else refitted or sent
    if not by_htmx(request):
        return the_table(request, viewer, form)
    context = {"viewer": viewer, "tray": form, "forecast": forecast(viewer, form)}
    if not (whole := sent.outdated or "whole" in request.GET) and not (sent.another or refitted or sent.restated):
        return render(request, "play/tray_forecast.html", {**context, "viewer": viewer_context(viewer)})
    answer = render_page(request, "play/whole_tray.html" if whole else "play/tray.html", context)
    answer["HX-Retarget"] = "#tray" if whole else "#applies"
    replaces = (sent.another and not whole) or request.method == "GET"
    answer["HX-Reswap"] = "outerHTML" if replaces else "morph:outerHTML"
    return answer


@member_only(Role.PLAYER)
@posted
def roll(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Makes the roll that the tray says, as it was shown; where it is another one by now, the tray comes back."""
    form = _pressed(viewer, request)
    try:
        written = submit(form, lambda: _rolled(request, form)) or _already(viewer, request)
    except ShownElse as moved:
        return _refused(request, moved.form)
    if written is None:
        return _refused(request, form)
    back: dict[str, Any] = {"character": request.POST.get("character", "")}
    if "asks" not in request.POST:
        return rolled(request, viewer, written, pressed=form, **back)
    # The GM answers first, and nothing has fallen yet.
    if "when_answered" in request.POST:
        asked = requests if form.must_ask else contests
        back["awaits"] = asked.id_from(viewer.campaign, written.op_id)
    address = f"{reverse('table', args=[viewer.campaign.slug])}?{urlencode(back)}#now"
    return done(request, viewer, address, pressed=form)


def _refused(request: HttpRequest, form: Tray) -> HttpResponse:
    """The tray with what it says, what was chosen in it, and the numbers of now: in its page, or by itself."""
    if not by_htmx(request):
        return the_table(request, form.viewer, form)
    context = {"viewer": form.viewer, "tray": form, "forecast": forecast(form.viewer, form)}
    answer = render_page(request, "play/whole_tray.html", context, form=form)
    answer["HX-Retarget"], answer["HX-Reswap"] = "#tray", "morph:outerHTML"
    return answer


@member_only(Role.PLAYER)
@posted
def request_roll(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Asks the GM how hard what the tray says is."""
    form = _pressed(viewer, request)
    if not submit(form, lambda: _asked(form)):
        return _refused(request, form)
    back = {"character": form.cleaned_data["character"]}
    if "when_answered" in request.POST:
        back["awaits"] = str(requests.id_from(viewer.campaign, form.cleaned_data["op_id"]))
    address = f"{reverse('table', args=[viewer.campaign.slug])}?{urlencode(back)}#now"
    return done(request, viewer, address, pressed=form)


@member_only(Role.GM)
def put_obstacle(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Puts an obstacle on the scene."""
    if "chip" in request.POST:
        return _put_chip(request, viewer)
    form = ObstacleForm(viewer, queries.present(viewer), request.POST or None)
    if request.method == "POST" and submit(form, lambda: obstacles.put(
        campaign=viewer.campaign, actor=viewer.member, **form.said(), **form.submission(),
    )):
        return redirect("table", viewer.campaign.slug)
    return render_page(request, "play/obstacle.html", {"viewer": viewer}, form=form)


def _put_chip(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Puts what a chip says, in one tap."""
    form = ActionForm(request.POST)
    if not submit(form, lambda: obstacles.put_chip(
        campaign=viewer.campaign, actor=viewer.member, chip=request.POST["chip"], **form.submission(),
    )):
        return not_taken(request, viewer, form)
    return done(request, viewer, reverse("table", args=[viewer.campaign.slug]))


@member_only(Role.GM)
@posted
def remove_obstacle(request: HttpRequest, viewer: Viewer, obstacle_id: uuid.UUID) -> HttpResponse:
    """Takes an obstacle off the scene."""
    form = ActionForm(request.POST)
    if not submit(form, lambda: obstacles.remove(
        campaign=viewer.campaign, actor=viewer.member, obstacle_id=obstacle_id, **form.submission(),
    )):
        return not_taken(request, viewer, form)
    return done(request, viewer, reverse("table", args=[viewer.campaign.slug]))


def _sent(viewer: Viewer, request: HttpRequest, data: Any) -> Tray:
    form = tray_of(request, viewer, data)
    if form is None:
        raise Http404("This game has no tray.")
    return form


def _pressed(viewer: Viewer, request: HttpRequest) -> Tray:
    form = _sent(viewer, request, request.POST)
    form.pressed = True
    return form


def _already(viewer: Viewer, request: HttpRequest) -> Entry | None:
    return queries.already_done(viewer, request.POST.get("op_id", ""))


def _rolled(request: HttpRequest, form: Tray) -> Entry:
    """Rolls it, or asks the GM how hard it is; raises `ShownElse` where under the lock it is not what was shown."""
    if form.must_ask:
        return _asked(form)
    return services.roll(
        campaign=form.viewer.campaign, actor=form.viewer.member, planned=form.planned(),
        again=lambda campaign: _again(request, form, campaign).planned(), **form.rolling())


def _asked(form: Tray) -> Entry:
    return requests.request(
        campaign=form.viewer.campaign, actor=form.viewer.member, what=form.cleaned_data["what"], choice=form.chosen(),
        character_id=uuid.UUID(form.cleaned_data["character"]), **form.submission())


def _again(request: HttpRequest, form: Tray, campaign: Campaign) -> Tray:
    """The same tray, read again of the campaign as it is under the lock."""
    now = _pressed(replace(form.viewer, campaign=campaign, held={}), request)
    if not now.is_valid():
        raise ShownElse(now)
    return now
