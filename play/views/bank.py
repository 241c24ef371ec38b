"""Something prepared in the library, and what the campaign holds together."""
from __future__ import annotations

import uuid
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.errors import Refused
from campaigns.models import Role
from campaigns.web import ActionForm, render_page, submit
from play.contexts.shown_to import players_lines
from play.forms.bank import PoolForm, PreparedForm
from play.forms.library import QuickForm
from play.models import PrepItem
from play.services import bank, pools
from play.views import open_table
from play.views.library import the_library
from rules.prep import PrepItemKind


@member_only(Role.GM)
def prepared(request: HttpRequest, viewer: Viewer, type: str, prepared_id: uuid.UUID | None = None) -> HttpResponse:
    """Something new for the bank, or a change of what is in it."""
    kind = _kind(viewer, type)
    known = get_object_or_404(PrepItem, campaign=viewer.campaign, pk=prepared_id, type=type) if prepared_id else None
    form = PreparedForm(kind, known, request.POST or None)
    if request.method == "POST" and submit(form, lambda: bank.write(
        campaign=viewer.campaign, actor=viewer.member, type=type, prepared_id=prepared_id, fields=form.given(),
        name=form.cleaned_data["name"], words=form.cleaned_data["text"], looks=form.cleaned_data["looks"],
        **form.submission(),
    )):
        made = prepared_id or bank.id_from(viewer.campaign, form.submission()["op_id"])
        return redirect("library_thing", viewer.campaign.slug, made)
    context = {"viewer": viewer, "kind": kind, "title": known.name if known else ""}
    return render_page(request, "play/prepared.html", context, form=form)


@require_POST
@member_only(Role.GM)
def change(request: HttpRequest, viewer: Viewer, prepared_id: uuid.UUID) -> HttpResponse:
    """A button beside something prepared: another like it, take it away, show it to the players."""
    form = ActionForm(request.POST)
    submission: dict[str, Any] = {"campaign": viewer.campaign, "actor": viewer.member, "prepared_id": prepared_id}
    if "show" in request.POST:
        one = get_object_or_404(PrepItem, campaign=viewer.campaign, pk=prepared_id)
        done = submit(form, lambda: bank.show(lines=players_lines(viewer, one), **submission, **form.submission()))
    else:
        service = bank.duplicate if "again" in request.POST else bank.remove
        done = submit(form, lambda: service(**submission, **form.submission()))
    if done is None:
        return the_library(request, viewer, QuickForm(viewer), form)
    messages.info(request, f"Saved as entry {done.seq}.")
    return redirect("prepare", viewer.campaign.slug)


@member_only(Role.GM)
def pool(request: HttpRequest, viewer: Viewer, name: str) -> HttpResponse:
    """Sets what a pool of the campaign holds; it opens at what it holds when it is fresh."""
    kind = next((pool for pool in viewer.campaign.rules.session.shared_pools if pool.name == name), None)
    if kind is None:
        raise Http404("There is no such pool.")
    if "fresh" in request.POST:
        return _refresh(request, viewer, name)
    fresh = pools.start_of(viewer.campaign, name)
    form = PoolForm(request.POST or None, initial={"value": fresh})
    if request.method == "POST" and submit(form, lambda: pools.set_pool(
        campaign=viewer.campaign, actor=viewer.member, pool=name, value=form.cleaned_data["value"],
        reason=form.cleaned_data["reason"], **form.submission(),
    )):
        return redirect("table", viewer.campaign.slug)
    context = {"viewer": viewer, "kind": kind, "now": pools.held(viewer.campaign, name), "fresh": fresh}
    return render_page(request, "play/shared_pool.html", context, form=form)


def _refresh(request: HttpRequest, viewer: Viewer, name: str) -> HttpResponse:
    form = ActionForm(request.POST)
    done = submit(form, lambda: pools.refresh(
        campaign=viewer.campaign, actor=viewer.member, pool=name, **form.submission(),
    ))
    if done is None:
        return open_table.not_taken(request, viewer, form)
    return open_table.done(request, viewer, reverse("table", args=[viewer.campaign.slug]))


def _kind(viewer: Viewer, type: str) -> PrepItemKind:
    try:
        return bank.kind_of(viewer.campaign, type)
    except Refused as unknown:
        raise Http404(str(unknown)) from unknown
