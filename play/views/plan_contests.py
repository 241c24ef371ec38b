"""Contests of the plan: prepared days before, and begun with one press on the night."""
from __future__ import annotations

import uuid
from urllib.parse import urlencode

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.web import render_page, submit
from play import planned, queries
from play.contexts.contest_named import prep_item
from play.forms.contest import StartForm
from play.models import PlanLine, PlanScene
from play.services import contests
from play.services import plan as services
from play.services.position import choices
from play.views.contests import back, instead, started
from play.views.open_table import gone_on


@member_only(Role.GM)
def prepare(
    request: HttpRequest, viewer: Viewer, plan_scene_id: uuid.UUID | None = None, line_id: uuid.UUID | None = None
) -> HttpResponse:
    """Prepares a contest of a planned scene: its kind, who is in it, and all that its start form asks for."""
    line = get_object_or_404(PlanLine, campaign=viewer.campaign, pk=line_id, type=services.CONTEST) if line_id else None
    scene = line.plan_scene if line else get_object_or_404(PlanScene, campaign=viewer.campaign, pk=plan_scene_id)
    held = planned.contest_of(viewer, line) if line else None
    kinds = planned.kinds(viewer)
    wanted = request.GET.get("kind") or (held.slug if held else "")
    if not kinds:
        raise Http404("This game has no contests.")
    kind = next((kind for kind in kinds if kind.slug == wanted), kinds[0])
    people, bank = planned.people_of(viewer, scene, held), queries.fillings(viewer, kind)
    chosen = next((item for item in bank if str(item.pk) == request.GET.get("prepared")), None)
    form = StartForm(viewer, kind, people, people, request.POST or None, {"title": line.words} if line else None,
                     chosen, choices(viewer.campaign, kind), planning=True)
    if held and held.slug == kind.slug and not chosen:
        form.fill(held.said)
    if form.is_bound and submit(form, lambda: services.write_contest(
        campaign=viewer.campaign, actor=viewer.member, kind=kind.name, title=form.cleaned_data["title"],
        said=form.plan(), plan_scene_id=plan_scene_id, line_id=line_id, **form.submission(),
    )):
        return redirect("plan", viewer.campaign.slug)
    own = f"systems/{viewer.campaign.system}/start_{kind.slug}.html"
    context = {
        "viewer": viewer, "kind": kind, "kinds": kinds, "planning": scene.title if scene else "The plan",
        "bank": [prep_item(item) for item in bank], "chosen": prep_item(chosen) if chosen else None,
    }
    return render_page(request, (own, "play/start_contest.html"), context, form=form)


@require_POST
@member_only(Role.GM)
def begin(request: HttpRequest, viewer: Viewer, line_id: uuid.UUID) -> HttpResponse:
    """Begins a contest as it was prepared; where something is left to say, its form comes with all that was."""
    held = planned.one(viewer, str(line_id))
    if held is None:
        raise Http404("This is no longer planned.")
    kind = next((procedure for procedure in queries.startable(viewer) if procedure.slug == held.slug), None)
    if kind is None:
        return instead(request, viewer)
    cast, known = queries.may_take_part(viewer, kind), choices(viewer.campaign, kind)
    form = StartForm(viewer, kind, *cast, choices=known)
    form.fill(held.said)
    form = StartForm(viewer, kind, *cast, form.as_sent(request.POST), choices=known)
    if not planned.missing(held, cast[0]) and (entry := started(viewer, kind, form, held)):
        return back(request, viewer, contests.id_from(viewer.campaign, entry.op_id), entry, "table")
    left = [str(sentences[0]) for sentences in form.errors.values()]
    messages.info(request, " ".join(left) or "Not everyone planned is here. Choose the participants.")
    at = reverse("start_contest", args=[viewer.campaign.slug, held.slug])
    return gone_on(request, f"{at}?{urlencode({'planned': line_id})}")
