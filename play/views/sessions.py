"""Evenings and scenes."""
from __future__ import annotations

import uuid
from typing import Any, cast

from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.linking import links
from campaigns.models import Role
from campaigns.moved import lead_to
from campaigns.offline import kept_offline
from campaigns.views import sharing
from campaigns.web import ActionForm, render_page, submit
from play import queries
from play.attendance import attended, could_be_there, seems_there
from play.contexts.contest_named import unfinished
from play.contexts.evening import evening_after, recap_begins
from play.contexts.session_summary import session_tabs
from play.contexts.sessions import scene_context, session_context
from play.forms.scenes import AttendanceForm, CloseForm, FirstSceneForm, PresenceForm, RecapForm, SceneForm, SessionForm
from play.journals import journals
from play.models import Session
from play.services import sessions as services
from play.services.attendance import set_attendance
from play.services.scenes import end_session
from play.sharing import CHRONICLE
from play.stories import stories
from play.waiting import has_dates
from schedule.contexts import next_dates

# What the Ledger was narrowed to when it stood at this address.
OF_THE_LEDGER = {"person", "character", "kind", "session", "before"}


@member_only()
@kept_offline
def chronicle(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """All sessions with their scenes and recaps, newest first unless the `oldest` are to be."""
    if OF_THE_LEDGER & set(request.GET):
        return lead_to(request, "ledger", {"slug": viewer.campaign.slug})
    return _chronicle(request, viewer, SessionForm())


def _chronicle(request: HttpRequest, viewer: Viewer, form: SessionForm) -> HttpResponse:
    before, oldest = request.GET.get("earlier", ""), "oldest" in request.GET
    listed, older = queries.sessions(viewer, int(before[:6]) if before.isdecimal() else 0, oldest_first=oldest)
    by_scene, there, written = stories(viewer, listed), attended(viewer, listed), journals(viewer, listed)
    sessions = [session_context(session, scenes=True, stories=by_scene, there=there[session.pk], journals=written)
                for session in listed]
    context = {
        "viewer": viewer, "sessions": sessions, "links": links(viewer, *(
            text for session in sessions if session
            for text in (session.recap, *(scene.text for scene in session.scenes))),
            *(journal.text for those in written.values() for journal in those)),
        "older": f"?earlier={older}{'&oldest' if oldest else ''}" if older else "", "oldest_first": oldest,
        "next": next((date for date in next_dates([viewer]) if date.fixed), None) if has_dates(viewer) else None,
        "saved": request.GET.get("saved", "")[:120],
        "open": session_context(queries.session(viewer)), "tabs": session_tabs(viewer, "chronicle"),
        "button_form": lambda: ActionForm(auto_id=False),
    }
    return render_page(request, "play/chronicle.html", context, form=form)


def _by(viewer: Viewer) -> dict[str, Any]:
    return {"campaign": viewer.campaign, "actor": viewer.member}


@member_only(Role.GM)
def share(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The links that show the Chronicle to people without an account."""
    return sharing.share(request, viewer, CHRONICLE, None, reverse("chronicle", args=[viewer.campaign.slug]))


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
    """Closes the session, with a recap, and the scene that is on."""
    session = queries.session(viewer)
    if session is None:
        return redirect("chronicle", viewer.campaign.slug)
    form = CloseForm(viewer, could_be_there(viewer, session), request.POST or None, initial={
        "title": session.title, "recap": session.recap or recap_begins(viewer, session),
        "there": sorted(seems_there(session))})
    if request.method == "POST" and submit(form, lambda: end_session(
        **{name: form.cleaned_data[name] for name in ("title", "recap")}, there=form.were_there(),
        values=form.values(), anyway=form.anyway, **_by(viewer), **form.submission(),
    )):
        return redirect("session_ended", viewer.campaign.slug, session.pk)
    context = {"viewer": viewer, "session": session_context(session), "scene": scene_context(queries.scene(viewer)),
               "unspent": services.unspent(viewer.campaign), **unfinished(viewer)}
    return render_page(request, "play/close_session.html", context, form=form)


@member_only()
def ended(request: HttpRequest, viewer: Viewer, session_id: uuid.UUID) -> HttpResponse:
    """What a session came to for whoever looks, and what comes next."""
    session = get_object_or_404(Session, campaign=viewer.campaign, pk=session_id, closed__isnull=False)
    dates = next_dates([viewer]) if has_dates(viewer) else []
    context = {"viewer": viewer, "session": session_context(session), "dates": dates,
               "date_form": lambda: ActionForm(auto_id=False), **vars(evening_after(viewer, session))}
    return render_page(request, "play/session_ended.html", context)


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
def attendance(request: HttpRequest, viewer: Viewer, session_id: uuid.UUID) -> HttpResponse:
    """Sets right who was there."""
    session = get_object_or_404(Session, campaign=viewer.campaign, pk=session_id)
    form = AttendanceForm(could_be_there(viewer, session), request.POST or None,
                          initial={"there": sorted(seems_there(session))})
    if request.method == "POST" and submit(form, lambda: set_attendance(
        session_id=session_id, there=form.were_there(), **_by(viewer), **form.submission()
    )):
        return redirect("chronicle", viewer.campaign.slug)
    context = {"viewer": viewer, "session": session_context(session)}
    return render_page(request, "play/attendance.html", context, form=form)


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
    ticked = [str(character) for character in services.who_comes(viewer.campaign)]
    form = SceneForm(queries.by_name(viewer), request.POST or None, initial={"characters": ticked})
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
    here = [str(character.pk) for character in queries.present(viewer)]
    form = PresenceForm(known, request.POST or None, initial={"characters": here})
    if request.method == "POST" and submit(form, lambda: services.set_presence(
        characters=form.there(), **_by(viewer), **form.submission()
    )):
        return redirect("table", viewer.campaign.slug)
    return render_page(request, "play/presence.html", {"viewer": viewer, "scene": scene_context(scene)}, form=form)
