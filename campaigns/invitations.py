"""Links that let people in: what is kept of one, and whether it still works."""
from __future__ import annotations

import hashlib
from datetime import datetime
from enum import StrEnum

from django.db.models import Max, Min, QuerySet
from django.urls import Resolver404, resolve
from django.utils import timezone

from campaigns.models import Change, Entry, Invitation, Member, Role
from campaigns.roles import gives


class State(StrEnum):
    """What became of a link."""

    OPEN = "active"
    USED_UP = "used up"
    EXPIRED = "expired"
    CLOSED = "closed"
    LAPSED = "lapsed"  # whoever made it may no longer give this role


SENTENCES = {
    State.USED_UP: "This link was for one person and has been used. Ask for a new one.",
    State.EXPIRED: "This link has expired. Ask for a new one.",
    State.CLOSED: "This link was closed. Ask for a new one.",
    State.LAPSED: "The person who made this link may no longer invite. Ask for a new one.",
}
UNKNOWN = "There is no such link. The address may be mistyped or incomplete: check it, or ask for a new one."
OLDER = "You were removed from this campaign after this link was made. Ask for a new one."


def hash_of(token: str) -> str:
    """What is kept of a token."""
    return hashlib.sha256(token.encode("utf-8", "replace")).hexdigest()


def state_of(invitation: Invitation, maker: Member | None, now: datetime) -> State:
    """Whether a link works, and if not, why."""
    if invitation.revoked:
        return State.CLOSED
    if invitation.most_uses is not None and invitation.uses >= invitation.most_uses:
        return State.USED_UP
    if invitation.expires <= now:
        return State.EXPIRED
    if maker is None or not maker.active or Role(invitation.role) not in gives(maker.role):
        return State.LAPSED
    return State.OPEN


def leads_in(path: str) -> bool:
    """Whether this is the address of a link that works: who may make an account where one needs an invitation."""
    try:
        match = resolve(path)
    except Resolver404:
        return False
    token = match.kwargs["token"] if match.url_name == "join" else ""
    link = Invitation.objects.filter(token_hash=hash_of(token)).first()
    return link is not None and state_of(link, makers([link]).get(str(link.pk)), timezone.now()) is State.OPEN


def makers(invitations: QuerySet[Invitation] | list[Invitation]) -> dict[str, Member]:
    """Who made these links, by the links' ids: the trail knows, in one query."""
    marks = Change.objects.filter(
        campaign__in={invitation.campaign_id for invitation in invitations},
        object_id__in=[invitation.pk for invitation in invitations], field="", entry__kind="invitation.make"
    )
    made = marks.select_related("entry__actor__user")
    return {str(mark.object_id): mark.entry.actor for mark in made if mark.entry.actor}


def older_than_removal(invitation: Invitation, member: Member) -> bool:
    """Whether this member was removed, and by an entry that comes after the one which made the link."""
    marks = Change.objects.filter(campaign=invitation.campaign_id)
    last = marks.filter(object_id=member.pk, field="active").aggregate(Max("seq"))["seq__max"]
    made = marks.filter(object_id=invitation.pk).aggregate(Min("seq"))["seq__min"]
    removed = Entry.objects.filter(campaign=invitation.campaign_id, seq=last, kind="member.remove").exists()
    return bool(not member.active and removed and (made is None or made < last))
