"""What a campaign holds beside a contest that few acts look at: what is prepared, NPCs who are elsewhere,
and what waits for a next roll."""
from __future__ import annotations

import uuid

from django.db.models import QuerySet

from accounts.statements import compiled_once
from campaigns.models import Campaign, View
from characters.models import Character, Trait
from play.models import Contest, PendingModifier, PrepItem, Presence
from play.services.bank import spec_of
from play.services.on_scene import UNKNOWN
from rules.modifiers import Modifier
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
    traits: dict[Character, list[Line]] = {}
    for line in _lines_away(contest.campaign_id, contest.scene_id):
        traits.setdefault(line.character, []).append(line.for_rules())
    return tuple(Sheet(str(who.pk), who.name, tuple(own), npc=True) for who, own in traits.items())


@compiled_once
def _lines_away(campaign: uuid.UUID, scene: uuid.UUID | None) -> QuerySet[Trait]:
    here = Presence.objects.filter(scene=scene).values("character")
    lines = Trait.objects.filter(
        campaign=campaign, character__npc=True, character__hidden=False, character__retired=False,
        character__dead=False).exclude(character__in=here).select_related("character")
    return lines.order_by("character__name", "character", "place")[:MOST_LINES]


def waiting_here(campaign: Campaign) -> tuple[tuple[str, Modifier], ...]:
    """What the GM has given anybody for their next roll, by the sheet’s id."""
    return tuple((str(line.character_id), Modifier(line.kind, line.amount, line.reason))
                 for line in _given(campaign.pk))


@compiled_once
def _given(campaign: uuid.UUID) -> QuerySet[PendingModifier]:
    return PendingModifier.objects.filter(campaign=campaign, used=False).order_by("pk")
