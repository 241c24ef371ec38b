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
from campaigns.web import render_page
from play import queries
from play.contexts.contest_page import NotDone
from play.contexts.contests_here import ContestHere, contests_here
from play.contexts.feed import dates_part, story_part
from play.contexts.scene_here import scene_here
from play.contexts.story import contest_of
from play.contexts.tray import forecast
from play.forms.tray import Tray
from play.services import tray

OVER = "This contest ended before you sent that. See below what happened."


@member_only()
def table(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The table as it stands."""
    return the_table(request, viewer, tray_of(request, viewer))


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
) -> Tray | None:
    """The tray as it stands for this viewer, for the `roller` of this id, or as it was sent; None where the game has
    none."""
    if not viewer.campaign.rules.has_tray:
        return None
    mine, present = queries.rollable_and_present(viewer)
    wanted = roller or (data or request.GET).get("character", "")
    named = next((character for character in mine if str(character.pk) == wanted), None)
    likely = named or queries.likely_roller(viewer, mine)
    asked = queries.asked_of(viewer, likely) if likely else []
    here = tray.all_in_the_way(
        queries.obstacles(viewer), asked, runs=viewer.runs, first=request.GET.get("asked", ""))
    if likely and (treats := (data or request.GET).get("treats", "")):
        ready = tray.treatments(
            viewer.campaign, likely.sheet(), {patient: patient.sheet() for patient in present})
        here += [treatment for treatment in ready if str(treatment.pk) == treats]
    ticked = request.GET.getlist("traits") or tray.lines_meant(likely, here)
    pending = queries.pending_modifiers(viewer) if viewer.campaign.rules.modifiers else ()
    return Tray(viewer, likely, mine, tray.Beside(here, present, pending, viewer.runs), data, ticked)


def the_table(
    request: HttpRequest, viewer: Viewer, form: Tray | None, refused: NotDone | None = None
) -> HttpResponse:
    """The page of the table, with the tray as it is; with what was `refused` in one of its contests."""
    saw(viewer)
    context = {**vars(scene_here(viewer)), **vars(story_part(viewer)), "tray": form, **vars(dates_part(viewer))}
    context["contests_here"] = contests_here(request, viewer, refused)
    context["rolled"] = large(viewer, number_in(request, "rolled"), context["contests_here"])
    context["here"] = reverse("table", args=[viewer.campaign.slug])
    context["forecast"] = forecast(viewer, form) if form else None
    if refused is None:
        return render_page(request, "play/table.html", context, form=form)
    say_if_over(request, context["contests_here"], refused)
    answer = render_page(request, "play/table.html", context, form=refused.form)
    answer.status_code = answer.status_code if refused.form else 409
    return answer


def say_if_over(request: HttpRequest, here: tuple[ContestHere, ...], refused: NotDone) -> None:
    """Says that the contest in which something was refused is over, where it is no longer at the table."""
    if not any(contest.pk == refused.contest for contest in here):
        messages.warning(request, OVER)


def number_in(request: HttpRequest, name: str) -> int | None:
    """The number of an entry that the address names, None where it names none."""
    said = request.GET.get(name, "")
    return int(said) if said.isdecimal() and len(said) < 10 else None


def large(viewer: Viewer, seq: int | None, here: tuple[ContestHere, ...]) -> EntryContext | None:
    """The roll that the viewer has just made, to be shown large; None where its contest is unfolded `here`: its card
    shows the dice, with what is still to be decided."""
    entry = trail.one(viewer, seq) if seq else None
    if entry is None or contest_of(entry) in {contest.pk for contest in here if contest.card}:
        return None
    return entries(viewer, [entry])[0]


def saw(viewer: Viewer) -> None:
    """Remembers how far the viewer has read, for the home page."""
    if not viewer.through and viewer.member.seen_seq != viewer.campaign.head_seq:
        with beside_reading():
            Member.objects.filter(pk=viewer.member.pk).update(seen_seq=viewer.campaign.head_seq)
