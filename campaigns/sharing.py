"""Links that show one thing to people without an account: what can be shown so, by whom, and whether a link works."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from campaigns.access import Viewer
from campaigns.invitations import hash_of
from campaigns.models import Campaign, Change, Member, SharedLink

UNKNOWN = "There is no such link. The address may be mistyped or incomplete: check it, or ask for a new one."
CLOSED = "This link was closed. Ask the person who sent it for a new one."
LAPSED = "The person who made this link may no longer share this page. Ask for a new one."
HIDDEN = "This page is no longer shown. Ask the person who sent you the link."
LINKS = 50  # of one thing, on the page where they are made


@dataclass(frozen=True)
class Drawn:
    """A page for a guest: the template and what it may see."""

    template: str
    context: dict[str, Any]


@dataclass(frozen=True)
class Shareable:
    """A kind of thing that a link can show."""

    # Whether this member may make and close links to it; False for what not everyone in the campaign may see.
    may: Callable[[Member, uuid.UUID | None], bool]
    name: Callable[[Campaign, uuid.UUID | None], str]  # as in "A link shows ..."
    draw: Callable[[Viewer, uuid.UUID | None, str, str], Drawn | None]  # for a guest; the token; where to go on from
    picture: Callable[[Viewer, uuid.UUID | None, str], bytes] | None = None  # of this digest


_KINDS: dict[str, Shareable] = {}


def offer(of: str, kind: Shareable) -> None:
    """Makes a kind of thing known, by the name that links keep."""
    _KINDS[of] = kind


def kind_of(of: str) -> Shareable:
    """The kind of this name."""
    return _KINDS[of]


def find(token: str) -> SharedLink | None:
    """The link with this secret, whether it works or not."""
    return SharedLink.objects.select_related("campaign").filter(token_hash=hash_of(token)).first()


def links(campaign: Campaign, of: str, object_id: uuid.UUID | None) -> list[SharedLink]:
    """The newest open links to a thing."""
    shared = SharedLink.objects.filter(campaign=campaign, of=of, object_id=object_id, closed=False)
    return list(shared.order_by("-created", "pk")[:LINKS])


def makers(shared: list[SharedLink]) -> dict[uuid.UUID, Member]:
    """Who made these links, by the links' ids: the trail knows, in one query."""
    marks = Change.objects.filter(
        campaign__in={link.campaign_id for link in shared}, object_id__in=[link.pk for link in shared], field="",
        entry__kind="share.make")
    changes = marks.select_related("entry__actor__user", "entry__actor__campaign")
    return {mark.object_id: mark.entry.actor for mark in changes if mark.entry.actor}


def why_not(link: SharedLink) -> str:
    """Why a link shows nothing; "" where it works."""
    if link.closed:
        return CLOSED
    maker = makers([link]).get(link.pk)
    return "" if maker and kind_of(link.of).may(maker, link.object_id) else LAPSED
