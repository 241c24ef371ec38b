"""A sample campaign of any game: its ready-made characters in a scene that is on, somebody there, an obstacle."""
from __future__ import annotations

import uuid
from typing import Any

from django.db import transaction

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Role
from campaigns.services import founding
from characters.services import editing, npcs
from play.services import obstacles, sessions
from rules.registry import system_of

CAST = 3  # as many as fit a small table


@trail.retried
@transaction.atomic
def begin(*, user: Any, op_id: uuid.UUID, game: str) -> Campaign:
    """Makes a sample of a game for this person alone; where they have one, answers that. Raises `BadMove`."""
    mine = Campaign.objects.filter(
        sample=True, system=game, archived=False, members__user=user, members__role=Role.OWNER, members__active=True)
    if known := mine.first():
        return known
    rules = system_of(game)
    sample = rules.sample
    if sample is None:
        raise Refused("There is no sample of this game.")
    campaign = founding.found(
        user=user, op_id=op_id, name=sample.name, system=game, pitch=sample.pitch, sample=True)
    owner = campaign.members.get(user=user)
    by: dict[str, Any] = {"campaign": campaign, "actor": owner}
    here = []
    # The first is the owner's own: what a session deals to players is there to be looked at, too.
    for number, ready in enumerate(rules.sheet.ready_made[:CAST]):
        made = editing.create_ready(**by, op_id=uuid.uuid5(op_id, f"cast {number}"), ready=ready,
                                    player=None if number else owner)
        here.append(editing.id_from(campaign, made.op_id))
    made = npcs.quick(**by, op_id=uuid.uuid5(op_id, "npc"), line=sample.npc)
    here.append(editing.id_from(campaign, made.op_id))
    sessions.open_session(**by, op_id=uuid.uuid5(op_id, "session"))
    sessions.open_scene(
        **by, op_id=uuid.uuid5(op_id, "scene"), title=sample.title, text=sample.text, characters=here)
    obstacles.put(
        **by, op_id=uuid.uuid5(op_id, "obstacle"), name=sample.obstacle.name, values=sample.obstacle.values)
    return campaign
