"""The tables are what the trail adds up to: building them anew, and finding where they differ."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django.db import models, transaction

from campaigns.trail.models import Payload
from campaigns.trail.tracked import TRACKED, Tracked
from campaigns.trail.visible import fold
from rules.codec import read

FOLLOW: list[Callable[..., object]] = []  # other projections, made anew too: each gets a campaign's id
State = dict[tuple[str, str], dict[str, Any]]


@dataclass(frozen=True)
class Difference:
    """Where a table departs from the trail: the row, and what each says (None where one has no such row)."""

    of: str
    id: str
    table: dict[str, Any] | None
    trail: dict[str, Any] | None

    def __str__(self) -> str:
        if self.table is None:
            return f"{self.of} {self.id} is in the trail and missing from its table"
        if self.trail is None:
            return f"{self.of} {self.id} is in its table and not in the trail"
        fields = [name for name in self.trail if self.table.get(name) != self.trail[name]]
        said = ", ".join(f"{name}: {self.table.get(name)!r}, by the trail {self.trail[name]!r}" for name in fields)
        return f"{self.of} {self.id} differs in {said}"


def by_trail(campaign_id: uuid.UUID) -> State:
    """Every object as the whole trail tells it."""
    payloads = Payload.objects.filter(campaign_id=campaign_id).order_by("entry__seq")
    states = fold(read(text) for text in payloads.values_list("text", flat=True).iterator(chunk_size=500))
    # An entry that is older than a field does not name it: there it is as the table has it by default.
    return {
        key: {**TRACKED[key[0]].defaults(), **state} if key[0] in TRACKED else state for key, state in states.items()
    }


def by_tables(campaign_id: uuid.UUID) -> State:
    """Every object as its table holds it."""
    return {
        (kind.name, str(row.pk)): kind.state(row)
        for kind in TRACKED.values()
        for row in kind.rows(campaign_id).iterator()
    }


def differences(campaign_id: uuid.UUID) -> Iterator[Difference]:
    """Where tables and trail differ; nothing when all is well."""
    trail, tables = by_trail(campaign_id), by_tables(campaign_id)
    for of, pk in sorted(trail.keys() | tables.keys()):
        wanted, held = trail.get((of, pk)), tables.get((of, pk))
        if wanted != held:
            yield Difference(of, pk, held, wanted)


@transaction.atomic
def rebuild(campaign_id: uuid.UUID) -> list[Difference]:
    """Makes the tables say what the trail says; answers what had to be changed."""
    different = list(differences(campaign_id))
    order = list(TRACKED)
    for difference in sorted(different, key=lambda difference: order.index(difference.of)):
        if difference.trail is not None:
            _put(TRACKED[difference.of], campaign_id, difference.id, difference.trail, new=difference.table is None)
    # Children before parents, as tables were declared parents first.
    for difference in sorted(different, key=lambda difference: -order.index(difference.of)):
        if difference.trail is None:
            TRACKED[difference.of].rows(campaign_id).filter(pk=difference.id).delete()
    for follow in FOLLOW:
        follow(campaign_id)
    return different


def _put(kind: Tracked, campaign_id: uuid.UUID, pk: str, state: dict[str, Any], *, new: bool) -> None:
    values = kind.read_state(state)
    if new:
        restore(kind, campaign_id, pk, state).save(force_insert=True)
    else:
        kind.rows(campaign_id).filter(pk=pk).update(**values)


def restore(kind: Tracked, campaign_id: uuid.UUID, pk: str, state: dict[str, Any]) -> models.Model:
    """An unsaved row with this state."""
    return kind.model(pk=uuid.UUID(pk), **{kind.campaign: campaign_id}, **kind.read_state(state))
