"""All lines of a kind that a game wants to see in one place, for the GM: story hooks, with where each came from."""
from __future__ import annotations

import uuid
from dataclasses import dataclass

from django.db.models import Min
from django.http import Http404

from campaigns.access import Viewer
from campaigns.trail.models import Change
from characters.models import Trait
from rules.system import TraitKind

MOST = 500


@dataclass(frozen=True)
class ListedLine:
    """A line of somebody's sheet: what it says, how it stands, and the entry that made it."""

    name: str
    note: str
    stands: str
    who: str
    sheet: uuid.UUID
    seq: int


@dataclass(frozen=True)
class ListedKind:
    """What the page is called, and what belongs on it."""

    label: str
    help: str


def listed(viewer: Viewer, name: str) -> tuple[ListedKind, list[ListedLine]]:
    """The kind of this name and its lines, those of the lowest value first: two queries. 404 where none is listed."""
    kind = next((kind for kind in viewer.campaign.rules.sheet.trait_kinds if kind.name == name and kind.listed), None)
    if kind is None:
        raise Http404("This game has no such list.")
    return ListedKind(kind.plural, kind.help), _lines(viewer, kind)


def _lines(viewer: Viewer, kind: TraitKind) -> list[ListedLine]:
    traits = Trait.objects.filter(campaign=viewer.campaign, kind=kind.name, character__retired=False)
    rows = list(traits.select_related("character").order_by("value", "character__name", "place", "pk")[:MOST])
    marks = Change.objects.filter(campaign=viewer.campaign, object_id__in=[row.pk for row in rows])
    made = dict(marks.values_list("object_id").annotate(first=Min("seq")))
    notation = viewer.campaign.rules.sheet.notation
    return [
        ListedLine(row.name, row.note, notation(row.kind, row.value), row.character.name, row.character_id,
                   made.get(row.pk, 0))
        for row in rows
    ]
