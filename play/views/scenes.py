"""The end of a scene and what follows from it: recovery, placing damage, the GM's gifts."""
from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.web import do, show
from play import queries
from play.contexts.table import contest_context, pending_allocations, scene_context
from play.forms.scenes import BoonForm, ClosingForm, PlaceForm, RecoverAgainForm, RecoveryForm
from play.models import Due
from play.services import boons, dues, scenes


def _deed(viewer: Viewer) -> dict[str, Any]:
    return {"campaign": viewer.campaign, "actor": viewer.member}


@member_only(Role.GM)
def close(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Closes the scene that is on."""
    scene = queries.scene(viewer)
    if scene is None:
        return redirect("table", viewer.campaign.slug)
    form = ClosingForm(viewer, request.POST or None)
    if request.method == "POST" and do(form, lambda: scenes.close_scene(
        values=form.values(), **_deed(viewer), **form.deed()
    )):
        return redirect("table", viewer.campaign.slug)
    going_on = [contest_context(each) for each in queries.left_behind(viewer)]
    context = {"viewer": viewer, "scene": scene_context(scene), "going_on": going_on}
    return show(request, "play/close_scene.html", context, form=form)


@member_only(Role.GM)
def recover(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Lets some recover once more."""
    hurt = queries.hurt(viewer)
    form = RecoverAgainForm(viewer, hurt, request.POST or None)
    if request.method == "POST" and do(form, lambda: scenes.recover_again(
        characters=form.there(), values=form.values(), **_deed(viewer), **form.deed()
    )):
        return redirect("table", viewer.campaign.slug)
    return show(request, "play/recover.html", {"viewer": viewer}, form=form)


@member_only(Role.PLAYER)
def due(request: HttpRequest, viewer: Viewer, due_id: uuid.UUID) -> HttpResponse:
    """Places what is owed, or makes the roll that is owed."""
    owed = queries.due(viewer, due_id)
    if owed is None:
        raise Http404("There is nothing to place here.")
    roll = owed.sort == Due.Sort.ROLL
    form = (RecoveryForm if roll else PlaceForm)(owed, viewer.campaign.rules, request.POST or None)
    if request.method == "POST" and do(form, lambda: _settle(viewer, owed, form)):
        waiting = queries.dues(viewer)
        following = next((each for each in waiting if each.character_id == owed.character_id), None)
        if following:
            return redirect("due", viewer.campaign.slug, following.pk)
        return redirect("table", viewer.campaign.slug)
    return show(request, "play/due.html", {"viewer": viewer, "due": pending_allocations([owed])[0]}, form=form)


def _settle(viewer: Viewer, owed: Due, form: Any) -> Any:
    if owed.sort == Due.Sort.ROLL:
        return dues.roll_recovery(
            due_id=owed.pk, traits=form.cleaned_data["traits"], **_deed(viewer),
            **form.rolling(),
        )
    return dues.place(due_id=owed.pk, spread=form.spread(), **_deed(viewer), **form.deed())


@member_only(Role.GM)
def boon(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Gives a modifier for a good description."""
    form = BoonForm(viewer, list(queries.known(viewer).order_by("npc", "name", "pk")), request.POST or None)
    if request.method == "POST":
        written = do(form, lambda: boons.give(
            character_id=uuid.UUID(form.cleaned_data["character"]), kind=form.cleaned_data["kind"],
            reason=form.cleaned_data["reason"], **_deed(viewer), **form.deed(),
        ))
        if written:
            messages.info(request, "Given. It waits for the next roll.")
            return redirect("table", viewer.campaign.slug)
    return show(request, "play/boon.html", {"viewer": viewer}, form=form)
