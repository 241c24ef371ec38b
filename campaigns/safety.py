"""The group's lines and veils, for its members."""
from __future__ import annotations

import uuid
from dataclasses import dataclass

from campaigns.access import Viewer
from campaigns.models import Boundary, BoundaryType
from campaigns.services.safety import MOST


@dataclass(frozen=True, slots=True)
class BoundaryRow:
    """A line or a veil; `writer` is "" where no name was stored with it."""

    id: uuid.UUID
    name: str
    writer: str


@dataclass(frozen=True, slots=True)
class BoundaryList:
    """All lines, or all veils."""

    type: str
    title: str
    help: str
    empty: str
    rows: tuple[BoundaryRow, ...]


SAID = (
    (BoundaryType.LINE, "Lines", "These never come up in our game.", "No lines yet."),
    (BoundaryType.VEIL, "Veils", "These can happen, but we don’t play them out: the scene cuts away.", "No veils yet."),
)


def boundaries(viewer: Viewer) -> tuple[BoundaryList, ...]:
    """Lines, then veils, by their names: the order they came in would say too much."""
    rows = list(Boundary.objects.filter(campaign=viewer.campaign).select_related("writer__user").order_by(
        "name", "pk")[:MOST])
    return tuple(
        BoundaryList(type.value, title, help, empty, tuple(
            BoundaryRow(row.pk, row.name, str(row.writer) if row.writer else "") for row in rows if row.type == type))
        for type, title, help, empty in SAID
    )
