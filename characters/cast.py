"""Characters with what is on their sheets, read once, and used for as long as nothing in the campaign has moved."""
from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from django.db.models import Q, QuerySet

from accounts.statements import compiled_once
from campaigns.models import Campaign
from campaigns.trail import Draft
from characters.models import Character, Pool, Trait
from characters.provenance import with_provenance
from rules.sheet import Sheet


@dataclass
class Cast:
    """Rows by the id of their character, as text. `head` is how far the campaign was when they were read."""

    characters: dict[str, Character]
    traits: dict[str, list[Trait]]
    pools: dict[str, list[Pool]]
    head: int = 0
    _marked: dict[str, Sheet] | None = field(default=None, repr=False)

    @classmethod
    def of(cls, rows: Iterable[Character], head: int) -> Cast:
        """Characters whose `traits` and `pools` are prefetched."""
        characters = {str(row.pk): row for row in rows}
        traits = {pk: sorted(character.traits.all(), key=lambda trait: trait.place)
                  for pk, character in characters.items()}
        return cls(characters, traits, {pk: list(character.pools.all()) for pk, character in characters.items()}, head)

    def sheets(self, *, hidden: bool = True) -> dict[str, Sheet]:
        """Their sheets, as the rules see them; without those of hidden characters where these are not asked for."""
        return {
            pk: Sheet(
                pk, row.name, tuple(trait.for_rules() for trait in self.traits.get(pk, ())),
                tuple((pool.name, pool.value) for pool in self.pools.get(pk, ())), row.dead, row.npc,
                retired=row.retired,
            )
            for pk, row in self.characters.items() if hidden or not row.hidden
        }

    def with_provenance(self, campaign: Campaign) -> dict[str, Sheet]:
        """Their sheets, with where the lines come from: one query in a game that asks for it."""
        if self._marked is None:
            self._marked = with_provenance(campaign, self.sheets())
        return self._marked


NOBODY = Cast({}, {}, {})


def cast_of(campaign: Campaign, ids: Iterable[uuid.UUID | str]) -> Cast:
    """The characters of these ids that the campaign has, in this order; three queries, however many there are."""
    wanted = [uuid.UUID(str(pk)) for pk in ids]
    rows = {row.pk: row for row in with_sheets(_rows(campaign.pk, wanted))}
    return Cast.of((rows[pk] for pk in wanted if pk in rows), campaign.head_seq)


def cast_where(campaign: Campaign, which: Q) -> Cast:
    """The characters of the campaign for whom this holds, by name; three queries, however many there are."""
    rows = Character.objects.filter(which, campaign=campaign).order_by("name", "pk")
    return Cast.of(with_sheets(list(rows)), campaign.head_seq)


def with_sheets(rows: list[Character]) -> list[Character]:
    """Characters with their lines in order and their pools, as if they were prefetched; two queries."""
    known = {row.pk: row for row in rows}
    for name, read in (("traits", lines_of), ("pools", pools_of)) if rows else ():
        theirs: dict[uuid.UUID, list[Any]] = {pk: [] for pk in known}
        for row in read(list(known)):
            row.character = known[row.character_id]
            theirs[row.character_id].append(row)
        for pk, character in known.items():
            held = getattr(character, name).all()
            held._result_cache, held._prefetch_done = theirs[pk], True
            vars(character).setdefault("_prefetched_objects_cache", {})[name] = held
    return rows


@compiled_once
def _rows(campaign: uuid.UUID, ids: list[uuid.UUID]) -> QuerySet[Character]:
    return Character.objects.filter(campaign=campaign, pk__in=ids)


@compiled_once
def lines_of(ids: list[uuid.UUID]) -> QuerySet[Any]:
    """The lines of these characters, in order."""
    return Trait.objects.filter(character__pk__in=ids).order_by("place", "pk")


@compiled_once
def pools_of(ids: list[uuid.UUID]) -> QuerySet[Any]:
    """Their pools, by name."""
    return Pool.objects.filter(character__pk__in=ids).order_by("name")


def under_lock(entry: Draft, ids: Iterable[uuid.UUID | str], known: Cast = NOBODY) -> Cast:
    """The same under the lock: what is known of them where nothing has moved since it was read, else as they are."""
    wanted = [str(pk) for pk in ids]
    held = known.head == entry.campaign.head_seq and known.characters.keys() >= set(wanted)
    return known if held else cast_of(entry.campaign, wanted)
