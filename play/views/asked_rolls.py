"""The GM asks players for rolls, and asks no longer."""
from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from campaigns.access import Viewer, member_only
from campaigns.models import Entry, Role
from campaigns.web import ActionForm, render_page, submit
from play import queries
from play.forms.asked_rolls import AskForm
from play.services import asked_rolls, requests
from play.views.open_table import done, gone_on, not_taken, posted, rolled


@member_only(Role.GM)
def ask(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Asks the players of some characters for a roll."""
    played = [character for character in queries.rollable(viewer) if character.player_id and not character.hidden]
    here = {character.pk for character in queries.present(viewer)}
    form = AskForm(viewer, played, here, request.POST or None)
    if request.method == "POST" and submit(form, lambda: asked_rolls.ask(
        campaign=viewer.campaign, actor=viewer.member, **form.said(), **form.submission(),
    )):
        return redirect("table", viewer.campaign.slug)
    return render_page(request, "play/ask_roll.html", {"viewer": viewer}, form=form)


@member_only(Role.GM)
@posted
def answer(request: HttpRequest, viewer: Viewer, request_id: uuid.UUID) -> HttpResponse:
    """Says how hard what a player asked for is, with one chip."""
    form = ActionForm(request.POST)
    return _answered(request, viewer, form, submit(form, lambda: requests.answer(
        campaign=viewer.campaign, actor=viewer.member, request_id=request_id, chip=request.POST.get("chip", ""),
        keep="keep" in request.POST, **form.submission(),
    )))


@member_only(Role.GM)
@posted
def strike(request: HttpRequest, viewer: Viewer, request_id: uuid.UUID) -> HttpResponse:
    """Something that a player says of what they asked for counts no more."""
    form = ActionForm(request.POST)
    return _answered(request, viewer, form, submit(form, lambda: requests.strike(
        campaign=viewer.campaign, actor=viewer.member, request_id=request_id, which=request.POST.get("which", ""),
        **form.submission(),
    )))


@member_only(Role.PLAYER)
@posted
def roll_answered(request: HttpRequest, viewer: Viewer, request_id: uuid.UUID) -> HttpResponse:
    """Rolls what was asked for, as it was chosen then; what can't be rolled so any more waits in the tray."""
    form, table = ActionForm(request.POST), reverse("table", args=[viewer.campaign.slug])
    written = submit(form, lambda: requests.roll(
        campaign=viewer.campaign, actor=viewer.member, request_id=request_id, **form.rolling(),
    ))
    if written:
        return rolled(request, viewer, written)
    messages.error(request, " ".join(str(error[0]) for error in form.errors.values()) or "Choose again.")
    return gone_on(request, f"{table}?asked={request_id}#tray")


@member_only(Role.PLAYER)
@posted
def withdraw_request(request: HttpRequest, viewer: Viewer, request_id: uuid.UUID) -> HttpResponse:
    """Takes back what the player asked the GM for."""
    form = ActionForm(request.POST)
    return _answered(request, viewer, form, submit(form, lambda: requests.withdraw(
        campaign=viewer.campaign, actor=viewer.member, request_id=request_id, **form.submission(),
    )))


@member_only(Role.GM)
@posted
def withdraw(request: HttpRequest, viewer: Viewer, seq: int) -> HttpResponse:
    """Asks no longer for a roll of those who have not made it."""
    form = ActionForm(request.POST)
    return _answered(request, viewer, form, submit(form, lambda: asked_rolls.withdraw(
        campaign=viewer.campaign, actor=viewer.member, asked=seq, **form.submission(),
    )))


def _answered(request: HttpRequest, viewer: Viewer, form: ActionForm, written: Entry | None) -> HttpResponse:
    """To the table, with why it was not done where it was not."""
    if written is None:
        return not_taken(request, viewer, form)
    return done(request, viewer, reverse("table", args=[viewer.campaign.slug]))
