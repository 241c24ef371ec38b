"""The search over everything in a campaign that the viewer may see."""
from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from campaigns.access import Viewer, member_only
from campaigns.search import Hits
from campaigns.search import search as found
from campaigns.web import render_page

MOST = 200  # characters that are looked for


@member_only()
def search(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What was found for `q`; with `before` the next of it."""
    q, before = request.GET.get("q", "").replace("\0", "").strip()[:MOST], request.GET.get("before", "")
    hits = found(viewer, q, int(before[:18]) if before.isdecimal() else 0) if q else Hits()
    return render_page(request, "campaigns/search.html", {"viewer": viewer, "q": q, "hits": hits})
