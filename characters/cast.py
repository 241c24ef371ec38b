"""Characters with what is on their sheets, read once, and used for as long as nothing in the campaign has moved."""
from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass, field

from django.db.models import Q

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
        found = {str(each.pk): each for each in rows}
        traits = {pk: sorted(each.traits.all(), key=lambda trait: trait.place) for pk, each in found.items()}
        return cls(found, traits, {pk: list(each.pools.all()) for pk, each in found.items()}, head)

    def sheets(self, *, hidden: bool = True) -> dict[str, Sheet]:
        """Their sheets, as the rules see them; without those of hidden characters where these are not asked for."""
        return {
            pk: Sheet(
                pk, row.name, tuple(trait.for_rules() for trait in self.traits.get(pk, ())),
                tuple((pool.name, pool.value) for pool in self.pools.get(pk, ())), row.dead, row.npc,
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
    """The characters of these ids that the campaign has; three queries, however many there are."""
    return cast_where(campaign, Q(pk__in=list(ids)))


def cast_where(campaign: Campaign, which: Q) -> Cast:
    """The characters of the campaign for whom this holds; three queries, however many there are."""
    rows = Character.objects.filter(which, campaign=campaign).prefetch_related("traits", "pools")
    return Cast.of(rows, campaign.head_seq)


def under_lock(entry: Draft, ids: Iterable[uuid.UUID | str], known: Cast = NOBODY) -> Cast:
    """The same under the lock: what is known of them where nothing has moved since it was read, else as they are."""
    wanted = [str(each) for each in ids]
    held = known.head == entry.campaign.head_seq and known.characters.keys() >= set(wanted)
    return known if held else cast_of(entry.campaign, wanted)
