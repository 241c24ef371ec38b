"""The builder: a new character, a sheet changed, and the count as one types."""
from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.web import render_page
from characters import queries
from characters.builder import Builder
from characters.contexts import ready_made
from characters.forms import ProseForm
from characters.models import Character
from characters.services import editing
from characters.views.sheets import parts
from rules.sheet import ReadsProse
from rules.values import BadMove


@member_only(Role.PLAYER)
def new(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """A new character; `?ready=2` begins with the second of those that the game has ready, `?part=nobody` with one for
    a player to take."""
    ready = viewer.campaign.rules.sheet.ready_made
    number = request.GET.get("ready", "")
    if request.method == "GET" and number in map(str, range(1, len(ready) + 1)):
        one = ready[int(number) - 1]
        return _page(request, viewer, Builder.written(
            viewer, one.story, one.traits, name=one.name, concept=one.concept, part="nobody"), to=request.path)
    return _build(request, viewer, None)


@member_only(Role.PLAYER)
def prose(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """A new character from a text in which phrases are marked, where the game reads one."""
    rules = viewer.campaign.rules.sheet
    if not isinstance(rules, ReadsProse):
        raise Http404("This game reads no prose.")
    form = ProseForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            story, drafts = rules.from_prose(form.cleaned_data["text"])
            messages.info(request, _length(*rules.prose_length(story)))
            return _page(request, viewer, Builder.written(viewer, story, drafts), to=reverse(
                "character_new", args=[viewer.campaign.slug]))
        except BadMove as bad:
            form.add_error("text", bad.sentence)
    words = rules.prose_length("")[1]
    return render_page(request, "characters/prose.html", {"viewer": viewer, "words": words}, form=form)


def _length(words: int, about: int) -> str:
    """How long a text is, with a word where it is over its measure; nothing is refused for it."""
    over = f": {words - about} over. The GM decides whether that is too much" if words > about else ""
    return f"The text has {words} of about {about} words{over}."


@member_only(Role.PLAYER)
def edit(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """The whole sheet, to be changed."""
    return _build(request, viewer, queries.find_to_edit(viewer, character_id))


@member_only(Role.PLAYER)
@require_POST
def count(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What the budget says of what is typed; nothing is kept."""
    given = request.POST.get("character", "")
    character = queries.find_to_edit(viewer, uuid.UUID(given)) if _is_id(given) else None
    builder = Builder.typed(viewer, character, request.POST)
    context = {"viewer": viewer, "budget": builder.budget, "parts": parts(viewer, "budget"), "builder": builder,
               "apart": True}
    return render_page(request, "characters/count.html", context)


def _build(request: HttpRequest, viewer: Viewer, character: Character | None) -> HttpResponse:
    if request.method != "POST":
        part = "nobody" if request.GET.get("part") == "nobody" else "hidden"
        return _page(request, viewer, Builder.start(viewer, character, part))
    if any(press in request.POST for press in ("add", "drop", "recount")):
        return _page(request, viewer, Builder.typed(viewer, character, request.POST))
    builder = Builder.posted(viewer, character, request.POST)
    if not builder.is_valid():
        return _page(request, viewer, builder, 422)
    try:
        entry = (
            editing.edit(**_edited(viewer, builder, character)) if character
            else editing.create(**_created(viewer, builder))
        )
    except BadMove as bad:
        builder.refuse(bad)
        return _page(request, viewer, builder, 409 if isinstance(bad, editing.Stale) else 422)
    messages.info(request, f"Saved as entry {entry.seq} of the Ledger.")
    made = character.pk if character else editing.id_from(viewer.campaign, entry.op_id)
    return redirect("sheet", viewer.campaign.slug, made)


def _page(
    request: HttpRequest, viewer: Viewer, builder: Builder, status: int = 200, to: str = ""
) -> HttpResponse:
    answer = render_page(request, "characters/builder.html", {
        "viewer": viewer, "builder": builder, "budget": builder.budget, "parts": parts(viewer, "budget"),
        "character": builder.character, "head": parts(viewer, "builder_notes"), "asks_reason": _asks_reason(builder),
        "to": to or request.path, "ready": () if builder.character else ready_made(viewer),
    }, form=builder.person)
    answer.status_code = status
    return answer


def _asks_reason(builder: Builder) -> bool:
    return "reason" in builder.person.fields and (builder.budget.over or bool(builder.character))


def _edited(viewer: Viewer, builder: Builder, character: Character) -> dict[str, Any]:
    return {
        **builder.said(), "campaign": viewer.campaign, "actor": viewer.member, "character_id": character.pk,
        "seen": builder.person.cleaned_data["seen"] or 0,
    }


def _created(viewer: Viewer, builder: Builder) -> dict[str, Any]:
    said = builder.said()
    part = builder.person.cleaned_data.get("part", "") if viewer.runs else str(viewer.member.pk)
    others = {str(member.pk): member for member in queries.players(viewer)} if part else {}
    return {
        **said, "campaign": viewer.campaign, "actor": viewer.member, "player": others.get(part),
        "npc": part in ("npc", "hidden"), "hidden": part == "hidden",
    }


def _is_id(text: str) -> bool:
    try:
        uuid.UUID(text)
    except ValueError:
        return False
    return True
