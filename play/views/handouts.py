"""Showing a picture or a text to players at one press."""
from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.pictures import drawn
from campaigns.web import by, render_page, submit
from play.forms.handouts import HandoutForm
from play.services.handouts import hand_out


@member_only(Role.GM)
def handout(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Makes a handout and shows it to some or all."""
    form = HandoutForm(viewer, request.POST, request.FILES) if request.method == "POST" else HandoutForm(viewer)
    if entry := submit(form, lambda: hand_out(
        **by(viewer, form), title=form.cleaned_data["title"], words=form.cleaned_data["text"], members=form.members,
        picture=drawn(picture.read()) if (picture := form.cleaned_data["picture"]) else None,
    )):
        messages.info(request, f"Shown to {form.seen_by}, entry {entry.seq}.")
        return redirect("table", viewer.campaign.slug)
    return render_page(request, "play/handout.html", {"viewer": viewer}, form=form)
