"""Reads of campaigns and their people. The first argument is who looks."""
from __future__ import annotations

import json
import uuid
from collections.abc import Iterable
from typing import Any

from django.db.models import Count, Q

from campaigns.access import Viewer
from campaigns.contexts import DialChange, moment
from campaigns.dials import shown
from campaigns.models import Entry, Invitation, Member
from campaigns.trail.visible import about, payload_of, readable
from rules.fields import ListsChanges

HOME_PAGE = 20  # campaigns on a page of the home
NEWS = 3  # titles shown of each
LOOK_BACK = 30  # entries of each that are looked through for them
PEOPLE_PAGE = 100
LINKS = 30
DIAL_CHANGES = 200  # entries that are looked through for what a dial was


def my_seats(user: Any, after: str = "") -> tuple[list[Member], Member | None]:
    """My seats, the newest first, and the last one of the page where there are more."""
    found = Member.objects.filter(user=user, active=True).select_related("campaign").order_by("-joined", "pk")
    if last := _row(Member.objects.filter(user=user), after):
        found = found.filter(Q(joined__lt=last.joined) | Q(joined=last.joined, pk__gt=last.pk))
    return _cut(list(found[: HOME_PAGE + 1]), HOME_PAGE)


def news(seats: Iterable[Member]) -> dict[uuid.UUID, list[Entry]]:
    """The newest few entries of each campaign that its member has not seen and may read: two queries for all."""
    unseen = Q(pk=None)
    for seat in seats:
        campaign = seat.campaign
        start = max(seat.seen_seq, campaign.head_seq - LOOK_BACK)
        unseen |= Q(campaign=campaign, seq__gt=start) & readable(Viewer(campaign, seat))
    found = Entry.objects.filter(unseen).exclude(kind__startswith="dice.").order_by("-seq")
    wanted: dict[uuid.UUID, list[uuid.UUID]] = {}
    for pk, campaign_id in found.values_list("pk", "campaign_id"):
        wanted.setdefault(campaign_id, []).append(pk)
    first = [pk for pks in wanted.values() for pk in pks[:NEWS]]
    told: dict[uuid.UUID, list[Entry]] = {}
    for entry in Entry.objects.filter(pk__in=first).select_related("payload", "actor__user").order_by("-seq"):
        told.setdefault(entry.campaign_id, []).append(entry)
    return told


def people(viewer: Viewer, after: str = "") -> tuple[list[Member], Member | None]:
    """Who sits at the table, in the order in which they came, with how many characters each plays."""
    shown = Q(characters__retired=False)
    if not viewer.runs:
        shown &= Q(characters__hidden=False)
    seats = Member.objects.filter(campaign=viewer.campaign)
    found = seats.filter(active=True).select_related("user").order_by("joined", "pk")
    if last := _row(seats, after):
        found = found.filter(Q(joined__gt=last.joined) | Q(joined=last.joined, pk__gt=last.pk))
    return _cut(list(found.annotate(plays_many=Count("characters", filter=shown))[: PEOPLE_PAGE + 1]), PEOPLE_PAGE)


def person(viewer: Viewer, member_id: uuid.UUID) -> Member | None:
    """One who sits at the table, or did."""
    return Member.objects.filter(campaign=viewer.campaign, pk=member_id).select_related("user").first()


def links(viewer: Viewer) -> list[Invitation]:
    """The newest links, the open ones first; nothing for whoever may not invite."""
    if not viewer.runs:
        return []
    return list(Invitation.objects.filter(campaign=viewer.campaign).order_by("revoked", "-created", "pk")[:LINKS])


def dial_changes(viewer: Viewer) -> list[DialChange]:
    """How the dials that the game watches came to stand as they do, the newest change first."""
    watched = [dial for dial in viewer.campaign.rules.dials if isinstance(dial, ListsChanges)]
    told: list[DialChange] = []
    for entry in about(viewer, viewer.campaign.pk, "dials")[:DIAL_CHANGES] if watched else ():
        changes = (payload_of(entry) or {}).get("changes", ())
        change = next((each for each in changes if each["id"] == str(viewer.campaign.pk)), None)
        if not change or not change["was"]:
            continue  # with the first entry the dials are as the campaign began
        was, became = json.loads(change["was"]["dials"]), json.loads(change["became"]["dials"])
        for dial in watched:
            before, after = (shown(dial, each.get(dial.name, dial.default)) for each in (was, became))
            if before != after:
                told.append(DialChange(entry.seq, moment(entry.at), dial.label, before, after))
    return told


def _row(rows: Any, pk: str) -> Member | None:
    """The row that a page goes on after; a forged id goes on from the start."""
    try:
        return rows.filter(pk=uuid.UUID(pk)).first() if pk else None
    except ValueError:
        return None


def _cut(rows: list[Member], size: int) -> tuple[list[Member], Member | None]:
    return rows[:size], rows[size - 1] if len(rows) > size else None
