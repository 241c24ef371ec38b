"""A GM looks at the campaign as one of its players does, and back."""
from __future__ import annotations

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_POST

from campaigns.access import Viewer, look_as, member_only
from campaigns.models import Member, Role


@require_POST
@member_only(Role.GM, own=True)
def view_as(request: HttpRequest, viewer: Viewer, member: uuid.UUID) -> HttpResponse:
    """From here on every page of the campaign is what this player gets."""
    other = Member.objects.filter(campaign=viewer.campaign, pk=member, active=True).first()
    if other is None or other.may(Role.GM):
        raise Http404("There is nobody like that to look as.")
    look_as(request, viewer.campaign, other)
    return redirect("table", viewer.campaign.slug)


@require_POST
@member_only(Role.GM, own=True)
def own_view(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Back to what the GM sees."""
    look_as(request, viewer.campaign, None)
    return redirect("table", viewer.campaign.slug)
