"""Safety: the group's lines and veils, and what to talk about in session zero."""
from __future__ import annotations

import uuid
from functools import partial

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.forms import BoundaryForm
from campaigns.models import Boundary
from campaigns.safety import boundaries
from campaigns.services import safety as services
from campaigns.views.things import saved
from campaigns.web import ActionForm, ask_once, by, render_page, submit


@member_only()
def safety(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All members read lines and veils, and add to them."""
    names = services.shows_names(viewer.campaign)
    form = BoundaryForm(request.POST if request.method == "POST" else None, names=names)
    if entry := submit(form, lambda: services.write(**by(viewer, form), **form.said())):
        return saved(request, reverse("safety", args=[viewer.campaign.slug]), entry)
    form.tell(names)
    return render_page(request, "campaigns/safety.html", {
        "viewer": viewer, "lists": boundaries(viewer), "names": names,
        "button_form": partial(ActionForm, auto_id=False), "questions": viewer.campaign.rules.session_zero}, form=form)


@require_POST
@member_only()
def remove(request: HttpRequest, viewer: Viewer, boundary_id: uuid.UUID) -> HttpResponse:
    """Takes a line or a veil off, which is asked once."""
    held = Boundary.objects.filter(campaign=viewer.campaign, pk=boundary_id).first()
    if held is None:
        raise Http404("There is nothing here for you.")
    back = reverse("safety", args=[viewer.campaign.slug])
    if asked := ask_once(
        request, viewer, question=f"Remove “{held.name}”? Anyone in the group may have written it, so talk about it "
        "first. The Ledger says that it was removed, and by nobody’s name.",
        button=f"Remove the {held.get_type_display().lower()}", back=back,
    ):
        return asked
    form = ActionForm(request.POST)
    if submit(form, lambda: services.remove(**by(viewer, form), boundary_id=boundary_id)) is None:
        messages.error(request, str(next(iter(form.errors.values()))[0]))
    return redirect(back)
