"""Why a roll of the tray is what it is: each part with when it came, and what could be counted, ready to be ticked."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Max

from campaigns.access import Viewer
from campaigns.models import Change, Entry
from campaigns.trail.visible import readable
from play.models import Scene
from rules.tray import Part, Why

MOVED = ("value", "damage")  # the fields of a line that say how much it counts


@dataclass(frozen=True)
class When:
    """The last entry that made something what it is, and when that was in words: `session 3, The weir`."""

    seq: int
    words: str


@dataclass(frozen=True)
class Source:
    """A part as it is drawn. `tick` is the id of the control that counts it, "" where there is none."""

    part: Part
    when: When | None = None
    tick: str = ""


@dataclass(frozen=True)
class Sources:
    """The number that is asked about; what counts in it, then what could and does not."""

    number: str
    counted: tuple[Source, ...]
    idle: tuple[Source, ...]


def sources(viewer: Viewer, why: Why, ticks: Mapping[str, str]) -> Sources:
    """The same as a page draws it; `ticks` are the controls of what can be ticked, by what they choose."""
    came = _when(viewer, [part.line for part in (*why.parts, *why.idle) if part.lasts and part.line])
    return Sources(
        why.number, tuple(Source(part, came.get(part.line)) for part in why.parts),
        tuple(Source(part, came.get(part.line), ticks.get(part.line, "")) for part in why.idle))


def _when(viewer: Viewer, lines: Iterable[str]) -> dict[str, When]:
    """When each of these lines of sheets came to be what it is; without those of which this viewer may not read."""
    ids = [uuid.UUID(line) for line in lines]
    marks = Change.objects.filter(campaign=viewer.campaign, object_id__in=ids, field__in=MOVED) if ids else None
    if marks is None:
        return {}
    last = dict(marks.values("object_id").annotate(last=Max("seq")).values_list("object_id", "last"))
    entries = Entry.objects.filter(readable(viewer), campaign=viewer.campaign, seq__in=last.values())
    scene_of = dict(entries.values_list("seq", "scene_id"))
    scenes = Scene.objects.filter(campaign=viewer.campaign, pk__in=filter(None, scene_of.values()))
    told: dict[uuid.UUID | None, str] = {scene.pk: f"session {scene.session.number}, {scene.title}"
                                         for scene in scenes.select_related("session")}
    return {str(line): When(seq, told.get(scene_of[seq], f"entry {seq}"))
            for line, seq in last.items() if seq in scene_of}
