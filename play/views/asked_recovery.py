"""A player asks the GM to let a character recover, and the GM answers."""
from __future__ import annotations

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse

from campaigns.access import Viewer, member_only
from campaigns.models import Entry, Role
from campaigns.web import ActionForm, submit
from play.queries import known
from play.services import asked_recovery
from play.views.open_table import done, not_taken, posted
from play.views.scenes import after_a_fight

NOT_NOW = "no"


@member_only(Role.PLAYER)
@posted
def ask(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """Asks for a character of one's own."""
    if not known(viewer).filter(pk=character_id).exists():
        raise Http404("There is no such character here.")
    form = ActionForm(request.POST)
    return _answered(request, viewer, form, submit(form, lambda: asked_recovery.ask(
        campaign=viewer.campaign, actor=viewer.member, character_id=character_id, **form.submission())))


@member_only(Role.GM)
@posted
def answer(request: HttpRequest, viewer: Viewer, asked_recovery_id: uuid.UUID) -> HttpResponse:
    """Lets them recover as the chip says, or says not now."""
    form, chip = ActionForm(request.POST), request.POST.get("chip", "")
    by: dict[str, Any] = {"campaign": viewer.campaign, "actor": viewer.member, "asked_recovery_id": asked_recovery_id}
    return _answered(request, viewer, form, submit(form, lambda: (
        asked_recovery.withdraw(**by, **form.submission()) if chip == NOT_NOW
        else asked_recovery.grant(**by, chip=chip, **form.submission()))))


@member_only(Role.PLAYER)
@posted
def withdraw(request: HttpRequest, viewer: Viewer, asked_recovery_id: uuid.UUID) -> HttpResponse:
    """Asks no longer."""
    form = ActionForm(request.POST)
    return _answered(request, viewer, form, submit(form, lambda: asked_recovery.withdraw(
        campaign=viewer.campaign, actor=viewer.member, asked_recovery_id=asked_recovery_id, **form.submission())))


def _answered(request: HttpRequest, viewer: Viewer, form: ActionForm, written: Entry | None) -> HttpResponse:
    """Back to where it was pressed, the end of a fight or the table, with why it was not done where it was not."""
    if written is None:
        return not_taken(request, viewer, form)
    name, *args = after_a_fight(viewer, request.POST.get("at", ""))
    return done(request, viewer, reverse(name, args=args))
