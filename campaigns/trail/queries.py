"""Reads of the trail. The first argument is the viewer; nothing a viewer may not read is fetched for a template."""
from __future__ import annotations

import json
import uuid
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.db.models import Max, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from accounts.statements import Size, compiled_once
from campaigns.trail.declared import declared, felt, found_by, in_story, story
from campaigns.trail.looking import LOOKED, of_filter, of_person, reached, reached_about
from campaigns.trail.models import Change, Entry
from campaigns.trail.visible import may_read, payload_of, readable, readable_by, reader, story_read

if TYPE_CHECKING:
    from campaigns.access import Viewer

PAGE = 40


@dataclass(frozen=True)
class Page:
    """Some entries, newest first, and the number to go on before (None at the end).

    Where the page ends among sealed entries, `sealed` are those that follow without one that can be read: how many, and
    the number of the first. They belong to this page, so that a run of them is never cut.
    """

    entries: list[Entry]
    older: int | None
    sealed: tuple[int, int] = (0, 0)


def page(
    viewer: Viewer, *, person: str = "", character: str = "", kind: str = "", session: str = "", before: int = 0,
    size: int = PAGE, story_only: bool = False,
) -> Page:
    """A page of the trail. Sealed entries keep their place in the whole, and drop out where a filter looks inside.

    `story_only` leaves out book-keeping, and what is sealed from the viewer: it is no part of the story.
    """
    audiences, looks_as = reader(viewer)
    by: dict[str, Any] = {
        "campaign": viewer.campaign.pk, "audiences": audiences, "looks_as": looks_as, "story_only": story_only,
        "person": _id(person), "character": _id(character), "session": _id(session), "before": before or None,
    }
    if (kind or (person and session)) and not character:
        return _picked(kind, size, **by)
    # A filter's kinds are too many to keep a statement for each.
    rows = list(_newest(_entries(kind=kind, **by), size)) if kind else _known_pages(Size(size), Size(LOOKED), **by)
    if story_only and rows:
        story_read(viewer, rows[0])
    if len(rows) > size:
        return _whole_run(viewer, _entries(kind=kind, **by), rows[:size])
    cut = character and viewer.campaign.head_seq > LOOKED
    return Page(rows, reached_about(by["campaign"], by["character"], by["before"]) or None if cut else None)


def _id(text: str) -> uuid.UUID | None:
    return uuid.UUID(text) if text else None


def _picked(kind: str, size: int, **by: Any) -> Page:
    """A page of what two indexes would have to find together: one of them points at so many entries, the rest is asked
    of those alone."""
    campaign, before = by["campaign"], by["before"]
    if kind:
        numbers = of_filter(campaign, kind, before)
        until = reached(numbers)
    else:
        numbers, until = of_person(campaign, by["person"], by["session"], before)
    rows = list(_newest(_entries(kind=kind, **by).filter(seq__in=numbers), size))
    return Page(rows[:size], rows[size - 1].seq if len(rows) > size else until or None)


def _entries(
    campaign: uuid.UUID, audiences: list[str], looks_as: uuid.UUID | None, *, story_only: bool, kind: str = "",
    person: uuid.UUID | None, character: uuid.UUID | None, session: uuid.UUID | None, before: int | None,
    looked: int | None = None,
) -> QuerySet[Entry]:
    """The entries that all of this holds for."""
    entries, mine = Entry.objects.filter(campaign=campaign), readable_by(audiences, looks_as)
    if story_only:
        entries = entries.filter(mine, story())
    if person:
        entries = entries.filter(actor=person)
    if kind:
        entries = entries.filter(mine, found_by(kind))
    if session:
        entries = entries.filter(session_id=session)
    if character:
        return _about(entries.filter(mine), campaign, character, before, looked or LOOKED)
    return entries.filter(seq__lt=before) if before else entries


