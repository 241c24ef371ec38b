"""The GM's library: one list, made with one line each."""
from __future__ import annotations

import uuid
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.linking import links
from campaigns.models import Entry, Role, View
from campaigns.web import ActionForm, by_htmx, render_page, submit
from characters.models import Character
from characters.services import sight
from play import library as queries
from play import queries as table
from play.contexts.desk import desk_tabs
from play.contexts.library import Filter, dice_tell, library_rows, prepared_rows
from play.contexts.sessions import scene_context
from play.contexts.shown_to import players_lines
from play.followers import may_follow
from play.forms.library import CopyForm, LinesForm, QuickForm, TagsForm, ThingForm
from play.forms.plan import PlanLineForm
from play.models import PrepItem
from play.services import bank
from play.services import library as services
from play.views.open_table import done, not_taken, npc_refused
from play.views.things import face
from rules.prep import NPC
from rules.quick_lines import tags_of


@member_only(Role.GM)
def library(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Everything that is prepared, narrowed as one types; and the line that adds to it."""
    if request.method == "POST":
        return _add(request, viewer)
    form = QuickForm.looking(viewer, request.GET) if "line" in request.GET else QuickForm(viewer)
    return the_library(request, viewer, form)


@member_only(Role.GM)
def understood(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What a line says so far: asked for as one types."""
    form = QuickForm.looking(viewer, request.GET)
    context = {"viewer": viewer, "quick": form, "said": form.read() if form.is_valid() else None}
    return render_page(request, "play/library_understood.html", {**context, "scene": bool(viewer.campaign.scene_id)})


@member_only(Role.GM)
def lines(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Several lines: what was understood of each is shown before any is added."""
    form = LinesForm(viewer, request.POST or None)
    said = form.read_all() if form.is_bound and form.is_valid() else []
    if "add" in request.POST and submit(form, lambda: services.add(
        campaign=viewer.campaign, actor=viewer.member, lines=said, **form.submission(),
    )):
        messages.info(request, f"{len(said)} added.")
        return redirect("prepare", viewer.campaign.slug)
    context = {"viewer": viewer, "said": said, "tabs": desk_tabs(viewer, "prepare")}
    return render_page(request, "play/library_lines.html", context, form=form)


@member_only(Role.GM)
def starters(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What one can begin with: each goes into the line, to be changed and added there."""
    kinds = {NPC: "NPC", **{kind.name: kind.label for kind in viewer.campaign.rules.library}}
    rows = [(starter, kinds[starter.kind], urlencode(
        {"line": starter.line, "kind": starter.kind, "text": starter.text}))
        for starter in viewer.campaign.rules.starters if starter.kind in kinds]
    context = {"viewer": viewer, "rows": rows, "tabs": desk_tabs(viewer, "prepare")}
    return render_page(request, "play/library_starters.html", context)


@require_POST
@member_only(Role.GM)
def put(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """A button of a row: puts something on the scene that is on, or sets what players see of it."""
    if "see" in request.POST:
        return _see_row(request, viewer)
    form = ThingForm(request.POST)
    if submit(form, lambda: services.put(
        campaign=viewer.campaign, actor=viewer.member, thing_id=form.cleaned_data["thing"], **form.submission(),
    )):
        if "back" in request.POST:
            return redirect("library_thing", viewer.campaign.slug, form.cleaned_data["thing"])
        return redirect(f"{reverse('prepare', args=[viewer.campaign.slug])}?{request.GET.urlencode()}")
    return the_library(request, viewer, QuickForm(viewer), form)


@member_only()
def thing(request: HttpRequest, viewer: Viewer, thing_id: uuid.UUID) -> HttpResponse:
    """Something in the library, with its tags, copies, and what else can be done with it; to others what they see."""
    if not viewer.runs:
        return face(request, viewer, thing_id)
    item_or_npc = queries.thing(viewer, thing_id)
    if item_or_npc is None:
        raise Http404("This is no longer in the library.")
    tags = _tags_form(viewer, item_or_npc, request.POST if "tags" in request.POST else None)
    copies = CopyForm(request.POST if "count" in request.POST else None)
    by: dict[str, Any] = {"campaign": viewer.campaign, "actor": viewer.member, "thing_id": item_or_npc.pk}
    if tags.is_bound and submit(
            tags, lambda: services.tag(tags=tags_of(tags.cleaned_data["tags"]), **by, **tags.submission())):
        return redirect("library_thing", viewer.campaign.slug, item_or_npc.pk)
    if copies.is_bound and submit(
            copies, lambda: services.copy(count=copies.cleaned_data["count"], **by, **copies.submission())):
        messages.info(request, f"{copies.cleaned_data['count']} more like {item_or_npc.name}.")
        return redirect("prepare", viewer.campaign.slug)
    return _thing_page(request, viewer, item_or_npc, tags, copies)


@require_POST
@member_only(Role.GM)
def view(request: HttpRequest, viewer: Viewer, thing_id: uuid.UUID) -> HttpResponse:
    """One tap on a thing's page: everyone sees nothing of it, its face, or all of it."""
    form, item_or_npc = ActionForm(request.POST), queries.thing(viewer, thing_id)
    if item_or_npc is None:
        raise Http404("This is no longer in the library.")
    if entry := submit(form, lambda: _see(viewer, form, item_or_npc, request.POST.get("view", ""))):
        if request.POST.get("at") == "table":
            return done(request, viewer, reverse("table", args=[viewer.campaign.slug]))
        messages.info(request, f"Saved as entry {entry.seq}.")
        return redirect("library_thing", viewer.campaign.slug, thing_id)
    if request.POST.get("at") == "table":
        return not_taken(request, viewer, form)
    return _thing_page(request, viewer, item_or_npc, _tags_form(viewer, item_or_npc), CopyForm(), form)


def _see_row(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The same at a row of the list."""
    pk, _, said = request.POST["see"].partition(" ")
    form, item_or_npc = ActionForm(request.POST), queries.thing(viewer, pk)
    if item_or_npc is None:
        raise Http404("This is no longer in the library.")
    if submit(form, lambda: _see(viewer, form, item_or_npc, said)) is None:
        return the_library(request, viewer, QuickForm(viewer), form)
    return redirect(f"{reverse('prepare', args=[viewer.campaign.slug])}?{request.GET.urlencode()}")


def _see(viewer: Viewer, form: ActionForm, item_or_npc: PrepItem | Character, said: str) -> Entry:
    by: dict[str, Any] = {"campaign": viewer.campaign, "actor": viewer.member, **form.submission()}
    wanted = View(said) if said in View else View.NOTHING
    if isinstance(item_or_npc, Character):
        return sight.see(**by, character_id=item_or_npc.pk, view=wanted)
    return bank.see(**by, prepared_id=item_or_npc.pk, view=wanted, lines=players_lines(viewer, item_or_npc))


def _tags_form(viewer: Viewer, item_or_npc: PrepItem | Character, data: Any = None) -> TagsForm:
    return TagsForm(data, initial={"tags": " ".join(queries.tags_of(viewer, (item_or_npc,)).get(item_or_npc.pk, []))})


def _thing_page(
    request: HttpRequest, viewer: Viewer, thing: PrepItem | Character, tags: TagsForm, copies: CopyForm,
    refused: ActionForm | None = None,
) -> HttpResponse:
    item = thing if isinstance(thing, PrepItem) else None
    text = thing.text if isinstance(thing, PrepItem) else thing.concept
    kind = bank.kind_of(viewer.campaign, item.type) if item else None
    context = {
        "viewer": viewer, "row": library_rows(viewer, [thing])[0], "tabs": desk_tabs(viewer, ""),
        "dice_tell": dice_tell(viewer, thing),
        "type": item.type if item else "", "text": text, "links": links(viewer, text),
        "rows": prepared_rows(viewer, item) if item else (), "tags_form": tags, "copies": copies,
        "plan_form": PlanLineForm(viewer, auto_id="plan_%s"),
        "uses": [(use.slug, use.start_label) for use in table.filled_by(viewer, kind)] if kind else [],
        "button_form": lambda: ActionForm(auto_id=False), "scene": scene_context(table.scene(viewer)),
        "looks": item.looks if item else "", "here": reverse("library_thing", args=[viewer.campaign.slug, thing.pk]),
        "may_follow": () if isinstance(thing, PrepItem) else may_follow(viewer, thing),
    }
    shown = refused or (copies if copies.is_bound else tags)
    return render_page(request, "play/library_thing.html", context, form=shown)


def _add(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    if "show" in request.POST:
        return the_library(request, viewer, QuickForm.looking(viewer, request.POST))
    form = QuickForm(viewer, request.POST)
    entry = submit(form, lambda: services.add(
        campaign=viewer.campaign, actor=viewer.member, lines=[form.read()], here="here" in request.POST,
        **form.submission(),
    ))
    at_table = request.POST.get("at") == "table"
    if entry is None:
        return (npc_refused if at_table and by_htmx(request) else the_library)(request, viewer, form)
    messages.info(request, f"Added: {form.read().name}.")
    if at_table:
        return done(request, viewer, reverse("table", args=[viewer.campaign.slug]))
    return redirect("prepare", viewer.campaign.slug)


def the_library(
    request: HttpRequest, viewer: Viewer, form: QuickForm, refused: ActionForm | None = None
) -> HttpResponse:
    """The library's page; with a button that was refused, its sentence on top."""
    wanted = _wanted(request)
    listing, counts = queries.found(viewer, wanted), queries.counts(viewer)
    last = listing.things[-1] if listing.more else None
    said = form.read() if form.is_bound and form.is_valid() else None
    asked, at = {"q": wanted.q, "kind": wanted.kind, "tag": wanted.tag}, reverse("prepare", args=[viewer.campaign.slug])
    context = {
        "viewer": viewer, "tabs": desk_tabs(viewer, "prepare"), "quick": form, "said": said, "wanted": asked,
        "narrowed": urlencode(asked), "here": narrowed_to(at, asked),
        "rows": library_rows(viewer, listing.things), "whole": sum(counts.values()),
        "filters": _filters(viewer, wanted, counts),
        "older": f"{at}?{urlencode({**asked, 'after': f'{last.pk},{last.name}'})}" if last else "", "refused": refused,
        "scene": bool(viewer.campaign.scene_id), "button_form": ThingForm(auto_id=False),
        "starters": len(viewer.campaign.rules.starters),
        "forms": [(kind.name, kind.label.lower()) for kind in viewer.campaign.rules.library],
    }
    only = by_htmx(request) and request.headers.get("HX-Target") == "library"
    page = "play/library_rows.html" if only else "play/library.html"
    return render_page(request, page, context, form=refused or form)


def _wanted(request: HttpRequest) -> queries.Wanted:
    asked = {name: request.GET.get(name, "").replace("\x00", "")[:100] for name in ("q", "tag")}
    kind = request.GET.get("only", request.GET.get("kind", "") if "line" not in request.GET else "")
    return queries.Wanted(asked["q"], kind[:40].replace("\x00", ""), asked["tag"], place_of(request))


def narrowed_to(address: str, asked: dict[str, str]) -> str:
    """The address of a list that is narrowed so."""
    query = urlencode({name: said for name, said in asked.items() if said})
    return f"{address}?{query}" if query else address


def place_of(request: HttpRequest) -> tuple[str, uuid.UUID] | None:
    """Where a list goes on, as the address says it: after this name and id."""
    pk, _, name = request.GET.get("after", "").replace("\x00", "").partition(",")
    try:
        return (name, uuid.UUID(pk)) if pk else None
    except ValueError:
        return None


def _filters(viewer: Viewer, wanted: queries.Wanted, counts: dict[str, int]) -> list[Filter]:
    kinds = [(NPC, "NPCs"), *((kind.name, kind.plural) for kind in viewer.campaign.rules.library)]
    filters = [Filter("All", sum(counts.values()), "?", not wanted.kind and not wanted.tag)]
    filters += [Filter(label, counts[name], "?" + urlencode({"kind": name}), wanted.kind == name)
              for name, label in kinds if counts.get(name)]
    return filters + [Filter(f"#{tag}", n, "?" + urlencode({"tag": tag}), wanted.tag == tag)
                    for tag, n in queries.tags(viewer)]
