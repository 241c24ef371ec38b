"""The X-card: the scene stops, and the GM lets it go on."""
from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.services import safety
from campaigns.web import ActionForm, by, submit
from play.views.open_table import done, not_taken, posted


@member_only()
@posted
def stop(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """One tap by anyone at the table."""
    return _pressed(request, viewer, safety.stop)


@member_only(Role.GM)
@posted
def go_on(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The GM lets the scene go on."""
    return _pressed(request, viewer, safety.go_on)


def _pressed(request: HttpRequest, viewer: Viewer, service: safety.Press) -> HttpResponse:
    form = ActionForm(request.POST)
    if submit(form, lambda: service(**by(viewer, form))) is None:
        return not_taken(request, viewer, form)
    return done(request, viewer, reverse("table", args=[viewer.campaign.slug]))
