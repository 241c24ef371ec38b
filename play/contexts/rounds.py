"""The rounds of a contest on its card: with which entry each began, also where the story has gone on since."""
from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from accounts.statements import compiled_once
from campaigns.access import Viewer
from campaigns.bounded import Bounded
from campaigns.models import Entry
from campaigns.trail.contexts import undone
from campaigns.trail.visible import payload_of, readable_by, reader

NAMES = ("round", "turn")  # what a game calls them in the result of an act
LEAST = 2
LOOKED = 200  # entries of contests, the newest first: more are of no evening

# Which round an entry is of, 0 for none: what an entry says never changes.
_KNOWN: Bounded[uuid.UUID, int] = Bounded(5000)


@dataclass(frozen=True)
class Round:
    """A round, and the entry that it began with; whether that is `here`, on the same page."""

    number: int
    seq: int
    here: bool


def rounds_of(
    viewer: Viewer, contests: Collection[uuid.UUID], listed: Sequence[Entry]
) -> Mapping[uuid.UUID, tuple[Round, ...]]:
    """By contest the rounds that the viewer may read of, oldest first, where there are several; `listed` are the
    entries that the page has. Two queries, however many there are, and one for what was never looked at."""
    if not contests:
        return {}
    entries = _entries(viewer.campaign.pk, list(contests), *reader(viewer))
    ids = [pk for pk, _, _ in entries]
    numbers, gone = _numbers(ids), undone(viewer, ids)
    here = {entry.seq for entry in listed}
    first: dict[uuid.UUID, dict[int, Round]] = defaultdict(dict)
    for pk, seq, contest in reversed(entries):
        if numbers[pk] and pk not in gone:
            first[contest].setdefault(numbers[pk], Round(numbers[pk], seq, seq in here))
    return {contest: tuple(began.values()) for contest, began in first.items() if len(began) >= LEAST}


@compiled_once
def _entries(
    campaign: uuid.UUID, contests: list[uuid.UUID], audiences: list[str], looks_as: uuid.UUID | None,
) -> QuerySet[Entry, tuple[uuid.UUID, int, uuid.UUID]]:
    entries = Entry.objects.filter(
        readable_by(audiences, looks_as), index__campaign=campaign, index__object_id__in=contests,
        index__field="events")
    return entries.order_by("-index__seq").values_list("pk", "seq", "index__object_id")[:LOOKED]


def _numbers(ids: Sequence[uuid.UUID]) -> Mapping[uuid.UUID, int]:
    known = {pk: number for pk in ids if (number := _KNOWN.get(pk)) is not None}
    if unknown := [pk for pk in ids if pk not in known]:
        for entry in Entry.objects.filter(pk__in=unknown).select_related("payload"):
            known[entry.pk] = _KNOWN.put(entry.pk, _number(entry))
    return known


def _number(entry: Entry) -> int:
    result = ((payload_of(entry) or {}).get("outcome") or {}).get("result") or {}
    return next((result[name] for name in NAMES if isinstance(result.get(name), int) and result[name] > 0), 0)

