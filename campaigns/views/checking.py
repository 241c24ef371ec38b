"""Checking the chain, here in steps or at home with a file and `verify.py`."""
from __future__ import annotations

from django.conf import settings
from django.http import FileResponse, HttpRequest, HttpResponse, JsonResponse, StreamingHttpResponse
from django.views.decorators.http import require_safe

from campaigns.access import Viewer, member_only
from campaigns.trail.export import export
from campaigns.trail.since import since as chain_since
from campaigns.trail.verifying import CHUNK, Progress, check
from campaigns.web import render_page


@member_only()
def verify(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """Checks the chain, some entries a request; how far it has come is kept in the session."""
    key = f"check:{viewer.campaign.pk}"
    progress = None
    if request.method == "POST":
        kept = request.session.get(key) if "on" in request.POST else None
        progress = check(viewer.campaign, Progress.of(kept) if kept else Progress(), CHUNK)
        request.session[key] = progress.plain()
        request.session.save()  # or a long chain would begin again and again where nothing can be written
    context = {"viewer": viewer, "progress": progress}
    return render_page(request, "campaigns/trail/verify.html", context)


@require_safe
@member_only()
def download(request: HttpRequest, viewer: Viewer) -> StreamingHttpResponse:
    """The trail as a file: every envelope, and what this viewer may read."""
    answer = StreamingHttpResponse(export(viewer), content_type="application/jsonl; charset=utf-8")
    answer["Content-Disposition"] = f'attachment; filename="{viewer.campaign.slug}-{viewer.campaign.head_seq}.jsonl"'
    return answer


@require_safe
@member_only()
def since(request: HttpRequest, viewer: Viewer, seq: int) -> JsonResponse:
    """The chain from an entry on, for the browser that holds it against what it kept."""
    return JsonResponse(chain_since(viewer, seq))


@require_safe
@member_only()
def receipts(request: HttpRequest, viewer: Viewer) -> HttpResponse:
    """What this browser keeps of its rolls; the page is filled by the browser."""
    return render_page(request, "campaigns/trail/receipts.html", {"viewer": viewer})


@require_safe
def verifier(request: HttpRequest) -> FileResponse:
    """The verifier itself: one file, for anybody."""
    path = settings.BASE_DIR / "verify.py"
    return FileResponse(path.open("rb"), as_attachment=True, filename="verify.py", content_type="text/x-python")
