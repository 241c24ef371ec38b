"""Hooks and threads: what is left open, to be put into the plan."""
from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from campaigns.access import Viewer, member_only
from campaigns.models import Role
from campaigns.web import ActionForm, render_page
from play import threads as queries
from play.contexts.desk import desk_tabs
from play.models import PlanLine


@member_only(Role.GM)
def threads(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """All of them, by kind; those that the plan has are marked."""
    planned = PlanLine.objects.filter(campaign=viewer.campaign, plan__done=False).values_list("words", flat=True)
    context = {
        "viewer": viewer, "tabs": desk_tabs(viewer, "threads"), "threads": queries.threads(viewer),
        "planned": set(planned), "button_form": ActionForm(auto_id=False),
    }
    return render_page(request, "play/threads.html", context)
