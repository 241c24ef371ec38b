"""One's journal about a session or a scene."""
from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns import pages
from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.services import journals as services
from campaigns.services.journals import write
from campaigns.web import ActionForm, by, render_page, submit
from play.contexts.sessions import scene_context, session_context
from play.forms.journals import JournalForm
from play.journals import beginnings, draft_key, find_subject, own_journal, writes_as


@member_only(Role.PLAYER)
def journal(request: HttpRequest, viewer: Viewer, about_id: uuid.UUID) -> HttpResponse:
    """Writes the viewer's own journal, or changes it; what they did then is below, to begin from."""
    session, scene = find_subject(viewer, about_id)
    page, voices = own_journal(viewer, about_id), writes_as(viewer)
    form = JournalForm(viewer, page, voices, request.POST if request.method == "POST" else None)
    entry = submit(form, lambda: write(about_id=about_id, **form.said(), **by(viewer, form)))
    if entry:
        messages.info(request, f"Saved as entry {entry.seq}.")
        chronicle = f"{reverse('chronicle', args=[viewer.campaign.slug])}?earlier={session.number + 1}"
        return redirect(f"{chronicle}&saved={draft_key(viewer, about_id)}#session-{session.number}")
    return render_page(request, "play/journal.html", {
        "viewer": viewer, "draft": draft_key(viewer, about_id), "session": session_context(session, scenes=True),
        "scene": scene_context(scene), "voice": voices[0].name if voices else "",
        "beginnings": beginnings(viewer, session, scene, voices),
    }, form=form)


@require_POST
@member_only(Role.GM)
def leave_out(request: HttpRequest, viewer: Viewer, page_id: uuid.UUID) -> HttpResponse:
    """Leaves a journal out of the Chronicle, or puts it back."""
    page, _ = pages.find(viewer, page_id)
    form, out = ActionForm(request.POST), request.POST.get("left") != "back"
    entry = submit(form, lambda: services.leave_out(**by(viewer, form), page_id=page.pk, out=out))
    if entry:
        messages.info(request, f"Saved as entry {entry.seq}.")
    else:
        messages.error(request, " ".join(map(str, form.non_field_errors())) or "Reload the page and try again.")
    return redirect("chronicle", viewer.campaign.slug)
