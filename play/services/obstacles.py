"""What the GM puts on a scene for rolls to be made against."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from typing import Any

from django.db.models import Max

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.models import Trait
from characters.queries import sheets
from characters.services.common import NAME, text
from play.models import Obstacle, Presence, Scene
from play.services.sessions import SCENES
from rules import tray
from rules.codec import VERSION, canonical, read
from rules.fields import read_all
from rules.system import Opposes
from rules.values import BadMove, Value

trail.declare("obstacle.put", "An obstacle is put on the scene", SCENES)
trail.declare("obstacle.remove", "An obstacle is removed from the scene", SCENES)


@trail.answers_once
def put(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, name: str = "", values: Mapping[str, Value],
    trait_id: uuid.UUID | None = None,
) -> Entry:
    """Puts an obstacle on the scene that is on: with a name and values, or what a line of somebody here makes of it.

    Raises `BadMove` for values that make no sense, or where the game has no obstacles.
    """
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="obstacle.put") as entry:
        if not entry.campaign.scene_id:
            raise Refused("Open a scene first.")
        rolls = entry.campaign.rules.rolls
        if not rolls.obstacle:
            raise Refused("This game has no obstacles.")
        if trait_id is not None:
            line = _line_here(entry.campaign, trait_id)
            name, values = name or f"{line.character.name}: {line.name}", _as_obstacle(entry.campaign, line)
        read_all(rolls.obstacle, values)
        scene = entry.fresh(Scene, pk=entry.campaign.scene_id)
        number = Obstacle.objects.filter(scene=scene).aggregate(last=Max("number"))["last"] or 0
        made = entry.create(Obstacle(
            campaign=entry.campaign, scene=scene, number=number + 1,
            name=text(name, NAME, "name", needed="Say what stands in the way."),
            spec=canonical({"v": VERSION, "fields": dict(values)}),
        ))
        entry.title = f"In the way: {made.name}, {rolls.obstacle_words(values)}"
    return entry.written


@trail.answers_once
def remove(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, obstacle_id: uuid.UUID) -> Entry:
    """Takes an obstacle off the scene."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="obstacle.remove") as entry:
        gone = entry.fresh(Obstacle, pk=obstacle_id)
        entry.title = f"No longer in the way: {gone.name}"
        entry.remove(gone)
    return entry.written


def values_of(obstacle: Obstacle) -> dict[str, Any]:
    """The fields as they were given."""
    fields: dict[str, Any] = read(obstacle.spec)["fields"]
    return fields


def for_rules(obstacle: Obstacle) -> tray.Obstacle:
    """The obstacle as a roll takes it."""
    return tray.Obstacle(obstacle.name, values_of(obstacle))


def _line_here(campaign: Campaign, trait_id: uuid.UUID) -> Trait:
    """A line of somebody who is in the scene, in plain sight; raises `BadMove`."""
    here = Presence.objects.filter(campaign=campaign, scene=campaign.scene_id).values("character_id")
    found = Trait.objects.select_related("character").filter(
        campaign=campaign, pk=trait_id, character__in=here, character__hidden=False).first()
    if found is None:
        raise BadMove("Choose somebody who is in the scene.", "trait")
    return found


def _as_obstacle(campaign: Campaign, line: Trait) -> dict[str, Value]:
    rolls = campaign.rules.rolls
    if not isinstance(rolls, Opposes):
        raise BadMove("In this game nobody's line stands in the way of a roll.", "trait")
    known = {field.name for field in rolls.obstacle}
    sheet = sheets(campaign, [line.character_id])[str(line.character_id)]
    against = rolls.opposing_fields(line.for_rules(), sheet)
    return {name: value for name, value in against.items() if name in known}