def _about(
    entries: QuerySet[Entry], campaign: uuid.UUID, character: uuid.UUID, before: int | None, looked: int,
) -> QuerySet[Entry]:
    """Those of these that are about a character, from the index of what entries are about, as far as a page looks."""
    marks = Change.objects.filter(campaign=campaign, object_id=character, field="")
    bounds: dict[str, Any] = {}
    if before:
        marks, bounds = marks.filter(seq__lt=before), {"index__seq__lt": before}
    last = Subquery(marks.order_by("-seq").values("seq")[looked - 1:looked])
    return entries.filter(
        index__campaign=campaign, index__object_id=character, index__field="", index__seq__gte=Coalesce(last, 0),
        **bounds).order_by("-index__seq")


def _newest(entries: QuerySet[Entry], size: int) -> QuerySet[Entry]:
    by_mark = entries.query.order_by
    ordered = entries if by_mark else entries.order_by("-seq")
    return ordered.select_related("payload", "revelation", "actor__user")[: size + 1]


@compiled_once
def _known_pages(size: Size, looked: Size, **by: Any) -> QuerySet[Entry]:
    return _newest(_entries(looked=looked, **by), size)


def _whole_run(viewer: Viewer, entries: QuerySet[Entry], rows: list[Entry]) -> Page:
    """The page, with the sealed entries that go on after its last one, as far as a page looks."""
    last = rows[-1]
    if may_read(viewer, last) or not hasattr(last, "payload"):
        return Page(rows, last.seq)
    below = entries.filter(seq__lt=last.seq)
    numbers = list(below.order_by("-seq").values_list("seq", flat=True)[:LOOKED])
    looked_at = below.filter(seq__gte=numbers[-1])
    read = looked_at.filter(readable(viewer) | Q(payload=None)).aggregate(seq=Max("seq"))["seq"] or 0
    run = [seq for seq in numbers if seq > read]
    first = run[-1] if run else 0
    return Page(rows, first or last.seq if read or reached(numbers) else None, (len(run), first))


@dataclass(frozen=True)
class Arrived:
    """Entries that came after another one: those of the story, newest first, and the changes that all of them made.

    `recast`: an entry from before is undone or revealed by them. `unsaid`: some of them changed what is seen in a way
    that is sealed from the viewer.
    """

    story: list[Entry]
    changes: tuple[dict[str, Any], ...]
    recast: bool
    unsaid: bool


def arrived(viewer: Viewer, seq: int, *, most: int) -> Arrived | None:
    """What came after this entry and is seen by the viewer; None where it is more than `most`."""
    rows = _after(seq, viewer.campaign.head_seq, Size(most), viewer.campaign.pk, *reader(viewer))
    if len(rows) > most:
        return None
    read = [row for row in rows if may_read(viewer, row)]
    payloads = [payload_of(entry) or {} for entry in read]
    told = [entry for entry in read if (kind := declared(entry.kind)) is None or kind.story]
    if told and in_story(told[0].kind):
        story_read(viewer, told[0])
    return Arrived(
        told,
        tuple(change for payload in payloads for change in payload.get("changes", ())),
        any("undoes" in payload or "reveals" in payload for payload in payloads), len(read) < len(rows),
    )


@compiled_once
def _after(
    seq: int, head: int, most: Size, campaign: uuid.UUID, audiences: list[str], looks_as: uuid.UUID | None,
) -> QuerySet[Entry]:
    seen = readable_by(audiences, looks_as) | felt()
    return _newest(Entry.objects.filter(seen, campaign=campaign, seq__gt=seq, seq__lte=head), most)


def one(viewer: Viewer, seq: int) -> Entry | None:
    """The entry of this number."""
    return next(iter(_one(viewer.campaign.pk, seq)), None)


@compiled_once
def _one(campaign: uuid.UUID, seq: int) -> QuerySet[Entry]:
    return Entry.objects.filter(campaign=campaign, seq=seq).select_related("payload", "revelation", "actor__user")


def envelope(entry: Entry) -> dict[str, Any]:
    """What everybody may know of an entry: the envelope as read, and its hash."""
    return {**json.loads(entry.envelope), "hash": entry.hash}


def members(viewer: Viewer) -> list[tuple[str, str]]:
    """Everybody who ever was a member: id and name."""
    rows = viewer.campaign.members.select_related("user").order_by("user__username")
    return [(str(member.pk), member.user.shown_name) for member in rows]
