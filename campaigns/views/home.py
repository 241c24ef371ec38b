"""The front door: what this place is, my campaigns, and making one."""
from __future__ import annotations

from typing import cast

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from accounts.models import User
from accounts.offline import may_keep
from campaigns import queries
from campaigns.access import Viewer
from campaigns.contexts import campaign_cards
from campaigns.forms import FoundForm
from campaigns.home_parts import home_parts
from campaigns.models import Campaign
from campaigns.now import now_of_all
from campaigns.offline import keeps
from campaigns.services import founding
from campaigns.telling import sentences
from campaigns.web import ActionForm, render_page
from rules.registry import SYSTEMS
from rules.values import BadMove


def home(request: HttpRequest) -> HttpResponse:
    """My campaigns; for a stranger what this place is. With `offline` those alone that a browser may keep."""
    if not request.user.is_authenticated:
        return render_page(request, "campaigns/welcome.html", {"games": list(SYSTEMS.values())})
    after = request.GET.get("after", "")
    members, last = queries.my_memberships(request.user, after)
    older = f"{reverse('home')}?after={last.pk}" if last else ""
    for member in members:
        member.user = request.user  # known already: nobody has to look for it
    viewers = [Viewer(member.campaign, member) for member in members]
    if left_out := "offline" in request.GET and not all(map(keeps, viewers)):
        viewers = [viewer for viewer in viewers if keeps(viewer)]
        members = [viewer.member for viewer in viewers]
    parts = home_parts(viewers) if not after else []
    answered = frozenset[str]().union(*(part.answers for part in parts))
    now = [asked.without(answered) for asked in now_of_all(viewers)]
    cards = campaign_cards(members, sentences(viewers, queries.news(members)), now)
    context = {"cards": cards, "older": older, "first": not after, "left_out": left_out,
               "samples": [(system.slug, system.name, system.sample) for system in SYSTEMS.values() if system.sample],
               "parts": parts,
               "button_form": lambda: ActionForm(auto_id=False)}
    answer = render_page(request, "campaigns/home.html", context)
    return may_keep(request, answer) if all(map(keeps, viewers)) else answer


@login_required
def found(request: HttpRequest) -> HttpResponse:
    """Makes a campaign."""
    # A name to begin with, so that a GM in a hurry types none; the settings change it at any time.
    form = FoundForm(request.POST or None, initial={"name": f"{cast(User, request.user).shown_name}’s campaign"})
    if form.is_valid() and (campaign := _found(request, form)):
        return redirect("table", campaign.slug)
    context = {"games": form.by_game(), "imports": settings.IMPORTS == "everyone"}
    return render_page(request, "campaigns/found.html", context, form=form)


def _found(request: HttpRequest, form: FoundForm) -> Campaign | None:
    data = form.cleaned_data
    try:
        return founding.found(
            user=request.user, name=data["name"], system=data["system"], pitch=data["pitch"], settings=form.settings(),
            **form.submission(),
        )
    except BadMove as bad:
        form.refuse(bad)
        return None
