"""The small actions on a sheet: each a form on a page of its own, or a button."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET, require_POST

from campaigns.access import Viewer, member_only
from campaigns.models import Entry, Role
from campaigns.offline import kept_offline
from campaigns.pageforms import PictureForm
from campaigns.pictures import drawn
from campaigns.views.things import picture_answer
from campaigns.web import ActionForm, ask_once, by, render_page, submit
from characters import queries
from characters.contexts import SheetLink
from characters.forms import (
    NOBODY,
    AssignForm,
    AwardForm,
    NoteForm,
    QuickForm,
    ReplaceForm,
)
from characters.models import Character
from characters.services import editing, lifecycle, npcs, pools, portraits
from characters.views.sheets import draw, parts


@member_only(Role.GM)
def quick(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """An NPC from one line."""
    form = QuickForm(_given(request))
    entry = submit(form, lambda: npcs.quick(
        **by(viewer, form), line=form.cleaned_data["line"], hidden=form.cleaned_data["hidden"]))
    if entry:
        messages.info(request, f"Saved as entry {entry.seq}.")
        return redirect("sheet", viewer.campaign.slug, editing.id_from(viewer.campaign, entry.op_id))
    return render_page(request, "characters/quick.html", {
        "viewer": viewer, "quick_help": parts(viewer, "quick_help")}, form=form)


@member_only(Role.GM)
def note(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """What only the GM reads about a character."""
    character = queries.find(viewer, character_id)
    form = NoteForm(_given(request), initial={"words": queries.note(viewer, character)})
    return _one(request, viewer, character, form, "note", lifecycle.note, lambda said: {"words": said["words"]})


@member_only(Role.GM)
def assign(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """Who plays it."""
    character = queries.find(viewer, character_id)
    form = AssignForm(_given(request), viewer=viewer, character=character)
    return _one(request, viewer, character, form, "assign", lifecycle.assign, lambda said: {
        "player_id": None if said["player"] == NOBODY else uuid.UUID(said["player"])})


@member_only(Role.GM)
def award(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """Points, and what for."""
    character = queries.find(viewer, character_id)
    form = AwardForm(_given(request), viewer=viewer)
    return _one(request, viewer, character, form, "award", pools.award, lambda said: {
        name: said[name] for name in ("pool", "amount", "reason")})


@member_only(Role.GM)
def replace(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID, trait_id: uuid.UUID) -> HttpResponse:
    """Another quality in the place of one that turned out useless."""
    character = queries.find(viewer, character_id)
    trait = queries.trait(character, trait_id)
    form = ReplaceForm(_given(request))
    return _one(request, viewer, character, form, "replace", editing.replace, lambda said: {
        "trait_id": trait_id, **{name: said[name] for name in ("name", "note", "reason")}}, trait=trait.name)


@member_only(Role.PLAYER)
def portrait(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """Adds a portrait, or removes it."""
    character = queries.find_to_edit(viewer, character_id)
    if request.method == "POST" and "down" in request.POST:
        return _button(request, viewer, character, portraits.take_down)
    form = PictureForm(request.POST, request.FILES) if request.method == "POST" else PictureForm()
    return _one(
        request, viewer, character, form, "portrait", portraits.put,
        lambda said: {"picture": drawn(said["picture"].read())},
        has_one=hasattr(character, "portrait"), down=ActionForm(auto_id=False),
    )


@member_only()
@kept_offline
@require_GET
def portrait_image(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID, digest: str) -> HttpResponse:
    """The picture, for whoever may see the character."""
    return picture_answer(queries.picture(viewer, queries.find_face(viewer, character_id), digest), digest)


@member_only(Role.PLAYER)
@require_POST
def retire(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """Retires a character, which is asked once, or brings it back."""
    character, back = queries.find_to_edit(viewer, character_id), "back" in request.POST
    if not back and not character.retired and (asked := ask_once(
        request, viewer, question=f"{character.name} is removed from play. "
        "You can bring them back on their sheet.", button=f"Retire {character.name}",
        back=reverse("sheet", args=[viewer.campaign.slug, character.pk]),
    )):
        return asked
    return _button(request, viewer, character, partial(lifecycle.retire, retired=not back))


@member_only(Role.GM)
@require_POST
def set_dead(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """Says that a character is dead, or brings it back to life."""
    character = queries.find(viewer, character_id)
    return _button(request, viewer, character, partial(lifecycle.set_dead, dead="revive" not in request.POST))


@member_only(Role.GM)
@require_POST
def duplicate(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """Another one like this NPC."""
    character, form = queries.find(viewer, character_id), ActionForm(request.POST)
    entry = submit(form, lambda: npcs.duplicate(**by(viewer, form), character_id=character_id))
    if entry is None:
        return draw(request, viewer, character, form)
    messages.info(request, f"There is one more. Saved as entry {entry.seq}.")
    return redirect("sheet", viewer.campaign.slug, editing.id_from(viewer.campaign, entry.op_id))


def _one(
    request: HttpRequest, viewer: Viewer, character: Character, form: ActionForm, page: str,
    service: Callable[..., Entry], said: Callable[[dict[str, Any]], dict[str, Any]], **context: Any,
) -> HttpResponse:
    """A page with one form: does it and goes back to the sheet, or says at its field why not."""
    entry = submit(form, lambda: service(**by(viewer, form), character_id=character.pk, **said(form.cleaned_data)))
    if entry:
        messages.info(request, f"Saved as entry {entry.seq}.")
        return redirect("sheet", viewer.campaign.slug, character.pk)
    return render_page(request, f"characters/{page}.html", {
        "viewer": viewer, "character": SheetLink(character.pk, character.name), **context}, form=form)


def _button(
    request: HttpRequest, viewer: Viewer, character: Character, service: Callable[..., Entry]
) -> HttpResponse:
    """A button on the sheet: does it, or shows the sheet with the reason why not."""
    form = ActionForm(request.POST)
    entry = submit(form, lambda: service(**by(viewer, form), character_id=character.pk))
    if entry is None:
        return draw(request, viewer, character, form)
    messages.info(request, f"Saved as entry {entry.seq}.")
    return redirect("sheet", viewer.campaign.slug, character.pk)


def _given(request: HttpRequest) -> Any:
    return request.POST if request.method == "POST" else None
