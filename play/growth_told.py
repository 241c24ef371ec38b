"""What a session made of the numbers that characters hold: each before it and after it."""
from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Max, Min

from campaigns.access import Viewer
from campaigns.models import Change, Entry
from campaigns.trail.visible import payload_of, readable
from characters.models import Character
from play.session_summary import SessionSpan


@dataclass(frozen=True)
class Moved:
    """A number that is another after a session: what it is called, what it was and what it became."""

    label: str
    was: int
    became: int


def moved_in(
    viewer: Viewer, when: SessionSpan, characters: Sequence[Character]
) -> dict[uuid.UUID, tuple[Moved, ...]]:
    """By character, what they hold otherwise than as it began; what a scene alone has is left out.
    Prefetch `pools`. Two queries."""
    kinds = {kind.name: kind for kind in viewer.campaign.rules.sheet.pools if kind.sheets != "none"}
    held = {pool.pk: (character, pool) for character in characters for pool in character.pools.all()
            if pool.name in kinds and not kinds[pool.name].of_scene}
    marks = Change.objects.filter(
        campaign=viewer.campaign, object_id__in=list(held), field="value", **when.range).values("object_id")
    ends = {row["object_id"]: (row["first"], row["last"])
            for row in marks.annotate(first=Min("seq"), last=Max("seq"))}
    seqs = {seq for span in ends.values() for seq in span}
    entries = Entry.objects.filter(readable(viewer), campaign=viewer.campaign, seq__in=seqs).select_related(
        "payload", "revelation")
    told = {entry.seq: payload_of(entry) or {} for entry in entries}
    by_character: dict[uuid.UUID, list[Moved]] = defaultdict(list)
    for pk, (character, pool) in held.items():
        first, last = ends.get(pk, (0, 0))
        was, became = _was(told.get(first, {}), pk, character.pk), _became(told.get(last, {}), pk)
        if was is not None and became is not None and was != became:
            by_character[character.pk].append(Moved(kinds[pool.name].label, was, became))
    return {character: tuple(moved) for character, moved in by_character.items()}


def _was(payload: Mapping[str, Any], pk: uuid.UUID, character: uuid.UUID) -> int | None:
    """What a number was before an entry: what came with the sheet is what it came with, what came later was nothing.
    None where the entry doesn't say."""
    change = _of(payload, pk)
    if change is None:
        return None
    if change["was"]:
        return _number(change["was"])
    sheet = _of(payload, character)
    return _became(payload, pk) if sheet is not None and not sheet["was"] else 0


def _became(payload: Mapping[str, Any], pk: uuid.UUID) -> int | None:
    """What an entry made of a number; None where it is gone, or the entry doesn't say."""
    change = _of(payload, pk)
    return _number(change["became"]) if change and change["became"] else None


def _number(row: Mapping[str, Any]) -> int | None:
    return row.get("value")


def _of(payload: Mapping[str, Any], pk: uuid.UUID) -> Mapping[str, Any] | None:
    return next((change for change in payload.get("changes", ()) if change["id"] == str(pk)), None)
