"""The one gate: a user and a campaign's slug to a viewer, or 404. Whoever is not a member learns nothing."""
from __future__ import annotations

import functools
import uuid
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import Any, Concatenate, ParamSpec, TypeVar
from urllib.parse import urlsplit, urlunsplit

from django.contrib.auth.views import redirect_to_login
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.urls import reverse

from accounts.statements import compiled_once
from campaigns.models import Campaign, Member, Role

P = ParamSpec("P")
R = TypeVar("R")


@dataclass(frozen=True)
class Viewer:
    """Who is looking, at which campaign, as what. The first argument of every read."""

    campaign: Campaign
    member: Member
    through: Member | None = None  # the GM who looks as this member does, and can do nothing meanwhile
    held: dict[Any, Any] = field(default_factory=dict, repr=False, compare=False)  # what `once` has read

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


def once(read: Callable[[Viewer], R]) -> Callable[[Viewer], R]:
    """A read that is asked once in a request, however many parts of a page want its answer."""

    @functools.wraps(read)
    def held(viewer: Viewer) -> R:
        if read.__name__ not in viewer.held:
            viewer.held[read.__name__] = read(viewer)
        answer: R = viewer.held[read.__name__]
        return answer

    return held


def anew(viewer: Viewer) -> Viewer:
    """The same viewer, of the campaign as it is after what was done."""
    (campaign,) = _campaigns(viewer.campaign.pk)
    return replace(viewer, campaign=campaign, held={})


@compiled_once
def _campaigns(pk: uuid.UUID) -> QuerySet[Campaign]:
    return Campaign.objects.filter(pk=pk)


def viewer(user: Any, slug: str, role: Role = Role.OBSERVER) -> Viewer:
    """The viewer of a campaign; `Http404` for strangers, for removed members, and where the role is not enough."""
    member = next(iter(_members(slug, user.pk)), None)
    if member is None or not member.may(role):
        raise Http404("There is nothing here for you.")
    member.user = user
    return Viewer(member.campaign, member)


NOBODY = uuid.UUID(int=0)


def guest(campaign: Campaign) -> Viewer:
    """Who follows a link that shows one thing: an observer who knows what everyone does, and nothing beyond it.

    It is the same for all who follow it, whoever is logged in.
    """
    return Viewer(campaign, Member(id=NOBODY, campaign=campaign, role=Role.OBSERVER))


@compiled_once
def _members(slug: str, user: uuid.UUID) -> QuerySet[Member]:
    return Member.objects.filter(campaign__slug=slug, user=user, active=True).select_related("campaign")


def look_as(request: HttpRequest, campaign: Campaign, member: Member | None) -> None:
    """From here on the pages of a campaign are what this member gets; with None again one's own."""
    if member is None:
        request.session.pop(_looks(campaign), None)
    else:
        request.session[_looks(campaign)] = str(member.pk)
    request.session.save()  # now: it is all that there is to write, and whoever can't have it hears so


def _looks(campaign: Campaign) -> str:
    return f"looks_as:{campaign.pk}"


def _seen(request: HttpRequest, own: Viewer) -> Viewer:
    """The viewer themselves, or, where a GM looks as a player, that player."""
    wanted = request.session.get(_looks(own.campaign)) if own.runs else None
    other = Member.objects.filter(campaign=own.campaign, pk=wanted, active=True).first() if wanted else None
    return own if other is None or other.may(Role.GM) else Viewer(own.campaign, other, own.member)


def member_only(
    role: Role = Role.OBSERVER, *, own: bool = False,
) -> Callable[
    [Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase]], Callable[..., HttpResponseBase]
]:
    """A view of a route with `slug`, as `view(request, viewer, ...)`, for members of at least this role.

    Whoever is not logged in is asked to, whether or not there is such a campaign; all others get 404. A GM who looks
    as a player gets what that player gets, and does nothing, except where a view is the GM's `own`.
    """

    def wrap(
        view: Callable[Concatenate[HttpRequest, Viewer, P], HttpResponseBase]
    ) -> Callable[..., HttpResponseBase]:
        @functools.wraps(view)
        def guarded(request: HttpRequest, slug: str, *args: P.args, **kwargs: P.kwargs) -> HttpResponseBase:
            if not request.user.is_authenticated:
                return ask_to_log_in(request, slug)
            opened = viewer(request.user, slug)
            seen = opened if own else _seen(request, opened)
            if not seen.member.may(role):
                raise Http404("There is nothing here for you.")
            if seen.through and request.method not in ("GET", "HEAD"):
                return HttpResponse(f"You look as {seen.member} does. Go back to your own view first.", status=409)
            return view(request, seen, *args, **kwargs)

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
