"""The GM asks players for rolls, and asks no longer."""
from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.web import ActionForm, render_page, submit
from play import queries
from play.forms.asked_rolls import AskForm
from play.services import asked_rolls


@member_only(Role.GM)
def ask(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Asks the players of some characters for a roll."""
    played = [each for each in queries.rollable(viewer) if each.player_id and not each.hidden]
    here = {each.pk for each in queries.present(viewer)}
    form = AskForm(viewer, played, here, request.POST or None)
    if request.method == "POST" and submit(form, lambda: asked_rolls.ask(
        campaign=viewer.campaign, actor=viewer.member, **form.said(), **form.submission(),
    )):
        return redirect("table", viewer.campaign.slug)
    return render_page(request, "play/ask_roll.html", {"viewer": viewer}, form=form)


@require_POST
@member_only(Role.GM)
def withdraw(request: HttpRequest, viewer: Viewer, seq: int) -> HttpResponse:
    """Asks no longer for a roll of those who have not made it."""
    form = ActionForm(request.POST)
    submit(form, lambda: asked_rolls.withdraw(
        campaign=viewer.campaign, actor=viewer.member, asked=seq, **form.submission(),
    ))
    return redirect("table", viewer.campaign.slug)
