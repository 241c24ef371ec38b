"""Looking: the list, a sheet, a sheet as it was, why a number is what it is."""
from __future__ import annotations

import uuid
from functools import partial

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_GET

from campaigns.access import Viewer, member_only
from campaigns.linking import links
from campaigns.models import Role
from campaigns.offline import kept_offline
from campaigns.pages import beside
from campaigns.trail.visible import last_seq
from campaigns.views import sharing
from campaigns.web import ActionForm, render_page
from characters import queries
from characters.cards import card, face_context
from characters.contexts import SwitchLink, reasons, sheet_context, state_of
from characters.forms import QuickForm, SearchForm
from characters.listed import listed
from characters.models import Character
from characters.paper import blank_sheet
from characters.provenance import provenance
from characters.services.common import may_edit
from characters.sharing import SHEET

SHELVES = ("mine", "players", "npcs", "retired")


@member_only()
def listing(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The characters, mine first; with `q` those of a name; with `shelf` and `after` the next of one shelf."""
    search = SearchForm(request.GET)
    q = search.cleaned_data["q"] if search.is_valid() else ""
    asked = request.GET.get("shelf", "")
    names = (asked,) if asked in (*SHELVES, "found") else ("found",) if q else SHELVES
    shelves = [queries.shelf(viewer, name, q=q, after=_id(request.GET.get("after", ""))) for name in names]
    rows = [row for shelf in shelves for row in shelf.rows]
    seen, seen_by_some = queries.sees_all(viewer, rows), queries.seen_by_some(viewer, rows)
    context = {
        "viewer": viewer, "q": q, "search": search, "quick": QuickForm() if viewer.runs else None,
        "shelves": [
            (shelf.name, [card(viewer, row, seen, seen_by_some) for row in shelf.rows], shelf.after)
            for shelf in shelves
        ], "button_form": partial(ActionForm, auto_id=False),
        "empty": not any(shelf.rows for shelf in shelves), "whole": names == SHELVES,
        "quick_help": parts(viewer, "quick_help"),
    }
    answer = render_page(request, "characters/list.html", context)
    answer.status_code = 200 if search.is_valid() else 422
    return answer


@require_GET
@member_only(Role.GM)
def lines(request: HttpRequest, viewer: Viewer, kind: str) -> HttpResponse:
    """All lines of a kind, whosesoever they are."""
    about, rows = listed(viewer, kind)
    return render_page(request, "characters/lines.html", {"viewer": viewer, "kind": about, "lines": rows})


@member_only()
def mine(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """To my character; to the builder for a player who has none."""
    character = queries.my_first(viewer)
    if character is not None:
        return redirect("sheet", viewer.campaign.slug, character.pk)
    return redirect("character_begin" if viewer.plays and not viewer.runs else "characters", viewer.campaign.slug)


@member_only()
@kept_offline
def sheet(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """A sheet as it is now; only the face for whoever knows no more of it."""
    if character := queries.known_sheet(viewer, character_id):
        return draw(request, viewer, character)
    face = queries.find_face(viewer, character_id)
    return render_page(request, "characters/face.html", {
        "viewer": viewer, "face": face_context(viewer, face), "links": links(viewer, face.looks),
        "beside": beside(viewer, face.pk, face.name)})


@member_only(Role.PLAYER)
def share(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID) -> HttpResponse:
    """The links that show a sheet to people without an account."""
    back = reverse("sheet", args=[viewer.campaign.slug, character_id])
    return sharing.share(request, viewer, SHEET, character_id, back)


@require_GET
@member_only()
def blank(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """An empty sheet, to print and fill in by hand."""
    context = {"viewer": viewer, "sheet": blank_sheet(viewer), "blank": True, "parts": parts(viewer, "sheet_notes")}
    return render_page(request, "characters/blank.html", context)


def draw(request: HttpRequest, viewer: Viewer, character: Character, refused: ActionForm | None = None) -> HttpResponse:
    """The sheet's page; with an action that was refused, its sentence on top."""
    note = queries.note(viewer, character)
    counted = may_edit(viewer.member, character) and not character.npc and viewer.campaign.rules.growth.apart
    known = provenance(viewer.campaign, character.pk) if counted else {}
    shown = sheet_context(viewer, character, state_of(character), note=note, known=known)
    context = {
        "viewer": viewer, "button_form": partial(ActionForm, auto_id=False),
        "last": last_seq(viewer, character.pk),
        "switch": _switch(viewer, character),
        "sheet": shown, "links": links(viewer, shown.looks, shown.story, shown.note),
        "parts": parts(viewer, "sheet_notes"), "beside": beside(viewer, character.pk, character.name),
    }
    return render_page(request, "characters/sheet.html", context, form=refused)


def _switch(viewer: Viewer, character: Character) -> tuple[SwitchLink, ...]:
    """The viewer's own sheets, where this is one of several."""
    return tuple(
        SwitchLink(own.pk, own.name, reverse("sheet", args=[viewer.campaign.slug, own.pk]), own.pk == character.pk)
        for own in queries.mine_with(viewer, character))


@member_only()
def as_of(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID, seq: int) -> HttpResponse:
    """A sheet as it was after an entry, as far as the viewer may know."""
    character = queries.find(viewer, character_id)
    state = queries.state_at(viewer, character_id, seq) if seq <= viewer.campaign.head_seq else None
    if state is None:
        raise Http404("Nothing was known of this character by then.")
    earlier, later = queries.steps(viewer, character_id, seq)
    if earlier and queries.state_at(viewer, character_id, earlier) is None:
        earlier = None
    context = {
        "viewer": viewer, "sheet": sheet_context(viewer, character, state, now=False), "as_of": seq,
        "links": links(viewer, state.story),
        "earlier": earlier, "later": later, "parts": parts(viewer, "sheet_notes"),
    }
    return render_page(request, "characters/sheet.html", context)


@member_only()
@kept_offline
def why(request: HttpRequest, viewer: Viewer, character_id: uuid.UUID, object_id: uuid.UUID) -> HttpResponse:
    """The entries that made a number, newest first."""
    character = queries.find(viewer, character_id)
    before = request.GET.get("before", "")
    answer = queries.why(viewer, character, object_id, int(before[:9]) if before.isdecimal() else 0)
    context = {
        "viewer": viewer, "character_id": character.pk, "name": character.name, "label": answer.label,
        "object_id": object_id, "older": answer.older,
        "reasons": reasons(viewer, answer.entries, object_id, answer.kind),
    }
    return render_page(request, "characters/why.html", context)


def parts(viewer: Viewer, name: str) -> tuple[str, str]:
    """The game's own template of this name where it has one, else the site's."""
    return f"systems/{viewer.campaign.system}/{name}.html", f"characters/{name}.html"


def _id(text: str) -> uuid.UUID | None:
    try:
        return uuid.UUID(text)
    except ValueError:
        return None
