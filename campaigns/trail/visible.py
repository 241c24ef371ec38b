"""Which entries a viewer may read, and how an entry is opened for one."""
from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet

from accounts.statements import compiled_once
from campaigns.bounded import Bounded
from campaigns.trail.declared import felt, story
from campaigns.trail.models import Entry

if TYPE_CHECKING:
    from campaigns.access import Viewer


def readable(viewer: Viewer) -> Q:
    """The condition under which the viewer may read an entry's payload.

    What a player keeps to themselves is not for a GM who looks as they do.
    """
    return readable_by(*reader(viewer))


Reader = tuple[list[str], uuid.UUID | None]


def reader(viewer: Viewer) -> Reader:
    """What of a viewer says which entries they may read: their audiences, and as which member a GM looks."""
    return list(viewer.audiences), viewer.member.pk if viewer.through else None


def readable_by(audiences: list[str], looks_as: uuid.UUID | None) -> Q:
    """The same condition, of a `reader`."""
    mine = Q(audience__in=audiences)
    if looks_as:
        # The last of a player's audiences is the player.
        mine &= ~Q(audience=audiences[-1], actor=looks_as)
    return mine | Q(revelation__isnull=False)


def may_read(viewer: Viewer, entry: Entry) -> bool:
    """Whether the viewer may read this entry's payload. Select `revelation` with it."""
    mine = entry.audience in viewer.audiences
    if viewer.through and entry.audience == str(viewer.member.pk) and entry.actor_id == viewer.member.pk:
        mine = False
    return mine or hasattr(entry, "revelation")


@dataclass(frozen=True, slots=True)
class Head:
    """The last entry that changed what somebody sees."""

    seq: int
    hash: str


_HEADS: Bounded[tuple[uuid.UUID, int, uuid.UUID, str, bool], Head] = Bounded(2000)


def _as_of(viewer: Viewer) -> tuple[uuid.UUID, int, uuid.UUID, str, bool]:
    campaign, member = viewer.campaign, viewer.member
    return campaign.pk, campaign.head_seq, member.pk, member.role, viewer.through is None


def story_read(viewer: Viewer, entry: Entry) -> None:
    """The viewer reads this entry of the story: where it is the campaign's newest, it need not be looked for."""
    if entry.seq == viewer.campaign.head_seq:
        _HEADS.put(_as_of(viewer), Head(entry.seq, entry.hash))


def head_of(viewer: Viewer) -> Head:
    """How far the campaign is for this viewer: what is sealed from them, and book-keeping, does not move it."""
    campaign, key = viewer.campaign, _as_of(viewer)
    if (known := _HEADS.get(key)) is not None:
        return known
    last = _last(campaign.pk, campaign.head_seq, *reader(viewer))
    return _HEADS.put(key, Head(*last[0]) if last else Head(0, "0" * 64))


@compiled_once
def _last(
    campaign: uuid.UUID, head: int, audiences: list[str], looks_as: uuid.UUID | None,
) -> QuerySet[Entry, tuple[int, str]]:
    seen = (readable_by(audiences, looks_as) & story()) | felt()
    entries = Entry.objects.filter(seen, campaign=campaign, seq__lte=head)
    return entries.order_by("-seq").values_list("seq", "hash")[:1]


def payload_of(entry: Entry) -> dict[str, Any] | None:
    """What an entry says; None where it was erased. Select `payload` with it."""
    return entry.payload.said if hasattr(entry, "payload") else None


def about(
    viewer: Viewer, object_id: uuid.UUID | str, field: str = "", *, after: int = 0, until: int | None = None,
) -> QuerySet[Entry]:
    """The entries about an object (or that changed one field of it) which the viewer may read, newest first; of all, or
    only those after an entry and until another."""
    bounds: dict[str, Any] = {"index__seq__gt": after} if after else {}
    bounds |= {} if until is None else {"index__seq__lte": until}
    entries = _about(viewer.campaign.pk, uuid.UUID(str(object_id)), field, *reader(viewer), **bounds)
    return entries.select_related("payload", "revelation", "actor__user")


def _about(
    campaign: uuid.UUID, object_id: uuid.UUID, field: str, audiences: list[str], looks_as: uuid.UUID | None,
    **bounds: int,
) -> QuerySet[Entry]:
    # From the index, newest first: an entry has one mark of an object's field, and the first ones found are enough.
    entries = Entry.objects.filter(
        readable_by(audiences, looks_as), index__campaign=campaign, index__object_id=object_id, index__field=field,
        **bounds)
    return entries.order_by("-index__seq")


def last_seq(viewer: Viewer, object_id: uuid.UUID) -> int:
    """The number of the last entry about an object that the viewer may read; 0 where there is none."""
    return next(iter(_last_seq(viewer.campaign.pk, object_id, *reader(viewer))), 0)


@compiled_once
def _last_seq(
    campaign: uuid.UUID, object_id: uuid.UUID, audiences: list[str], looks_as: uuid.UUID | None,
) -> QuerySet[Entry, int]:
    return _about(campaign, object_id, "", audiences, looks_as).values_list("seq", flat=True)[:1]


def fold(payloads: Iterable[dict[str, Any]]) -> dict[tuple[str, str], dict[str, Any]]:
    """What changes add up to, oldest first: the state of each object that stands, by (name in the trail, id)."""
    state: dict[tuple[str, str], dict[str, Any]] = {}
    for payload in payloads:
        for change in payload["changes"]:
            key = (change["of"], change["id"])
            if change["became"] is None:
                state.pop(key, None)
            else:
                state[key] = {**state.get(key, {}), **change["became"]}
    return state
