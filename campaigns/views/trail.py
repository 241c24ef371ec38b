"""The Ledger: reading the trail, opening an entry, undoing and revealing, checking and taking it away."""
from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.services import undoing
from campaigns.trail import queries
from campaigns.trail.contexts import folded, opened, rows
from campaigns.trail.forms import FilterForm, UndoForm
from campaigns.web import ActionForm, ask_once, render_page, submit


@member_only()
def ledger(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The whole trail, newest first, filtered and paged by number."""
    form = FilterForm(viewer, request.GET or None)
    page = queries.page(viewer, **form.chosen())
    listed = rows(viewer, page.entries)
    context = {
        "viewer": viewer, "filter": form, "entries": listed, "rows": folded(listed, page.sealed), "older": page.older,
        "query": form.query(),
    }
    return render_page(request, "campaigns/trail/ledger.html", context)


@member_only()
def one(request: HttpRequest, viewer: Viewer, seq: int) -> HttpResponse:
    """One entry with its dice, steps and changes."""
    return _one(request, viewer, seq, UndoForm())


def _one(request: HttpRequest, viewer: Viewer, seq: int, form: ActionForm) -> HttpResponse:
    entry = queries.one(viewer, seq)
    if entry is None:
        raise Http404("There is no entry of this number.")
    context = {
        "viewer": viewer, "entry": opened(viewer, entry), "envelope": queries.envelope(entry),
        "may_undo": undoing.may_undo(viewer.member, entry),
        "followed": len(undoing.followed(viewer.campaign, entry)) if viewer.runs else 0,
        "may_reveal": viewer.runs and entry.audience != "all",
    }
    return render_page(request, "campaigns/trail/entry.html", context, form=form)


@require_POST
@member_only(Role.PLAYER)
def undo(request: HttpRequest, viewer: Viewer, seq: int) -> HttpResponse:
    """Reverses an entry by a new one, or with all that followed in its contest."""
    form = UndoForm(request.POST)
    service = undoing.undo_back if "back" in request.POST else undoing.undo
    written = submit(form, lambda: service(
        campaign=viewer.campaign, actor=viewer.member, seq=seq, reason=form.cleaned_data["reason"], **form.submission()
    ))
    if written is None:
        return _one(request, viewer, seq, form)
    messages.info(request, f"Entry {seq} is undone by entry {written.seq}.")
    return redirect("entry", viewer.campaign.slug, written.seq)


@require_POST
@member_only(Role.GM)
def reveal(request: HttpRequest, viewer: Viewer, seq: int) -> HttpResponse:
    """Breaks the seal of an entry, which is asked once: what was read can't be unread."""
    if asked := ask_once(
        request, viewer, button=f"Reveal entry {seq}",
        question=f"All members will read entry {seq}, its dice and its reasons. Nobody can seal it again.",
        back=reverse("entry", args=[viewer.campaign.slug, seq]),
    ):
        return asked
    form = UndoForm(request.POST)
    if submit(form, lambda: undoing.reveal(
        campaign=viewer.campaign, actor=viewer.member, seq=seq, **form.submission())) is None:
        return _one(request, viewer, seq, form)
    return redirect("entry", viewer.campaign.slug, seq)
