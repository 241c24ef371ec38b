"""An obstacle is put on the scene that is on: by the GM's form or chip, or by what an act of a contest leaves there."""
from __future__ import annotations

import uuid
from collections.abc import Mapping

from django.db.models import Max

from campaigns import sight, trail
from campaigns.errors import Refused
from campaigns.models import View
from characters.models import Character, Trait
from characters.services.common import NAME, text
from play.models import Obstacle, PrepItem, Scene
from play.services.follows import InItsPlace
from rules.fields import read_all
from rules.sheet import Trait as Line

UNKNOWN = "Something unknown"  # what players call what they don't know the name of


def line_name(whose: Character, line: Trait | Line) -> str:
    """What a line of somebody is called where it stands in the way."""
    return f"{whose.name}: {line.name}"[:NAME]


def put(
    entry: trail.Draft, way: InItsPlace, view: View = View.ALL, thing_id: uuid.UUID | None = None,
) -> Obstacle:
    """Puts it behind those that are there; `view` is how much players know of the thing of the library that it
    comes of.

    Raises `BadMove` for bad values, `Refused` without a scene.
    """
    if not entry.campaign.scene_id:
        raise Refused("Open a scene first.")
    read_all(entry.campaign.rules.rolls.obstacle, way.values)
    scene = entry.locked(Scene, pk=entry.campaign.scene_id)
    number = Obstacle.objects.filter(scene=scene).aggregate(last=Max("number"))["last"] or 0
    return entry.create(Obstacle(
        campaign=entry.campaign, scene=scene, number=number + 1, character=way.whose, view=view, thing_id=thing_id,
        name=text(way.name, NAME, "name", needed="Choose or name an obstacle."), spec=way.spec,
    ))


def follow(entry: trail.Draft, thing_id: uuid.UUID, view: View) -> None:
    """What came of a thing onto the scene that is on is seen as the thing is, from this entry on."""
    here = Obstacle.objects.filter(campaign=entry.campaign, scene=entry.campaign.scene_id, thing_id=thing_id)
    for obstacle in here.exclude(view=view) if entry.campaign.scene_id else ():
        entry.change(entry.locked(Obstacle, pk=obstacle.pk), view=view)


def seen(entry: trail.Draft, thing_id: uuid.UUID | None, view: View) -> tuple[uuid.UUID | None, View]:
    """A thing of the library that players meet: it, if it is there, and what they see of it: at least this view, which
    it has from this entry on."""
    thing = PrepItem.objects.filter(campaign=entry.campaign, pk=thing_id).first() if thing_id else None
    if thing is None:
        return None, View.ALL
    if sight.ORDER.index(view) > sight.ORDER.index(thing.view):
        entry.change(entry.locked(PrepItem, pk=thing.pk), shown=view is View.ALL, face=view is View.FACE)
        follow(entry, thing.pk, view)
        return thing.pk, view
    return thing.pk, thing.view


def all_seen(entry: trail.Draft, views: Mapping[uuid.UUID, View]) -> None:
    """Players see so much of these things from this entry on."""
    for thing_id, view in views.items():
        seen(entry, thing_id, view)
