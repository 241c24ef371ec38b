"""Who sees what of something in the library, its picture, and how players see it."""
from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaigns import sight
from campaigns.access import Viewer, member_only
from campaigns.linking import links
from campaigns.models import Role
from campaigns.pageforms import PictureForm, SightForm
from campaigns.web import ActionForm, render_page, submit
from play import library as queries
from play.contexts.library import players_lines, thing_face
from play.models import PrepItem
from play.services import bank


def face(request: HttpRequest, viewer: Viewer, thing_id: uuid.UUID) -> HttpResponse:
    """Something prepared as a player sees it; 404 for one that they may not know of."""
    shown = thing_face(viewer, *queries.find(viewer, thing_id))
    return render_page(request, "play/thing_face.html", {
        "viewer": viewer, "thing": shown, "links": links(viewer, f"{shown.looks}\n{shown.text}")})


@member_only(Role.GM)
def who_sees(request: HttpRequest, viewer: Viewer, thing_id: uuid.UUID) -> HttpResponse:
    """What single players know of a thing beyond everyone."""
    one, _ = queries.find(viewer, thing_id)
    form = SightForm(sight.players(viewer), sight.of(thing_id), request.POST if request.method == "POST" else None)
    if entry := submit(form, lambda: bank.tell(
            **_who(viewer, form), prepared_id=thing_id, views=form.views(), lines=players_lines(viewer, one))):
        return _saved(request, viewer, one, entry.seq)
    return render_page(request, "campaigns/pages/who_sees.html", {
        "viewer": viewer, "title": one.name, "back": _url(viewer, one), "everyone": sight.HELP[one.view]}, form=form)


@member_only(Role.GM)
def picture(request: HttpRequest, viewer: Viewer, thing_id: uuid.UUID) -> HttpResponse:
    """Gives a thing a picture, or removes it."""
    one, _ = queries.find(viewer, thing_id)
    down = request.method == "POST" and "down" in request.POST
    form: ActionForm = ActionForm(request.POST) if down else PictureForm(
        request.POST, request.FILES) if request.method == "POST" else PictureForm()
    if entry := submit(form, lambda: bank.set_picture(
            **_who(viewer, form), prepared_id=thing_id, data=None if down else form.cleaned_data["picture"].read())):
        return _saved(request, viewer, one, entry.seq)
    return render_page(request, "campaigns/pages/picture.html", {
        "viewer": viewer, "title": one.name, "back": _url(viewer, one), "has_one": bool(one.digest),
        "fields": PictureForm() if down else form, "down": ActionForm(auto_id=False)}, form=form)


@member_only()
@require_GET
def image(request: HttpRequest, viewer: Viewer, thing_id: uuid.UUID, digest: str) -> HttpResponse:
    """The picture, for whoever may know of the thing. Its address changes with it, so a browser may keep it."""
    return HttpResponse(queries.image(viewer, thing_id, digest), content_type="image/webp", headers={
        "Cache-Control": "private, max-age=86400, immutable", "ETag": f'"{digest}"',
        "Content-Disposition": 'inline; filename="picture.webp"',
    })


def _saved(request: HttpRequest, viewer: Viewer, one: PrepItem, seq: int) -> HttpResponse:
    messages.info(request, f"Saved as entry {seq}.")
    return redirect(_url(viewer, one))


def _url(viewer: Viewer, one: PrepItem) -> str:
    return reverse("library_thing", args=[viewer.campaign.slug, one.pk])


def _who(viewer: Viewer, form: ActionForm) -> dict[str, Any]:
    return {"campaign": viewer.campaign, "actor": viewer.member, **form.submission()}
