"""Putting a campaign away, bringing it back, deleting it: its owner's alone."""
from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.forms import DeleteForm
from campaigns.models import Role
from campaigns.services import closing
from campaigns.web import ActionForm, ask_once, by, render_page, submit


@require_POST
@member_only(Role.OWNER)
def archive(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Archives the campaign, which is asked once, or brings it back."""
    form, settings = ActionForm(request.POST), reverse("campaign_settings", args=[viewer.campaign.slug])
    back = "back" in request.POST
    if not back and (asked := ask_once(
        request, viewer, button="Archive the campaign", back=settings,
        question="Everyone can still read it. Nothing can be changed until you bring it back.",
    )):
        return asked
    service = closing.restore if back else closing.archive
    if submit(form, lambda: service(**by(viewer, form))) is None:
        messages.error(request, " ".join(str(error[0]) for error in form.errors.values()))
    return redirect(settings)


@member_only(Role.OWNER)
def delete(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Deletes the campaign, once its name is typed."""
    form, name = DeleteForm(request.POST if request.method == "POST" else None), viewer.campaign.name
    if submit(form, lambda: closing.delete(**by(viewer, form), name=form.cleaned_data["name"])):
        messages.info(request, f"{name} is deleted.")
        return redirect("home")
    return render_page(request, "campaigns/delete.html", {"viewer": viewer}, form=form)


@require_POST
@member_only(Role.OWNER)
def throw_away(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Deletes a sample at one press; where it can't be so, leads to the page that asks for the name."""
    form, name = ActionForm(request.POST), viewer.campaign.name
    if submit(form, lambda: closing.throw_away(**by(viewer, form))):
        messages.info(request, f"{name} is deleted.")
        return redirect("home")
    messages.error(request, " ".join(str(error[0]) for error in form.errors.values()))
    return redirect("campaign_delete", viewer.campaign.slug)
