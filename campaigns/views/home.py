"""The front door: my campaigns, and making one."""
from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaigns.forms import FoundForm
from campaigns.services import founding
from campaigns.web import show


def home(request: HttpRequest) -> HttpResponse:
    """My campaigns; for a stranger what this place is."""
    return show(request, "campaigns/home.html", {})


@login_required
def found(request: HttpRequest) -> HttpResponse:
    """Makes a campaign."""
    form = FoundForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        campaign = founding.found(
            user=request.user, op_id=form.cleaned_data["op_id"], name=form.cleaned_data["name"],
            system=form.cleaned_data["system"], pitch=form.cleaned_data["pitch"],
        )
        return redirect("table", campaign.slug)
    return show(request, "campaigns/found.html", {}, form=form)
