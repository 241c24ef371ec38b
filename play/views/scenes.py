"""The end of a scene and what follows from it: recovery, placing damage, the GM's gifts."""
from __future__ import annotations

import uuid
from contextlib import suppress
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.web import render_page, submit
from play import queries
from play.contexts.contest_named import unfinished
from play.contexts.pending import pending_allocations
from play.contexts.sessions import scene_context
from play.forms.scenes import ClosingForm, ModifierForm, PlaceForm, RecoverAgainForm, RecoveryForm
from play.models import Contest, PendingAllocation
from play.services import pending_allocations as allocations
from play.services import pending_modifiers, scenes


def _by(viewer: Viewer) -> dict[str, Any]:
    return {"campaign": viewer.campaign, "actor": viewer.member}


@member_only(Role.GM)
def close(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Closes the scene that is on."""
    scene = queries.scene(viewer)
    if scene is None:
        return redirect("table", viewer.campaign.slug)
    form = ClosingForm(viewer, request.POST or None)
    written = submit(form, lambda: scenes.close_scene(
        values=form.values(), anyway=form.anyway, **_by(viewer), **form.submission()))
    if written:
        return redirect(f"{reverse('table', args=[viewer.campaign.slug])}?rolled={written.seq}#rolled")
    context = {"viewer": viewer, "scene": scene_context(scene), **unfinished(viewer)}
    return render_page(request, "play/close_scene.html", context, form=form)


def after_a_fight(viewer: Viewer, at: str) -> tuple[Any, ...]:
    """The page of the contest whose id this is; the table for anything else."""
    with suppress(ValueError):
        if Contest.objects.filter(campaign=viewer.campaign, pk=uuid.UUID(at)).exists():
            return "contest", viewer.campaign.slug, uuid.UUID(at)
    return "table", viewer.campaign.slug


@member_only(Role.GM)
def recover(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Lets some recover once more; back to where the button was pressed, the end of a fight or the table."""
    hurt = queries.hurt(viewer)
    form = RecoverAgainForm(viewer, hurt, request.POST or None)
    if request.method == "POST" and submit(form, lambda: scenes.recover_again(
        characters=form.there(), values=form.values(), **_by(viewer), **form.submission()
    )):
        return redirect(*after_a_fight(viewer, request.POST.get("at", "")))
    return render_page(request, "play/recover.html", {"viewer": viewer}, form=form)


@member_only(Role.PLAYER)
def place(request: HttpRequest, viewer: Viewer, allocation_id: uuid.UUID) -> HttpResponse:
    """Places what is pending, or makes a pending roll."""
    pending = queries.allocation(viewer, allocation_id)
    if pending is None and queries.already_done(viewer, request.POST.get("op_id", "")):
        return redirect("table", viewer.campaign.slug)
    if pending is None:
        raise Http404("There is nothing to assign here.")
    roll = pending.type == PendingAllocation.Type.ROLL
    form = (RecoveryForm if roll else PlaceForm)(pending, viewer.campaign.rules, request.POST or None)
    if request.method == "POST" and submit(form, lambda: _settle(viewer, pending, form)):
        if following := queries.next_to_place(viewer, pending.character_id):
            return redirect("place", viewer.campaign.slug, following)
        return redirect("table", viewer.campaign.slug)
    allocation = pending_allocations([pending])[0]
    help_text = allocations.allocating(viewer.campaign).damage_help.format(name=allocation.name)
    context = {"viewer": viewer, "allocation": allocation, "damage_help": help_text}
    return render_page(request, "play/place.html", context, form=form)


def _settle(viewer: Viewer, pending: PendingAllocation, form: Any) -> Any:
    if pending.type == PendingAllocation.Type.ROLL:
        return allocations.roll_recovery(
            allocation_id=pending.pk, traits=form.cleaned_data["traits"], **_by(viewer),
            **form.rolling(),
        )
    return allocations.place(allocation_id=pending.pk, spread=form.spread(), **_by(viewer), **form.submission())


@member_only(Role.GM)
def give_modifier(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Gives a modifier for a good description."""
    alive = [character for character in queries.by_name(viewer) if not character.dead]
    form = ModifierForm(viewer, alive, request.POST or None)
    if request.method == "POST":
        written = submit(form, lambda: pending_modifiers.give(
            character_id=uuid.UUID(form.cleaned_data["character"]), kind=form.cleaned_data["kind"],
            reason=form.cleaned_data["reason"], **_by(viewer), **form.submission(),
        ))
        if written:
            messages.info(request, "Given. It waits for the next roll.")
            return redirect("table", viewer.campaign.slug)
    return render_page(request, "play/give_modifier.html", {"viewer": viewer}, form=form)
