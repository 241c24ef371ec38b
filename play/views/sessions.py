"""Evenings and scenes."""
from __future__ import annotations

import uuid
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.linking import links
from campaigns.models import Role
from campaigns.moved import lead_to
from campaigns.web import render_page, submit
from play import queries
from play.contexts import session_tabs
from play.contexts.table import scene_context, session_context
from play.forms.scenes import FirstSceneForm, PresenceForm, RecapForm, SceneForm, SessionForm
from play.models import Session
from play.services import sessions as services
from play.stories import stories

# What the Ledger was narrowed to when it stood at this address.
OF_THE_LEDGER = {"person", "character", "kind", "session", "before"}


@member_only()
def chronicle(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """All sessions with their scenes and recaps, newest first."""
    if OF_THE_LEDGER & set(request.GET):
        return lead_to(request, "ledger", {"slug": viewer.campaign.slug})
    return _chronicle(request, viewer, SessionForm())


def _chronicle(request: HttpRequest, viewer: Viewer, form: SessionForm) -> HttpResponse:
    before = request.GET.get("earlier", "")
    found, older = queries.sessions(viewer, int(before[:6]) if before.isdecimal() else 0)
    by_scene = stories(viewer, found)
    sessions = [session_context(each, scenes=True, stories=by_scene) for each in found]
    context = {
        "viewer": viewer, "sessions": sessions, "links": links(viewer, *(
            text for each in sessions if each for text in (each.recap, *(one.text for one in each.scenes)))),
        "older": f"?earlier={older}" if older else "",
        "open": session_context(queries.session(viewer)), "tabs": session_tabs(viewer, "chronicle"),
    }
    return render_page(request, "play/chronicle.html", context, form=form)


def _by(viewer: Viewer) -> dict[str, Any]:
    return {"campaign": viewer.campaign, "actor": viewer.member}


@require_POST
@member_only(Role.GM)
def open_session(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Opens the next session."""
    form = SessionForm(request.POST)
    submission = lambda: services.open_session(title=form.cleaned_data["title"], **_by(viewer), **form.submission())  # noqa: E731
    if submit(form, submission) is None:
        return _chronicle(request, viewer, form)
    return redirect("table", viewer.campaign.slug)


@member_only(Role.GM)
def close_session(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Closes the session, with a recap."""
    session = queries.session(viewer)
    if session is None:
        return redirect("chronicle", viewer.campaign.slug)
    form = SessionForm(request.POST or None, initial={"title": session.title, "recap": session.recap})
    recap = {"title": "title", "recap": "recap"}
    if request.method == "POST" and submit(form, lambda: services.close_session(
        **{name: form.cleaned_data[name] for name in recap}, **_by(viewer), **form.submission()
    )):
        return redirect("chronicle", viewer.campaign.slug)
    context = {"viewer": viewer, "session": session_context(session), "unspent": services.unspent(viewer.campaign)}
    return render_page(request, "play/close_session.html", context, form=form)


@member_only(Role.PLAYER)
def recap(request: HttpRequest, viewer: Viewer, session_id: uuid.UUID) -> HttpResponse:
    """Writes the recap of a session; any player may."""
    session = get_object_or_404(Session, campaign=viewer.campaign, pk=session_id)
    seen = services.last_written(viewer.campaign, session_id)
    form = RecapForm(request.POST or None, initial={"title": session.title, "recap": session.recap, "seen": seen})
    fields = ("title", "recap", "seen")
    if request.method == "POST" and submit(form, lambda: services.write_recap(
        session_id=session_id, **{name: form.cleaned_data[name] for name in fields}, **_by(viewer), **form.submission()
    )):
        return redirect("chronicle", viewer.campaign.slug)
    late = form.is_bound and str(seen) != form.data.get("seen")
    if late:
        # What stands now has been read with this answer: sending again is meant.
        form.data = {**cast(QueryDict, form.data).dict(), "seen": seen}
    context = {"viewer": viewer, "session": session_context(session), "late": late,
               "links": links(viewer, session.recap) if late else {}}
    return render_page(request, "play/recap.html", context, form=form)


@member_only(Role.GM)
def open_first_scene(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """A session and its first scene in one step."""
    form = FirstSceneForm(request.POST or None)
    if request.method == "POST" and submit(form, lambda: services.open_first_scene(
        title=form.cleaned_data["title"], **_by(viewer), **form.submission(),
    )):
        return redirect("table", viewer.campaign.slug)
    return render_page(request, "play/open_first_scene.html", {"viewer": viewer}, form=form)


@member_only(Role.GM)
def open_scene(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Sets the next scene."""
    known = queries.by_name(viewer)
    ticked = [str(each.pk) for each in known if not each.npc]
    form = SceneForm(known, request.POST or None, initial={"characters": ticked})
    if request.method == "POST" and submit(form, lambda: services.open_scene(
        title=form.cleaned_data["title"], text=form.cleaned_data["text"], characters=form.there(), **_by(viewer),
        **form.submission(),
    )):
        return redirect("table", viewer.campaign.slug)
    context = {"viewer": viewer, "session": session_context(queries.session(viewer))}
    return render_page(request, "play/open_scene.html", context, form=form)


@member_only(Role.GM)
def presence(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Says who is in the scene."""
    scene = queries.scene(viewer)
    if scene is None:
        return redirect("table", viewer.campaign.slug)
    known = queries.by_name(viewer)
    here = [str(each.pk) for each in queries.present(viewer)]
    form = PresenceForm(known, request.POST or None, initial={"characters": here})
    if request.method == "POST" and submit(form, lambda: services.set_presence(
        characters=form.there(), **_by(viewer), **form.submission()
    )):
        return redirect("table", viewer.campaign.slug)
    return render_page(request, "play/presence.html", {"viewer": viewer, "scene": scene_context(scene)}, form=form)
