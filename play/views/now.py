"""The Now bar by itself, for pages on which nothing else moves."""
from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from campaigns.access import Viewer, member_only
from campaigns.web import by_htmx, render_page


@member_only()
def now(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What is asked of the viewer; as a page the table, which render_pages it."""
    if not by_htmx(request):
        return redirect("table", viewer.campaign.slug)
    return render_page(request, "play/now.html", {"viewer": viewer})
