"""The live table: the scene that is on, who is there, what just happened, and the roll tray."""
from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.urls import reverse

from accounts.troubles import beside_reading
from campaigns.access import Viewer, member_only
from campaigns.models import Member
from campaigns.trail import queries as trail
from campaigns.trail.contexts import EntryContext, entries
from campaigns.trail.visible import head_of
from campaigns.web import by_htmx, render_page
from play import queries
from play.contexts.contest_page import NotDone
from play.contexts.contests_here import contests_here
from play.contexts.feed import dates_parts, news, scene_parts, story_parts
from play.contexts.tray import forecast
from play.forms.any_tray import AnyTray
from play.forms.procedure_tray import ProcedureTray
from play.forms.tray import TrayForm
from play.services import tray

OVER = "This contest ended before you sent that. What happened is below."


@member_only()
def table(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The table as it stands."""
    return the_table(request, viewer, tray_of(request, viewer))


@member_only()
def feed(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What changes while one looks on; to a page that stands open, what is new `since` the entry up to which it is."""
    if by_htmx(request) and since_of(request) is not None:
        context = news(request, viewer, since_of(request))
        answer = rows_of(request, context, "play/news.html")
        if context["moved"]:
            answer["HX-Trigger"] = "stale"  # an open tray may show something else by now: it asks, with what is chosen
        return answer
    return render_page(request, "play/feed.html", {**scene_parts(viewer), **story_parts(viewer)})


def since_of(request: HttpRequest) -> int | None:
    """Up to which entry the page is that asks; None where it doesn't say."""
    since = request.GET.get("since", "")
    return int(since) if since.isdecimal() and len(since) < 10 else None


def rows_of(request: HttpRequest, context: dict[str, Any], template: str) -> HttpResponse:
    """What is `news` as rows for the top of the story, or in place of all that are there, and what goes beside them."""
    answer = render_page(request, template, context)
    if context["again"]:
        answer["HX-Reswap"] = "morph:innerHTML"
    return answer


def rolled_here(request: HttpRequest, viewer: Viewer, sent: AnyTray, seq: int, address: str) -> HttpResponse:
    """The answer to a roll at a table that stands open, of the campaign as it is after it: what is new there, the
    result, and the tray made fresh. `sent` is the tray that was pressed, `address` where a page would show the result.
    """
    _saw(viewer)
    form = tray_of(request, viewer, roller=sent.roller_id)
    context = {**news(request, viewer, since_of(request)), "rolled": _rolled(viewer, str(seq)), "address": address,
               "tray": form, "forecast": forecast(viewer, form) if form else None,
               "same": form and "opened" in request.GET and form.shown == sent.before}
    return rows_of(request, context, "play/rolled.html")


@member_only()
def head(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """How far the campaign is for the viewer: for browsers that can't hold a stream open."""
    return HttpResponse(str(head_of(viewer).seq), content_type="text/plain")


@member_only()
def no_stream(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Stands where the stream is served beside Django; alone it has none, and 204 sends the browser to `head`."""
    return HttpResponse(status=204)


def tray_of(
    request: HttpRequest, viewer: Viewer, data: Any = None, roller: str = ""
) -> TrayForm | ProcedureTray | None:
    """The tray as it stands for this viewer, for the `roller` of this id, or as it was sent; None where the game has
    none."""
    if not viewer.campaign.rules.has_tray:
        return None
    solo = tray.procedure_of_tray(viewer.campaign)
    mine, present = queries.rollable_and_present(viewer)
    wanted = roller or (data or request.GET).get("character", "")
    named = next((each for each in mine if str(each.pk) == wanted), None)
    likely = named or queries.likely_roller(viewer, mine)
    asked = queries.asked_of(viewer, likely) if likely else []
    here = tray.all_in_the_way(
        queries.obstacles(viewer), asked, runs=viewer.runs, first=request.GET.get("asked", ""))
    ticked = request.GET.getlist("traits") or (tray.lines_meant(likely, here[-1]) if likely and here else [])
    if solo:
        return ProcedureTray(viewer, likely, mine, here, data, ticked)
    return TrayForm(viewer, likely, mine, present, here, data, initial={"traits": ticked},
                    pending_modifiers=queries.pending_modifiers(viewer))


def the_table(
    request: HttpRequest, viewer: Viewer, form: TrayForm | ProcedureTray | None, refused: NotDone | None = None
) -> HttpResponse:
    """The page of the table, with the tray as it is; with what was `refused` in one of its contests."""
    _saw(viewer)
    context = {**scene_parts(viewer), **story_parts(viewer), "rolled": _rolled(viewer, request.GET.get("rolled", "")),
               "tray": form, **dates_parts(viewer)}
    context["contests_here"] = contests_here(request, viewer, refused)
    context["here"] = reverse("table", args=[viewer.campaign.slug])
    context["forecast"] = forecast(viewer, form) if form else None
    if refused is None:
        return render_page(request, "play/table.html", context, form=form)
    if not any(each.pk == refused.contest for each in context["contests_here"]):
        messages.warning(request, OVER)
    answer = render_page(request, "play/table.html", context, form=refused.form)
    answer.status_code = answer.status_code if refused.form else 409
    return answer


def _rolled(viewer: Viewer, seq: str) -> EntryContext | None:
    """The roll that the viewer has just made, to be shown large."""
    entry = trail.one(viewer, int(seq)) if seq.isdecimal() and len(seq) < 10 else None
    return entries(viewer, [entry])[0] if entry else None


def _saw(viewer: Viewer) -> None:
    """Remembers how far the viewer has read, for the home page."""
    if not viewer.through and viewer.member.seen_seq != viewer.campaign.head_seq:
        with beside_reading():
            Member.objects.filter(pk=viewer.member.pk).update(seen_seq=viewer.campaign.head_seq)
