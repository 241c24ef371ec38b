"""Who sees what: a thing shows all of itself, its face, or nothing; to everyone, and more of it to single members.

What everyone may know stands on the thing itself; what one member may know beyond that is a `Sight`. Showing a thing
puts a card into the entry that does it: the story draws it, and "Shown to you" collects them.
"""
from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol, TypeVar

from django.db import transaction
from django.db.models import QuerySet

from campaigns import trail
from campaigns.access import Viewer
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role, Sight, View

SHOWN = trail.Filter("shown", "Shown to players")
ORDER = tuple(View)


@dataclass(frozen=True, slots=True)
class ViewChoice:
    """One of the three buttons that say what everyone sees."""

    value: str
    label: str
    help: str
    chosen: bool


HELP = {
    View.NOTHING: "Players don’t know of it", View.FACE: "Players see its name, picture and appearance",
    View.ALL: "Players see everything that is here",
}


def choices(now: View) -> tuple[ViewChoice, ...]:
    """The three views, the one that is chosen marked."""
    return tuple(ViewChoice(view.value, view.label, HELP[view], view is now) for view in ORDER)


def shown_to(viewer: Viewer, *views: View) -> QuerySet[Sight, Any]:
    """The ids of the things of which the viewer was shown this much, beyond what everyone knows."""
    return shown(viewer.campaign.pk, viewer.member.pk, *views)


def shown(campaign: uuid.UUID, member: uuid.UUID, *views: View) -> QuerySet[Sight, Any]:
    """The same for a member of a campaign."""
    return Sight.objects.filter(campaign=campaign, member=member, view__in=views).values("object_id")


def of(campaign_id: uuid.UUID, object_id: uuid.UUID) -> dict[uuid.UUID, View]:
    """What single members may know of a thing, by their ids."""
    return {member: View(view) for member, view in
            Sight.objects.filter(campaign=campaign_id, object_id=object_id).values_list("member_id", "view")}


def counted(viewer: Viewer, object_ids: Iterable[uuid.UUID]) -> set[uuid.UUID]:
    """Those of these things of which single members may know more than everyone; for GMs."""
    sights = Sight.objects.filter(campaign=viewer.campaign, object_id__in=list(object_ids))
    return set(sights.values_list("object_id", flat=True))


def players(viewer: Viewer) -> list[Member]:
    """Whom a GM can show a thing to: the others at the table who are no GMs."""
    roles = [role for role in Role if not role.at_least(Role.GM)]
    members = viewer.campaign.members.filter(active=True, role__in=roles).select_related("user")
    return list(members.order_by("user__username"))


class Seen(Protocol):
    """A thing of which everyone may know nothing, the face, or all."""

    pk: Any

    @property
    def view(self) -> Any: ...


T = TypeVar("T", bound=Seen)


@trail.answers_once
@transaction.atomic
def tell_players(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, views: Mapping[uuid.UUID, View], kind: str,
    shown: Mapping[View, str], find: Callable[[trail.Draft], T], present: Callable[[trail.Draft, T, View], None],
) -> Entry:
    """Sets what single players may know of a thing beyond everyone: an entry of this `kind`, which GMs alone read.

    `find` reads the thing under the lock. Each who learns more gets an entry of their own, of the kind that `shown`
    names, and `present` says in it what they see.
    """
    by: dict[str, Any] = {"campaign": campaign, "actor": actor, "needs": Role.GM}
    with trail.entry(**by, op_id=op_id, kind=kind, audience=trail.GM) as entry:
        thing = find(entry)
        entry.audience, entry.title = trail.GM, f"{thing}: who sees it"
        more = tell(entry, thing.pk, View(thing.view), views)
        if not entry.changed("sight"):
            raise Refused("Nothing here is different yet.")
    for member, view in sorted(more.items(), key=lambda item: str(item[0].pk)):
        own = uuid.uuid5(op_id, str(member.pk))
        with trail.entry(**by, op_id=own, kind=shown[view], audience=str(member.pk)) as single:
            present(single, thing, view)
    return entry.written


def tell(
    entry: trail.Draft, object_id: uuid.UUID, everyone: View, wanted: Mapping[uuid.UUID, View]
) -> dict[Member, View]:
    """Writes what single members may know; answers who may know more than before, and how much.

    Whoever may know no more than everyone has no row. Raises `Refused` for somebody who is no player here.
    """
    rows = {sight.member_id: sight for sight in Sight.objects.filter(campaign=entry.campaign, object_id=object_id)}
    more: dict[Member, View] = {}
    for member_id in {*rows, *wanted}:
        view, row = wanted.get(member_id, View.NOTHING), rows.get(member_id)
        before = View(row.view) if row else everyone
        if ORDER.index(view) <= ORDER.index(everyone):
            if row:
                entry.remove(row)
            continue
        member = entry.locked(Member, pk=member_id)
        if not member.active or member.may(Role.GM):
            raise Refused("Choose players of this campaign.")
        if row:
            entry.change(row, view=view)
        else:
            entry.create(Sight(campaign=entry.campaign, object_id=object_id, member=member, view=view))
        if ORDER.index(view) > ORDER.index(before):
            more[member] = view
    return more

