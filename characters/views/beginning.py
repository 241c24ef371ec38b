"""A character in a hurry: one that is ready is taken with one tap, or three lines make one."""
from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.errors import Refused
from campaigns.models import Entry, Role
from campaigns.web import ActionForm, render_page, submit
from characters.contexts import castings
from characters.forms import BeginForm
from characters.services import editing, lifecycle
from rules.sheet import ReadsProse


@member_only(Role.PLAYER)
def begin(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Characters to take, and a new one in three lines: the GM's is for a player to take."""
    form = BeginForm(viewer, request.POST or None)
    if entry := submit(form, lambda: _create(viewer, form)):
        messages.info(request, f"Saved as entry {entry.seq} of the Ledger. The rest of the sheet can wait.")
        return _play(viewer, editing.id_from(viewer.campaign, entry.op_id))
    return _page(request, viewer, form)


@require_POST
@member_only(Role.PLAYER)
def take(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Takes a character that is ready: `ready` is its number in the game, `character` one that the GM has made."""
    form = ActionForm(request.POST)
    if submit(form, lambda: _taken(viewer, request.POST, form.submission())):
        return _play(viewer, None)
    for error in form.errors.values():
        messages.error(request, str(error[0]))
    answer = _page(request, viewer, BeginForm(viewer))
    answer.status_code = 422
    return answer


def _page(request: HttpRequest, viewer: Viewer, form: BeginForm) -> HttpResponse:
    context = {"viewer": viewer, "castings": castings(viewer), "button_form": lambda: ActionForm(auto_id=False),
               "prose": isinstance(viewer.campaign.rules.sheet, ReadsProse)}
    return render_page(request, "characters/begin.html", context, form=form)


def _create(viewer: Viewer, form: BeginForm) -> Entry:
    said = form.cleaned_data
    drafts = viewer.campaign.rules.sheet.good_at(form.said())
    return editing.create(
        **_who(viewer), **form.submission(), name=said["name"], concept=said["concept"],
        lines=[editing.Line(draft.kind, draft.name, draft.value, draft.note, within=draft.within) for draft in drafts])


def _taken(viewer: Viewer, post: Any, operation: dict[str, Any]) -> Entry:
    ready, number = viewer.campaign.rules.sheet.ready_made, post.get("ready", "")
    if number in map(str, range(1, len(ready) + 1)):
        return editing.create_ready(**_who(viewer), **operation, ready=ready[int(number) - 1])
    try:
        character_id = uuid.UUID(post.get("character", ""))
    except ValueError:
        raise Refused("Choose a character.") from None
    return lifecycle.take(campaign=viewer.campaign, actor=viewer.member, **operation, character_id=character_id)


def _who(viewer: Viewer) -> dict[str, Any]:
    return {"campaign": viewer.campaign, "actor": viewer.member, "player": None if viewer.runs else viewer.member}


def _play(viewer: Viewer, made: uuid.UUID | None) -> HttpResponse:
    """Where one goes on: a player to the roll, the GM to the sheet that was written, or back to the table."""
    if viewer.runs and made:
        return redirect("sheet", viewer.campaign.slug, made)
    table = reverse("table", args=[viewer.campaign.slug])
    return redirect(table if viewer.runs else f"{table}#tray")
