"""Which entries a viewer may read, and how an entry is opened for one."""
from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet

from campaigns.bounded import Bounded
from campaigns.trail.declared import felt, story
from campaigns.trail.models import Change, Entry
from rules.codec import read

if TYPE_CHECKING:
    from campaigns.access import Viewer


def readable(viewer: Viewer) -> Q:
    """The condition under which the viewer may read an entry's payload.

    What a player keeps to themselves is not for a GM who looks as they do.
    """
    mine = Q(audience__in=viewer.audiences)
    if viewer.through:
        mine &= ~Q(audience=str(viewer.member.pk), actor=viewer.member)
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
    found = Entry.objects.filter((readable(viewer) & story()) | felt(), campaign=campaign, seq__lte=campaign.head_seq)
    last = found.order_by("-seq").values_list("seq", "hash").first()
    return _HEADS.put(key, Head(*last) if last else Head(0, "0" * 64))


def payload_of(entry: Entry) -> dict[str, Any] | None:
    """What an entry says; None where it was erased. Select `payload` with it."""
    return read(entry.payload.text) if hasattr(entry, "payload") else None


def about(viewer: Viewer, object_id: uuid.UUID | str, field: str = "") -> QuerySet[Entry]:
    """The entries about an object (or that changed one field of it) which the viewer may read, newest first."""
    marks = Change.objects.filter(campaign=viewer.campaign, object_id=object_id, field=field).values("entry_id")
    found = Entry.objects.filter(readable(viewer), campaign=viewer.campaign, pk__in=marks)
    return found.select_related("payload", "revelation", "actor__user").order_by("-seq")


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
