"""A sample campaign, at one press."""
from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.views.decorators.http import require_POST

from campaigns.web import ActionForm
from play.services import samples
from rules.registry import SYSTEMS
from rules.values import BadMove


@require_POST
@login_required
def begin(request: HttpRequest, game: str) -> HttpResponse:
    """Makes one's own sample of a game, or finds it, and goes to its table; with `roll` to the tray there."""
    form = ActionForm(request.POST)
    if game not in SYSTEMS:
        raise Http404("There is no such game.")
    if not form.is_valid():
        messages.error(request, "Reload the page and try again.")
        return redirect("home")
    try:
        campaign = samples.begin(user=request.user, game=game, **form.submission())
    except BadMove as bad:
        messages.error(request, bad.sentence)
        return redirect("home")
    return redirect(reverse("table", args=[campaign.slug]) + ("#tray" if "roll" in request.POST else ""))
