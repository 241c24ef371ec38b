"""A campaign as a file, and people who came with one: the owner's alone."""
from __future__ import annotations

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns import queries
from campaigns.access import Viewer, member_only
from campaigns.carrying import seats
from campaigns.carrying.writing import file_of
from campaigns.contexts import person_row
from campaigns.forms import MatchForm
from campaigns.models import Role
from campaigns.services import taking
from campaigns.web import ActionForm, ask_once, by, render_page, submit


@require_POST
@member_only(Role.OWNER)
def take_along(request: HttpRequest, viewer: Viewer) -> HttpResponseBase:
    """The whole campaign as a file, which is asked once: nothing in it is sealed."""
    form, settings = ActionForm(request.POST), reverse("campaign_settings", args=[viewer.campaign.slug])
    if asked := ask_once(
        request, viewer, button="Download the campaign", back=settings,
        question="The file holds everything, also what players keep to themselves. An entry tells everyone that you "
                 f"took it. Keep it where only you can read it. {_lasting(viewer.campaign.head_seq)}",
    ):
        return asked
    if submit(form, lambda: taking.take_along(**by(viewer, form))) is None:
        messages.error(request, " ".join(str(error[0]) for error in form.errors.values()))
        return redirect(settings)
    answer = StreamingHttpResponse(file_of(viewer.campaign), content_type="application/gzip")
    name = f"{viewer.campaign.slug}-{viewer.campaign.head_seq}.campaign.gz"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _lasting(entries: int) -> str:
    """How long nothing is seen: the file is made whole before it is sent."""
    minutes = 1 + entries // 100_000
    return (f"With its {entries:,} entries the file takes up to {minutes} minute{'s' * (minutes > 1)} to make. Stay on "
            "this page until the download begins." if entries > 5000 else "")


@member_only(Role.OWNER)
def match(request: HttpRequest, viewer: Viewer, member: uuid.UUID) -> HttpResponse:
    """Says which of those who joined here somebody is who came with the campaign's file."""
    seat = queries.person(viewer, member)
    if seat is None or not seats.waits(seat):
        raise Http404("Nobody is to be matched here.")
    members = [(str(member.pk), member.user.shown_name) for member in queries.joined(viewer) if not seats.waits(member)]
    form = MatchForm(members, request.POST if request.method == "POST" else None)
    if submit(form, lambda: taking.match(
        **by(viewer, form), seat_id=member, member_id=uuid.UUID(form.cleaned_data["member"]))):
        messages.info(request, f"{dict(members)[form.cleaned_data['member']]} has this place now.")
        return redirect("people", viewer.campaign.slug)
    context = {"viewer": viewer, "person": person_row(viewer, seat), "members": members}
    return render_page(request, "campaigns/match.html", context, form=form)
