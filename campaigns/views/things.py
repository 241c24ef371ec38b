"""What the pages of notes and of things in the library share: a picture, who sees what, an answer."""
from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaigns import sight
from campaigns.access import Viewer
from campaigns.models import Entry, View
from campaigns.pageforms import PictureForm, SightForm
from campaigns.pictures import drawn
from campaigns.web import ActionForm, by, render_page, submit


class Thing(sight.Seen, Protocol):
    """A note, or something in the library."""

    digest: str


def picture_page(
    request: HttpRequest, viewer: Viewer, thing: Thing, url: str, keep: Callable[..., Entry]
) -> HttpResponse:
    """The form for a picture of a thing whose page is at `url`; `keep` sets it (`picture`, None to take it down)."""
    down = request.method == "POST" and "down" in request.POST
    form: ActionForm = ActionForm(request.POST) if down else PictureForm(
        request.POST, request.FILES) if request.method == "POST" else PictureForm()
    if entry := submit(form, lambda: keep(
            **by(viewer, form), picture=None if down else drawn(form.cleaned_data["picture"].read()))):
        return saved(request, url, entry)
    return render_page(request, "campaigns/pages/picture.html", {
        "viewer": viewer, "title": str(thing), "back": url, "has_one": bool(thing.digest),
        "fields": PictureForm() if down else form, "down": ActionForm(auto_id=False)}, form=form)


def who_sees_page(
    request: HttpRequest, viewer: Viewer, thing: Thing, url: str, tell: Callable[..., Entry]
) -> HttpResponse:
    """The form for what single players know of a thing beyond everyone; `tell` sets it (`views`)."""
    known = sight.of(viewer.campaign.pk, thing.pk)
    form = SightForm(sight.players(viewer), known, request.POST if request.method == "POST" else None)
    if entry := submit(form, lambda: tell(**by(viewer, form), views=form.views())):
        return saved(request, url, entry)
    return render_page(request, "campaigns/pages/who_sees.html", {
        "viewer": viewer, "title": str(thing), "back": url, "everyone": sight.HELP[View(thing.view)]}, form=form)


def picture_answer(webp: bytes, digest: str) -> HttpResponse:
    """A picture. Its address changes with it, so a browser may keep it."""
    return HttpResponse(webp, content_type="image/webp", headers={
        "Cache-Control": "private, max-age=86400, immutable", "ETag": f'"{digest}"',
        "Content-Disposition": 'inline; filename="picture.webp"',
    })


def saved(request: HttpRequest, url: str, entry: Entry) -> HttpResponse:
    """Back to the page of a thing, with the number of the entry."""
    messages.info(request, f"Saved as entry {entry.seq}.")
    return redirect(url)
