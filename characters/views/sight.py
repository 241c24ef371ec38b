"""Who sees what of a character."""
from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_POST

from campaigns import sight
from campaigns.access import Viewer, member_only
from campaigns.contexts import viewer_context
from campaigns.models import Role, View
from campaigns.pageforms import SightForm
from campaigns.web import ActionForm, by_htmx, render_page, submit
from characters import queries
from characters.contexts import SheetLink
from characters.forms import LooksForm
from characters.services import sight as services
from characters.views.sheets import draw


@member_only(Role.GM)
@require_POST
def hide(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """One tap: everyone sees nothing of an NPC, its face, or all of it."""
    form, character = ActionForm(request.POST), queries.find(viewer, character_id)
    said = request.POST.get("view", "all" if "show" in request.POST else "nothing")
    view = View(said) if said in View else View.NOTHING
    entry = submit(form, lambda: services.see(
        campaign=viewer.campaign, actor=viewer.member, character_id=character_id, view=view, **form.submission()))
    if by_htmx(request) and request.POST.get("place") == "list":
        now = queries.find(viewer, character_id)
        return render(request, "shared/views.html", {
            "viewer": viewer_context(viewer), "views": sight.choices(now.view), "id": now.pk, "listed": True,
            "button_form": ActionForm(auto_id=False), "refused": [] if entry else form.non_field_errors()})
    if entry is None:
        return draw(request, viewer, character, form)
    messages.info(request, f"Saved as entry {entry.seq}.")
    if request.POST.get("place") == "list":
        return redirect("characters", viewer.campaign.slug)
    return redirect("sheet", viewer.campaign.slug, character_id)


@member_only(Role.PLAYER)
def looks(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """What anyone would see of a character."""
    character = queries.find_to_edit(viewer, character_id)
    form = LooksForm(request.POST if request.method == "POST" else None, initial={"looks": character.looks})
    entry = submit(form, lambda: services.look(
        campaign=viewer.campaign, actor=viewer.member, character_id=character_id, looks=form.cleaned_data["looks"],
        **form.submission()))
    if entry:
        messages.info(request, f"Saved as entry {entry.seq}.")
        return redirect("sheet", viewer.campaign.slug, character_id)
    link = SheetLink(character.pk, character.name)
    return render_page(request, "characters/looks.html", {"viewer": viewer, "character": link}, form=form)


@member_only(Role.GM)
def who_sees(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """What single players know of an NPC beyond everyone."""
    character = queries.find(viewer, character_id)
    known = sight.of(viewer.campaign.pk, character_id)
    form = SightForm(sight.players(viewer), known, request.POST if request.method == "POST" else None)
    entry = submit(form, lambda: services.tell(
        campaign=viewer.campaign, actor=viewer.member, character_id=character_id, views=form.views(),
        **form.submission()))
    if entry:
        messages.info(request, f"Saved as entry {entry.seq}.")
        return redirect("sheet", viewer.campaign.slug, character_id)
    link = SheetLink(character.pk, character.name)
    everyone = sight.HELP[character.view]
    return render_page(
        request, "characters/who_sees.html", {"viewer": viewer, "character": link, "everyone": everyone}, form=form)
