"""The one gate: a user and a campaign's slug to a viewer, or 404. Whoever is not a member learns nothing."""
from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Concatenate, ParamSpec
from urllib.parse import urlsplit, urlunsplit

from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse

from campaigns.models import Campaign, Member, Role

P = ParamSpec("P")


@dataclass(frozen=True)
class Viewer:
    """Who is looking, at which campaign, as what. The first argument of every read."""

    campaign: Campaign
    member: Member

    @property
    def runs(self) -> bool:
        """Whether the viewer may see and do what a GM may."""
        return self.member.may(Role.GM)

    @property
    def plays(self) -> bool:
        """Whether the viewer may do what a player may."""
        return self.member.may(Role.PLAYER)

    @property
    def owns(self) -> bool:
        """Whether the viewer may do what only the owner may."""
        return self.member.may(Role.OWNER)

    @property
    def audiences(self) -> tuple[str, ...]:
        """The audiences of entries that the viewer belongs to."""
        return ("all", "gm", str(self.member.pk)) if self.runs else ("all", str(self.member.pk))


def viewer(user: Any, slug: str, role: Role = Role.OBSERVER) -> Viewer:
    """The viewer of a campaign; `Http404` for strangers, for removed members, and where the role is not enough."""
    members = Member.objects.select_related("campaign", "user")
    member = members.filter(campaign__slug=slug, user_id=user.pk, active=True).first()
    if member is None or not member.may(role):
        raise Http404("There is nothing here for you.")
    return Viewer(member.campaign, member)


def member_only(
    role: Role = Role.OBSERVER,
) -> Callable[
    [Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase]], Callable[..., HttpResponseBase]
]:
    """A view of a route with `slug`, as `view(request, viewer, ...)`, for members of at least this role.

    Whoever is not logged in is asked to, whether or not there is such a campaign; all others get 404.
    """

    def wrap(
        view: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase]
    ) -> Callable[..., HttpResponseBase]:
        @functools.wraps(view)
        def guarded(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return ask_to_log_in(request, slug)
            return view(request, viewer(request.user, slug, role), *args, **kwargs)

        return guarded

    return wrap


def ask_to_log_in(request: HttpRequest, slug: str) -> HttpResponse:
    """To the log-in page and back here; what was to be posted is lost, so a POST leads back to the table."""
    answer: HttpResponse = redirect_to_login(
        request.get_full_path() if request.method == "GET" else reverse("table", args=[slug]))
    if request.headers.get("HX-Request"):
        # A redirect would be followed by htmx itself, and the log-in page would land inside a page.
        page = request.headers.get("HX-Current-URL") or reverse("table", args=[slug])
        answer = HttpResponse(headers={"HX-Redirect": redirect_to_login(_path(page)).url})
    return answer


def _path(url: str) -> str:
    """What a browser says that it shows, without the host; the first page where it says nothing that can be read."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return "/"
    return urlunsplit(("", "", parts.path or "/", parts.query, ""))
