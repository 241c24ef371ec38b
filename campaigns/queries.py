"""Reads of campaigns and their people. The first argument is who looks."""
from __future__ import annotations

import json
import uuid
from collections import defaultdict
from collections.abc import Sequence
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Case, Count, F, OuterRef, Q, Subquery, When
from django.db.models.functions import Coalesce

from campaigns.access import Viewer
from campaigns.contexts import SettingChange, moment
from campaigns.models import Entry, Invitation, Member, Role
from campaigns.roles import alone
from campaigns.setting_fields import shown
from campaigns.trail.declared import story
from campaigns.trail.visible import about, payload_of, readable
from rules.fields import ListsChanges

HOME_PAGE = 20  # campaigns on a page of the home
LOOK_BACK = 15  # new entries of each that are told of, at most
PEOPLE_PAGE = 100
LINKS = 30
SETTING_CHANGES = 200  # entries that are looked through for what a setting was


def my_memberships(user: Any, after: str = "") -> tuple[list[Member], Member | None]:
    """My memberships: archived campaigns last, else those first where something happened last that I may know of.

    With them the last one of the page where there are more.
    """
    mine = Member.objects.filter(user=user, active=True)
    members = mine.annotate(rests=F("campaign__archived"), last=_last_known(list(mine.values_list("pk", flat=True))),
                            alone=alone())
    one: Any = _row(members, after)
    if one:
        later = Q(last__lt=one.last) | Q(last=one.last, pk__gt=one.pk)
        members = members.filter(Q(rests__gt=one.rests) | (Q(rests=one.rests) & later))
    members = members.select_related("campaign").order_by("rests", "-last", "pk")
    return _cut(list(members[: HOME_PAGE + 1]), HOME_PAGE)


def news(members: Sequence[Member]) -> dict[uuid.UUID, tuple[Entry, ...]]:
    """The newest that each member has not seen and may read, by campaign, newest first; two queries for all."""
    if not members:
        return {}
    floors = _floors(members)
    # Nothing else stands in it, not even what is never so: else a database reads the entries of all campaigns.
    unseen = reduce(or_, (
        Q(campaign=member.campaign, seq__gt=max(member.seen_seq, floors.get(member.pk) or 0))
        & readable(Viewer(member.campaign, member)) for member in members))
    unread = Entry.objects.filter(story(), unseen).select_related("payload", "actor__user").order_by("-seq")
    entries: dict[uuid.UUID, list[Entry]] = defaultdict(list)
    for entry in unread:
        entries[entry.campaign_id].append(entry)
    return {pk: tuple(those) for pk, those in entries.items()}


def _last_known(own: list[uuid.UUID]) -> Coalesce:
    """When something last happened in the campaign of a member that it may know of."""
    def when(*audiences: str) -> Subquery:
        heard = Q(audience__in=["all", *map(str, own), *audiences]) | Q(revelation__isnull=False)
        entries = Entry.objects.filter(story(), heard, campaign=OuterRef("campaign")).order_by("-seq")
        return Subquery(entries.values("at")[:1])

    runs = Q(role__in=[role for role in Role if role.at_least(Role.GM)])
    return Coalesce(Case(When(runs, when("gm")), default=when()), F("joined"))


def _floors(members: Sequence[Member]) -> dict[uuid.UUID, int | None]:
    """For each member the number of the entry before the latest `LOOK_BACK` that it may read."""
    own = [str(member.pk) for member in members]

    def floor(*audiences: str) -> Subquery:
        heard = Q(audience__in=["all", *own, *audiences]) | Q(revelation__isnull=False)
        entries = Entry.objects.filter(story(), heard, campaign=OuterRef("campaign")).order_by("-seq")
        return Subquery(entries.values("seq")[LOOK_BACK : LOOK_BACK + 1])

    runs = Q(role__in=[role for role in Role if role.at_least(Role.GM)])
    rows = Member.objects.filter(pk__in=[member.pk for member in members])
    return dict(rows.annotate(floor=Case(When(runs, floor("gm")), default=floor())).values_list("pk", "floor"))


def people(viewer: Viewer, after: str = "") -> tuple[list[Member], Member | None]:
    """Who sits at the table, in the order in which they came, with how many characters each plays."""
    shown = Q(characters__retired=False)
    if not viewer.runs:
        shown &= Q(characters__hidden=False)
    members = Member.objects.filter(campaign=viewer.campaign)
    active = members.filter(active=True).select_related("user").order_by("joined", "pk")
    if last := _row(members, after):
        active = active.filter(Q(joined__gt=last.joined) | Q(joined=last.joined, pk__gt=last.pk))
    return _cut(list(active.annotate(plays_many=Count("characters", filter=shown))[: PEOPLE_PAGE + 1]), PEOPLE_PAGE)


def person(viewer: Viewer, member_id: uuid.UUID) -> Member | None:
    """One who sits at the table, or did."""
    return Member.objects.filter(campaign=viewer.campaign, pk=member_id).select_related("user").first()


def joined(viewer: Viewer) -> list[Member]:
    """Who could be somebody that came with a file: members but the owner, the newest first."""
    members = Member.objects.filter(campaign=viewer.campaign, active=True).exclude(role=Role.OWNER)
    return list(members.select_related("user").order_by("-joined", "pk")[:PEOPLE_PAGE])


def links(viewer: Viewer) -> list[Invitation]:
    """The newest links, the open ones first; nothing for whoever may not invite."""
    if not viewer.runs:
        return []
    return list(Invitation.objects.filter(campaign=viewer.campaign).order_by("revoked", "-created", "pk")[:LINKS])


def setting_changes(viewer: Viewer) -> list[SettingChange]:
    """How the settings that the game watches came to stand as they do, the newest change first."""
    watched = [setting for setting in viewer.campaign.rules.setting_fields if isinstance(setting, ListsChanges)]
    listed: list[SettingChange] = []
    for entry in about(viewer, viewer.campaign.pk, "dials")[:SETTING_CHANGES] if watched else ():
        changes = (payload_of(entry) or {}).get("changes", ())
        change = next((change for change in changes if change["id"] == str(viewer.campaign.pk)), None)
        if not change or not change["was"]:
            continue  # with the first entry the settings are as the campaign began
        was, became = json.loads(change["was"]["dials"]), json.loads(change["became"]["dials"])
        for setting in watched:
            before, after = (shown(setting, settings.get(setting.name, setting.default)) for settings in (was, became))
            if before != after:
                listed.append(SettingChange(entry.seq, moment(entry.at), setting.label, before, after))
    return listed


def _row(rows: Any, pk: str) -> Member | None:
    """The row that a page goes on after; a forged id goes on from the start."""
    try:
        return rows.filter(pk=uuid.UUID(pk)).first() if pk else None
    except ValueError:
        return None


def _cut(rows: list[Member], size: int) -> tuple[list[Member], Member | None]:
    return rows[:size], rows[size - 1] if len(rows) > size else None
