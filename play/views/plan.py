"""The plan of a session."""
from __future__ import annotations

import uuid
from collections.abc import Collection
from functools import partial
from typing import Any

from django.db.models import Q
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.errors import Refused
from campaigns.linking import links
from campaigns.models import Entry, Role
from campaigns.web import ActionForm, render_page, submit
from characters.models import Character
from characters.services.common import NAME
from play import queries as table
from play.contexts.contest_named import contest_context
from play.contexts.desk import desk_tabs
from play.contexts.plan import plan_context
from play.contexts.sessions import scene_context
from play.forms.plan import NewSceneForm, OpenForm, PlanForm, PlanLineForm, PlanSceneForm
from play.models import PlanScene, PrepItem
from play.services import plan as services
from play.views.open_table import done, not_taken

FOUND = 20  # people, and things, that a search offers


@member_only(Role.GM)
def plan(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The plan; a POST keeps its title and notes."""
    known = services.current(viewer.campaign)
    form = PlanForm(request.POST or None, initial={"title": known.title, "notes": known.notes} if known else {})
    if form.is_bound and submit(form, lambda: services.write_plan(
        **_by(viewer), title=form.cleaned_data["title"], notes=form.cleaned_data["notes"], **form.submission(),
    )):
        return redirect("plan", viewer.campaign.slug)
    return the_plan(request, viewer, form)


def the_plan(
    request: HttpRequest, viewer: Viewer, form: PlanForm | None = None, refused: ActionForm | None = None
) -> HttpResponse:
    """The page; with a button that was refused, its sentence on top."""
    plan = plan_context(viewer)
    context = {
        "viewer": viewer, "tabs": desk_tabs(viewer, "plan"), "plan": plan, "refused": refused,
        "links": links(viewer, plan.notes, *(text for scene in plan.scenes for text in (scene.text, scene.notes)))
        if plan else {},
        "plan_form": form or PlanForm(initial={"title": plan.title, "notes": plan.notes} if plan else {}),
        "line_form": PlanLineForm(viewer, auto_id=False), "button_form": ActionForm(auto_id=False),
        "here": reverse("plan", args=[viewer.campaign.slug]),
        "scene": scene_context(table.scene(viewer)), "names": [name for _, name in _things(viewer, most=200)],
    }
    return render_page(request, "play/plan.html", context, form=refused or form)


@member_only(Role.GM)
def scene(request: HttpRequest, viewer: Viewer, plan_scene_id: uuid.UUID | None = None) -> HttpResponse:
    """A planned scene: a new one, or a change of one."""
    known = get_object_or_404(PlanScene, campaign=viewer.campaign, pk=plan_scene_id) if plan_scene_id else None
    held = {"title": known.title, "text": known.text, "notes": known.notes} if known else {}
    form = PlanSceneForm(request.POST or None, initial=held) if known else _new_scene(request, viewer)
    if form.is_bound and submit(form, lambda: services.write_scene(
        **_by(viewer), title=form.cleaned_data["title"], words=form.cleaned_data["text"],
        notes=form.cleaned_data["notes"], plan_scene_id=plan_scene_id,
        lines=form.all_lines() if isinstance(form, NewSceneForm) else (), **form.submission(),
    )):
        return redirect("plan", viewer.campaign.slug)
    context = {"viewer": viewer, "known": known is not None, "q": (request.POST or request.GET).get("q", "")}
    only = request.headers.get("HX-Request") and "q" in request.GET
    return render_page(request, "play/plan_found.html" if only else "play/plan_scene.html", context, form=form)


def _new_scene(request: HttpRequest, viewer: Viewer) -> NewSceneForm:
    """The form of a new scene: with what is ticked already, and what was looked for in the library."""
    asked = request.POST or request.GET
    ticked = [pk for value in asked.getlist("things") if (pk := as_uuid(value))]
    offered = _things(viewer, ticked, asked.get("q", "").replace("\x00", ""))
    typed = {name: asked[name] for name in ("title", "text", "notes", "lines") if name in asked}
    sent = None if "show" in request.POST else request.POST or None
    return NewSceneForm(offered, partial(_named, viewer), sent,
                        initial={**typed, "things": [str(pk) for pk in ticked]})


@require_POST
@member_only(Role.GM)
def line(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Adds a line: words that name something in the library bring that."""
    form = PlanLineForm(viewer, request.POST)
    if submit(form, lambda: _added(viewer, form)):
        return redirect("threads" if request.POST.get("back") == "threads" else "plan", viewer.campaign.slug)
    return the_plan(request, viewer, refused=form)


def _added(viewer: Viewer, form: PlanLineForm) -> Entry:
    data = form.cleaned_data
    thing = data["thing"] or (_named(viewer, data["words"]) if data["type"] in ("", services.TODO) else None)
    return services.add_line(
        **_by(viewer), words=data["words"], type=data["type"] or services.TODO, thing_id=thing, from_seq=data["seq"],
        plan_scene_id=uuid.UUID(data["scene"]) if data["scene"] else None, **form.submission())


@require_POST
@member_only(Role.GM)
def change(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """A button of the plan: `tick`, `untick`, `drop`, `reveal`, `up`, `remove` with an id, or `carry`."""
    form, at_table = ActionForm(request.POST), request.POST.get("at") == "table"
    if submit(form, lambda: _change(viewer, request, form)):
        return (done(request, viewer, reverse("table", args=[viewer.campaign.slug])) if at_table
                else redirect("plan", viewer.campaign.slug))
    if at_table:
        return not_taken(request, viewer, form)
    return the_plan(request, viewer, refused=form)


def _change(viewer: Viewer, request: HttpRequest, form: ActionForm) -> Entry:
    by = {**_by(viewer), **form.submission()}
    if "carry" in request.POST:
        return services.carry_on(**by)
    lines: dict[str, Any] = {
        "drop": services.remove_line, "tick": services.tick, "reveal": services.reveal,
        "untick": partial(services.tick, ticked=False),
    }
    scenes: dict[str, Any] = {"up": services.move_up, "remove": services.remove_scene}
    for name, value in request.POST.items():
        if (name in lines or name in scenes) and (pk := as_uuid(str(value))):
            of = {"line_id": pk} if name in lines else {"plan_scene_id": pk}
            return {**lines, **scenes}[name](**by, **of)  # type: ignore[no-any-return]
    raise Refused("Press one of the buttons of the plan.")


@member_only(Role.GM)
def open_scene(request: HttpRequest, viewer: Viewer, plan_scene_id: uuid.UUID) -> HttpResponse:
    """Opens a planned scene; asks first what closes the scene that is on."""
    plan = plan_context(viewer)
    row = next((scene for scene in plan.scenes if scene.id == plan_scene_id), None) if plan else None
    if row is None:
        raise Http404("This scene is no longer planned.")
    form = OpenForm(viewer, row.obstacles, request.POST or None)
    if form.is_bound and submit(form, lambda: services.open_scene(
        **_by(viewer), plan_scene_id=plan_scene_id, values=form.values(), anyway=form.anyway,
        views=form.views(), current=form.current(), **form.submission(),
    )):
        return redirect("table", viewer.campaign.slug)
    first, left = ([contest_context(contest) for contest in part] for part in table.unfinished(viewer))
    context = {"viewer": viewer, "row": row, "scene": scene_context(table.scene(viewer)), "first": first,
               "going_on": left}
    return render_page(request, "play/plan_open.html", context, form=form)


def as_uuid(text: str) -> uuid.UUID | None:
    """The id that a form sent; None for what is none."""
    try:
        return uuid.UUID(text)
    except ValueError:
        return None


def _by(viewer: Viewer) -> dict[str, Any]:
    return {"campaign": viewer.campaign, "actor": viewer.member}


def _named(viewer: Viewer, words: str) -> uuid.UUID | None:
    """Something in the library of exactly this name."""
    name = " ".join(words.split())
    people = Character.objects.filter(campaign=viewer.campaign, npc=True, retired=False, name__iexact=name)
    items = PrepItem.objects.filter(campaign=viewer.campaign, name__iexact=name)
    return people.values_list("pk", flat=True).first() or items.values_list("pk", flat=True).first()


def _things(
    viewer: Viewer, ticked: Collection[uuid.UUID] = (), q: str = "", most: int = FOUND
) -> list[tuple[uuid.UUID, str]]:
    """What a scene can have of the library, ids and names: what is ticked, then people and things of such a name."""
    people = Character.objects.filter(campaign=viewer.campaign, npc=True, retired=False).order_by("name", "pk")
    items = PrepItem.objects.filter(campaign=viewer.campaign).order_by("name", "pk")
    rows = [*people.filter(pk__in=ticked).values_list("pk", "name"),
            *items.filter(pk__in=ticked).values_list("pk", "name")]
    named = Q(name__icontains=q[:NAME])
    return [*rows, *people.filter(named).exclude(pk__in=ticked).values_list("pk", "name")[:most],
            *items.filter(named).exclude(pk__in=ticked).values_list("pk", "name")[:most]]
