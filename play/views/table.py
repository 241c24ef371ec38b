"""The live table: the scene that is on, who is there, what just happened, and the roll tray."""
from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse

from accounts.troubles import beside_reading
from campaigns.access import Viewer, member_only
from campaigns.models import Member
from campaigns.trail import queries as trail
from campaigns.trail.contexts import EntryContext, entries
from campaigns.trail.visible import head_of
from campaigns.web import by_htmx, render_page
from play import queries
from play.contexts import forecast
from play.contexts.contests_here import contests_here
from play.contexts.feed import news, scene_parts, story_parts
from play.forms.procedure_tray import ProcedureTray
from play.forms.tray import TrayForm
from play.services import tray


@member_only()
def table(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The table as it stands."""
    return the_table(request, viewer, tray_of(request, viewer))


@member_only()
def feed(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What changes while one looks on; to a page that stands open, what is new `since` the entry up to which it is."""
    since = request.GET.get("since", "")
    if by_htmx(request) and since.isdecimal() and len(since) < 10:
        context = news(request, viewer, int(since))
        answer = render_page(request, "play/news.html", context)
        if context["again"]:
            answer["HX-Reswap"] = "morph:innerHTML"
        return answer
    return render_page(request, "play/feed.html", {**scene_parts(viewer), **story_parts(viewer)})


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
    solo = tray.procedure_of_tray(viewer.campaign)
    mine, present = queries.rollable_and_present(viewer)
    wanted = (data or request.GET).get("character", "")
    named = next((each for each in mine if str(each.pk) == wanted), None)
    roller = named or queries.likely_roller(viewer, mine)
    asked = queries.asked_of(viewer, roller) if roller else []
    here = tray.all_in_the_way(
        queries.obstacles(viewer), asked, runs=viewer.runs, first=request.GET.get("asked", ""))
    ticked = request.GET.getlist("traits") or (tray.lines_meant(roller, here[-1]) if roller and here else [])
    if solo:
        return ProcedureTray(viewer, roller, mine, here, data, ticked)
    return TrayForm(viewer, roller, mine, present, here, data, initial={"traits": ticked},
                    pending_modifiers=queries.pending_modifiers(viewer))


def the_table(
    request: HttpRequest, viewer: Viewer, form: TrayForm | ProcedureTray | None
) -> HttpResponse:
    """The page of the table, with the tray as it is."""
    _saw(viewer)
    context = {**scene_parts(viewer), **story_parts(viewer), "rolled": _rolled(request, viewer), "tray": form}
    context["contests_here"] = contests_here(request, viewer)
    context["forecast"] = forecast(viewer, form) if form else None
    return render_page(request, "play/table.html", context, form=form)


def _rolled(request: HttpRequest, viewer: Viewer) -> EntryContext | None:
    """The roll that the viewer has just made, to be shown large."""
    seq = request.GET.get("rolled", "")
    entry = trail.one(viewer, int(seq)) if seq.isdecimal() and len(seq) < 10 else None
    return entries(viewer, [entry])[0] if entry else None


def _saw(viewer: Viewer) -> None:
    """Remembers how far the viewer has read, for the home page."""
    if not viewer.through and viewer.member.seen_seq != viewer.campaign.head_seq:
        with beside_reading():
            Member.objects.filter(pk=viewer.member.pk).update(seen_seq=viewer.campaign.head_seq)
