"""Links that show one thing: made and closed by members, followed by anybody."""
from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_POST, require_safe

from campaigns import sharing
from campaigns.access import Viewer, guest, member_only
from campaigns.contexts import Moment, moment, viewer_context
from campaigns.forms import Deed
from campaigns.invitations import hash_of
from campaigns.models import Role, SharedLink
from campaigns.services import sharing as services
from campaigns.web import by, render_page, submit
from rules.dice import new_token


@dataclass(frozen=True)
class LinkRow:
    """A link as the page shows it where it is made."""

    id: uuid.UUID
    maker: str
    made: Moment


def share(request: HttpRequest, viewer: Viewer, of: str, object_id: uuid.UUID | None, back: str) -> HttpResponse:
    """The links to a thing, and with a POST another one: this answer is the only one that ever shows its address."""
    kind = sharing.kind_of(of)
    if not kind.may(viewer.member, object_id):
        raise Http404("There is nothing here for you.")
    form, token, address = Deed(request.POST or None), new_token(), ""
    if submit(form, lambda: services.share(**by(viewer, form), of=of, object_id=object_id, token=token)):
        # A second click found the first entry: its link has another token, which nobody can show again.
        known = SharedLink.objects.filter(token_hash=hash_of(token)).exists()
        address = request.build_absolute_uri(reverse("shared", args=[token])) if known else ""
        form = Deed()
    open_links = sharing.links(viewer.campaign, of, object_id)
    makers = sharing.makers(open_links)
    context = {
        "viewer": viewer, "what": kind.name(viewer.campaign, object_id), "back": back, "address": address,
        "links": [LinkRow(link.pk, str(makers[link.pk]), moment(link.created)) for link in open_links],
        "button_form": lambda: Deed(auto_id=False),
    }
    answer = render_page(request, "campaigns/share.html", context, form=form)
    patch_cache_control(answer, private=True, no_store=True)
    return answer


@require_POST
@member_only(Role.PLAYER)
def close(request: HttpRequest, viewer: Viewer, shared_link_id: uuid.UUID) -> HttpResponse:
    """Closes a link."""
    link = SharedLink.objects.filter(campaign=viewer.campaign, pk=shared_link_id).first()
    if link is None or not (viewer.runs or sharing.kind_of(link.of).may(viewer.member, link.object_id)):
        raise Http404("There is no such link.")
    form = Deed(request.POST)
    if submit(form, lambda: services.close(**by(viewer, form), link_id=shared_link_id)):
        messages.info(request, "The link is closed.")
        return redirect("table", viewer.campaign.slug)
    return render_page(request, "campaigns/not_closed.html", {"viewer": viewer}, form=form)


@require_safe
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """What a link shows: the same to all who follow it, whoever is logged in."""
    link = sharing.find(token)
    if link is None:
        return _answer("campaigns/dead_share.html", {"sentence": sharing.UNKNOWN}, 404)
    if sentence := sharing.why_not(link):
        return _answer("campaigns/dead_share.html", {"sentence": sentence}, 410)
    viewer = guest(link.campaign)
    drawn = sharing.kind_of(link.of).draw(viewer, link.object_id, token, request.GET.get("earlier", ""))
    if drawn is None:
        return _answer("campaigns/dead_share.html", {"sentence": sharing.HIDDEN}, 410)
    return _answer(drawn.template, {"viewer": viewer_context(viewer), **drawn.context}, 200)


@require_safe
def picture(request: HttpRequest, token: str, digest: str) -> HttpResponse:
    """The picture on a page that a link shows."""
    link = sharing.find(token)
    drawn = sharing.kind_of(link.of).picture if link and not sharing.why_not(link) else None
    if link is None or drawn is None:
        raise Http404("There is no picture here.")
    return _quiet(HttpResponse(drawn(guest(link.campaign), link.object_id, digest), content_type="image/webp"))


def _answer(template: str, context: dict[str, object], status: int) -> HttpResponse:
    # Without the request: nothing of who opens it, or of their session, can get onto the page.
    return _quiet(HttpResponse(render_to_string(template, {**context, "frame": "shared/guest.html"}), status=status))


def _quiet(answer: HttpResponse) -> HttpResponse:
    """No search engine keeps it, and no other site hears of the address."""
    answer["X-Robots-Tag"], answer["Referrer-Policy"] = "noindex, nofollow", "no-referrer"
    return answer
