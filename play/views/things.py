"""Who sees what of something in the library, its picture, and how players see it."""
from __future__ import annotations

import uuid
from functools import partial

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaigns.access import Viewer, member_only
from campaigns.linking import links
from campaigns.models import Role
from campaigns.views.things import picture_answer, picture_page, who_sees_page
from campaigns.web import render_page
from play import library as queries
from play.contexts.shown_to import players_lines, thing_face
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
    tell = partial(bank.tell, prepared_id=thing_id, lines=players_lines(viewer, one))
    return who_sees_page(request, viewer, one, _url(viewer, thing_id), tell)


@member_only(Role.GM)
def picture(request: HttpRequest, viewer: Viewer, thing_id: uuid.UUID) -> HttpResponse:
    """Gives a thing a picture, or removes it."""
    one, _ = queries.find(viewer, thing_id)
    return picture_page(
        request, viewer, one, _url(viewer, thing_id), partial(bank.set_picture, prepared_id=thing_id))


@member_only()
@require_GET
def image(request: HttpRequest, viewer: Viewer, thing_id: uuid.UUID, digest: str) -> HttpResponse:
    """The picture, for whoever may know of the thing."""
    return picture_answer(queries.image(viewer, thing_id, digest), digest)


def _url(viewer: Viewer, thing_id: uuid.UUID) -> str:
    return reverse("library_thing", args=[viewer.campaign.slug, thing_id])
