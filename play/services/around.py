"""What a campaign holds beside a contest that few acts look at: what is prepared, and NPCs who are elsewhere."""
from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts.statements import compiled_once
from campaigns.models import Campaign, View
from characters.models import Character, Trait
from play.models import Contest, PrepItem, Presence
from play.services.bank import spec_of
from play.services.on_scene import UNKNOWN
from rules.procedure import Prepared
from rules.sheet import Sheet
from rules.sheet import Trait as Line

MOST_LINES = 1000  # of NPCs elsewhere whom a form may name


def prepared_in(campaign: Campaign) -> tuple[Prepared, ...]:
    """What the GM has prepared that fills the offers of a contest: one query, none in a game without such things."""
    types = [prep_item.name for prep_item in campaign.rules.prep_items if prep_item.filled]
    rows = _items(campaign.pk, types) if types else ()
    return tuple(
        Prepared(str(row.pk), row.name, spec_of(row), UNKNOWN if row.view is View.NOTHING else row.name, row.shown)
        for row in rows)


@compiled_once
def _items(campaign: uuid.UUID, types: list[str]) -> QuerySet[PrepItem]:
    return PrepItem.objects.filter(campaign=campaign, type__in=types).order_by("name", "pk")[:200]


def away_from(contest: Contest) -> tuple[Sheet, ...]:
    """The NPCs whom all may know of and who are not in its scene, by their lines: one query."""
    here = Presence.objects.filter(scene=contest.scene_id).values("character")
    lines = Trait.objects.filter(
        campaign=contest.campaign, character__npc=True, character__hidden=False, character__retired=False,
        character__dead=False).exclude(character__in=here).select_related("character")
    traits: dict[Character, list[Line]] = {}
    for line in lines.order_by("character__name", "character", "place")[:MOST_LINES]:
        traits.setdefault(line.character, []).append(line.for_rules())
    return tuple(Sheet(str(who.pk), who.name, tuple(own), npc=True) for who, own in traits.items())
