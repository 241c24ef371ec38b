"""Prepared obstacles against the player characters: the best way that each has, and its exact chance."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Prefetch, Q, QuerySet

from campaigns.access import Viewer
from campaigns.bounded import Bounded
from campaigns.models import Campaign
from campaigns.statements import Size, compiled_once
from characters.models import Character, Trait
from play import queries
from play.models import LibraryTag, MatrixLimits, PrepItem
from play.services.bank import kind_of, spec_of
from rules.approaches import BestWay, best
from rules.codec import canonical
from rules.prep import PreparedObstacle
from rules.registry import kind_of as move_of
from rules.sheet import Sheet
from rules.system import Modifier
from rules.values import BadMove, Value

ROWS, PEOPLE, KEPT = 30, 8, 4096

# What a best way depends on: the game and its edition, the settings, the sheet, what stands in the way, what waits.
Key = tuple[str, str, str, Sheet, str, tuple[Modifier, ...]]
_FOUND: Bounded[Key, tuple[BestWay | None]] = Bounded(KEPT)


@dataclass(frozen=True)
class ItemObstacle:
    """An obstacle of something in the library, and which of its obstacles it is."""

    item: PrepItem
    place: int
    obstacle: PreparedObstacle


def best_way(
    campaign: Campaign, sheet: Sheet, values: Mapping[str, Value], waiting: tuple[Modifier, ...] = ()
) -> BestWay | None:
    """The best way that a character has against these values; None where the rules know none, or can't read them."""
    key = (campaign.system, campaign.edition, campaign.settings_json, sheet, canonical(dict(values)), waiting)
    known = _FOUND.get(key)
    if known is None:
        try:
            found = best(campaign.rules.rolls.approaches(sheet, values, campaign.settings, waiting), move_of)
        except BadMove:
            found = None
        known = _FOUND.put(key, (found,))
    return known[0]


def way_of(viewer: Viewer, character: Character, values: Mapping[str, Value]) -> BestWay | None:
    """The best way that a character has now, with what waits for the next roll."""
    pending = [each for each in queries.pending_modifiers(viewer) if each.character_id == character.pk]
    waiting = tuple(Modifier(each.kind, each.amount, each.reason) for each in pending)
    return best_way(viewer.campaign, character.sheet(), values, waiting)


def people(viewer: Viewer) -> list[Character]:
    """The player characters, by name."""
    found = Character.objects.filter(campaign=viewer.campaign, npc=False, retired=False, hidden=False)
    lines = Prefetch("traits", Trait.objects.order_by("place"))
    return list(found.select_related("player__user").prefetch_related(lines, "pools").order_by("name", "pk")[:PEOPLE])


def prepared(
    viewer: Viewer, tag: str = "", after: tuple[str, uuid.UUID] | None = None, *, most: int = ROWS
) -> tuple[list[ItemObstacle], bool]:
    """A page of what can stand in the way, by name, and whether there is more."""
    kinds = [kind.name for kind in viewer.campaign.rules.library if kind.obstacles("", {})]
    name, pk = after or (None, None)
    items = _items(viewer.campaign.pk, kinds, tag or None, name, pk, Size(most + 1))
    return [each for item in items[:most] for each in of_item(viewer, item)], len(items) > most


@compiled_once
def _items(
    campaign: uuid.UUID, kinds: list[str], tag: str | None, name: str | None, pk: uuid.UUID | None, most: Size,
) -> QuerySet[PrepItem]:
    found = PrepItem.objects.filter(campaign=campaign, type__in=kinds)
    if tag:
        found = found.filter(pk__in=LibraryTag.objects.filter(campaign=campaign, tag=tag).values("thing_id"))
    if name:
        found = found.filter(Q(name__gt=name) | Q(name=name, pk__gt=pk))
    return found.order_by("name", "pk")[:most]


def of_item(viewer: Viewer, item: PrepItem) -> list[ItemObstacle]:
    """What something prepared can put in the way."""
    found = kind_of(viewer.campaign, item.type).obstacles(item.name, spec_of(item))
    return [ItemObstacle(item, place, each) for place, each in enumerate(found)]


def with_values(campaign: Campaign, prepared: ItemObstacle, values: Mapping[str, Value]) -> Mapping[str, Value]:
    """The fields of something prepared once this obstacle of it has these values."""
    item = prepared.item
    return kind_of(campaign, item.type).with_obstacle(spec_of(item), prepared.place, values)


def limits(campaign: Campaign) -> tuple[int, int]:
    """From which percent on something is easy, and down from which it is hard."""
    kept = MatrixLimits.objects.filter(campaign=campaign).first()
    return (kept.easy, kept.hard) if kept else (80, 15)


