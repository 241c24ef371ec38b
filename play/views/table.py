"""The live table: the scene that is on, who is there, what just happened, and the roll tray."""
from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from campaigns.access import Viewer, member_only
from campaigns.models import Member
from campaigns.trail import queries as trail
from campaigns.trail.contexts import EntryContext, entries
from campaigns.trail.visible import head_of
from campaigns.web import ActionForm, render_page
from characters.models import Character
from play import queries
from play.contexts import forecast
from play.contexts.contest_page import contest_card
from play.contexts.first_evening import first_evening
from play.contexts.table import (
    contest_context,
    obstacle_rows,
    pending_allocations,
    pending_modifiers,
    people_here,
    scene_context,
    session_context,
)
from play.forms.procedure_tray import ProcedureTray
from play.forms.tray import TrayForm
from play.services import tray
from play.services.open_contests import open_contests

RECENT = 12


@member_only()
def table(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The table as it stands."""
    return the_table(request, viewer, tray_of(request, viewer))


@member_only()
def feed(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What changes while one looks on: fetched again whenever the trail moves."""
    return render_page(request, "play/feed.html", _feed(viewer, queries.present(viewer)))


@member_only()
def head(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """How far the campaign is for the viewer: for browsers that can't hold a stream open."""
    return HttpResponse(str(head_of(viewer).seq), content_type="text/plain")


@member_only()
def no_stream(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Stands where the stream is served beside Django; alone it has none, and 204 sends the browser to `head`."""
    return HttpResponse(status=204)


def tray_of(
    request: HttpRequest, viewer: Viewer, data: Any = None
) -> TrayForm | ProcedureTray | None:
    """The tray as it stands for this viewer, or as it was sent; None where the game has none."""
    if not viewer.campaign.rules.has_tray:
        return None
    mine = queries.rollable(viewer) if viewer.plays else []
    wanted = (data or request.GET).get("character", "")
    roller = next((each for each in mine if str(each.pk) == wanted), mine[0] if mine else None)
    ticked = request.GET.getlist("traits")
    here = tray.obstacles_here(viewer.campaign)
    if tray.procedure_of_tray(viewer.campaign):
        return ProcedureTray(viewer, roller, mine, here, data, ticked)
    return TrayForm(viewer, roller, mine, queries.present(viewer), here, data, initial={"traits": ticked})


def _feed(viewer: Viewer, present: list[Character]) -> dict[str, Any]:
    page, going_on = trail.page(viewer, size=RECENT, told=True), queries.contests(viewer)
    newcomer = queries.newcomer(viewer)
    startable = [] if newcomer else queries.startable(viewer, going_on)
    return {
        "newcomer": newcomer, "first": first_evening(viewer),
        "viewer": viewer, "scene": scene_context(queries.scene(viewer)),
        "session": session_context(queries.session(viewer)), "present": people_here(present),
        "entries": entries(viewer, page.entries), "older": page.older,
        "anybody_hurt": viewer.runs and bool(queries.hurt(viewer)),
        "pending_modifiers": pending_modifiers(queries.pending_modifiers(viewer)),
        "pending_allocations": pending_allocations(queries.pending_allocations(viewer)),
        "contests": [contest_context(each) for each in going_on],
        "left_open": [contest_context(each) for each in queries.left_open(viewer)], "startable": startable,
        "shared": queries.shared(viewer), "obstacles": obstacle_rows(viewer, tray.obstacles_here(viewer.campaign)),
        "begins_with": queries.begins_with(viewer, startable), "button_form": lambda: ActionForm(auto_id=False),
    }


def the_table(
    request: HttpRequest, viewer: Viewer, form: TrayForm | ProcedureTray | None
) -> HttpResponse:
    """The page of the table, with the tray as it is."""
    _saw(viewer)
    context = {**_feed(viewer, queries.present(viewer)), "rolled": _rolled(request, viewer), "tray": form}
    context["card"] = _card(request, viewer)
    context["forecast"] = forecast(viewer, form, queries.pending_modifiers(viewer)) if form else None
    return render_page(request, "play/table.html", context, form=form)


def _card(request: HttpRequest, viewer: Viewer) -> str:
    """The contest that goes on here, as one plays it from the table; of several the one that moved last."""
    here = [each.position for each in open_contests([viewer.campaign])
            if each.position.contest.scene_id in (viewer.campaign.scene_id, None)
            and each.position.procedure.casting.who != "everyone"]
    return contest_card(request, viewer, here[-1]) if here else ""


def _rolled(request: HttpRequest, viewer: Viewer) -> EntryContext | None:
    """The roll that the viewer has just made, to be shown large."""
    seq = request.GET.get("rolled", "")
    entry = trail.one(viewer, int(seq)) if seq.isdecimal() and len(seq) < 10 else None
    return entries(viewer, [entry])[0] if entry else None


def _saw(viewer: Viewer) -> None:
    """Remembers how far the viewer has read, for the home page."""
    if not viewer.through and viewer.member.seen_seq != viewer.campaign.head_seq:
        Member.objects.filter(pk=viewer.member.pk).update(seen_seq=viewer.campaign.head_seq)
