"""What was put in front of the players, the latest first."""
from __future__ import annotations

from django.http import HttpRequest, HttpResponse

from campaigns.access import Viewer, member_only
from campaigns.sight import SHOWN
from campaigns.trail import queries
from campaigns.trail.contexts import entries
from campaigns.web import render_page


@member_only()
def shown(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """The cards of everything that was shown to the viewer; for a GM what all players were shown."""
    before = request.GET.get("before", "")
    page = queries.page(viewer, kind=SHOWN.name, before=int(before[:9]) if before.isdecimal() else 0)
    rows = [entry for entry in entries(viewer, page.entries) if entry.card and not entry.undone_by]
    return render_page(request, "campaigns/shown.html", {"viewer": viewer, "rows": rows, "older": page.older})
