"""Reads of the trail. The first argument is the viewer; nothing a viewer may not read is fetched for a template."""
from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from campaigns.trail.models import Change, Entry
from campaigns.trail.tracked import TRACKED
from campaigns.trail.visible import readable

if TYPE_CHECKING:
    from campaigns.access import Viewer

PAGE = 40

# What a person filters by, and the beginnings of the kinds behind it.
KINDS = {
    "rolls": ("Rolls", None),
    "contests": ("Contests", ("contest.",)),
    "sheets": ("Sheets", ("character.", "portrait.")),
    "scenes": ("Sessions and scenes", ("session.", "scene.")),
    "people": ("People", ("member.", "invitation.", "campaign.")),
    "undone": ("Undone and revealed", ("undo", "entry.")),
    "dice": ("Dice secrets", ("dice.",)),
}
CHOICES = [(name, label) for name, (label, _) in KINDS.items()]


@dataclass(frozen=True)
class Page:
    """Some entries, newest first, and the number to go on before (None at the end)."""

    entries: list[Entry]
    older: int | None


def page(
    viewer: Viewer, *, person: str = "", character: str = "", kind: str = "", session: str = "", before: int = 0,
    size: int = PAGE, told: bool = False,
) -> Page:
    """A page of the trail. Sealed entries keep their place in the whole, and drop out where a filter looks inside.

    `told` leaves out the house's own book-keeping, which is no part of the story.
    """
    found = Entry.objects.filter(campaign=viewer.campaign)
    if told:
        found = found.exclude(kind__startswith="dice.")
    if person:
        found = found.filter(actor_id=person)
    if kind:
        found = found.filter(readable(viewer), _of_kind(viewer, kind))
    if session:
        found = found.filter(session_id=session)
    if character:
        marks = Change.objects.filter(campaign=viewer.campaign, object_id=character, field="")
        found = found.filter(readable(viewer), pk__in=marks.values("entry_id"))
    if before:
        found = found.filter(seq__lt=before)
    rows = list(found.select_related("payload", "revelation", "actor__user").order_by("-seq")[: size + 1])
    return Page(rows[:size], rows[size - 1].seq if len(rows) > size else None)


def _of_kind(viewer: Viewer, kind: str) -> Q:
    if kind not in KINDS:
        return Q(pk=None)
    _, starts = KINDS[kind]
    if starts is None:
        return Q(kind__in=[move.name for move in viewer.campaign.rules.moves])
    condition = Q()
    for start in starts:
        condition |= Q(kind__startswith=start)
    return condition


def one(viewer: Viewer, seq: int) -> Entry | None:
    """The entry of this number."""
    found = Entry.objects.select_related("payload", "revelation", "actor__user")
    return found.filter(campaign=viewer.campaign, seq=seq).first()


def envelope(entry: Entry) -> dict[str, Any]:
    """What everybody may know of an entry: the envelope as read, and its hash."""
    return {**json.loads(entry.envelope), "hash": entry.hash}


def members(viewer: Viewer) -> list[tuple[str, str]]:
    """Everybody who ever was a member: id and name."""
    rows = viewer.campaign.members.select_related("user").order_by("user__username")
    return [(str(member.pk), member.user.shown_name) for member in rows]


def characters(viewer: Viewer) -> list[tuple[str, str]]:
    """The characters that the viewer may know of: id and name."""
    rows = TRACKED["character"].rows(viewer.campaign.pk)
    if not viewer.runs:
        rows = rows.filter(hidden=False)
    return [(str(pk), name) for pk, name in rows.order_by("name").values_list("pk", "name")[:500]]


def sessions(viewer: Viewer) -> list[tuple[str, str]]:
    """The sessions, newest first: id and name."""
    rows = TRACKED["session"].rows(viewer.campaign.pk).order_by("-number")
    return [(str(pk), title or f"Session {number}") for pk, number, title in rows.values_list("pk", "number", "title")]
