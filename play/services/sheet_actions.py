"""What can be done with a sheet at any time, as the game has it: a box ticked, danger raised, something let go."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.cast import NOBODY, Cast, under_lock
from characters.services.common import GROWTH, SHEETS, held_to_edit
from characters.services.growing import moved
from play.services.pools import apply
from rules.moves import Need
from rules.values import Value

trail.declare("deed.", "Something done with a sheet", GROWTH, SHEETS, waits=True)


@trail.answers_once
def act(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, client_seed: str, character_id: uuid.UUID, action: str,
    given: Mapping[str, Value], known: Cast = NOBODY, typed: Sequence[int] = (),
) -> Entry:
    """Does what the game offers for a sheet. Its player and the GM may; some of it only the GM. Raises `BadMove`.

    `known` is what the request has read of the sheet already.
    """
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind=f"deed.{action}") as entry:
        entry.typed(typed)
        system, settings = entry.campaign.rules, entry.campaign.settings
        cast = under_lock(entry, [character_id], known)
        character = held_to_edit(entry, cast.characters.get(str(character_id)))
        sheet = cast.with_provenance(entry.campaign)[str(character.pk)]
        offers = system.sheet.actions(sheet, settings)
        offer = next((offer for offer in offers if offer.action == action), None)
        if offer is None:
            raise Refused("This can’t be done now. Reload the page.")
        if not offer.by and not entry.actor.may(Role.GM):
            raise Refused("Only the GM can do this.")
        faces: list[int] = []
        while isinstance(turn := system.sheet.act(sheet, settings, action, given, tuple(faces)), Need):
            faces += entry.roll(turn.sides, client_seed)
        apply(entry, turn.effects, cast)
        entry.index(character.pk)
        entry.title = turn.outcome.steps[0].text
        if action == system.growth.advance[0] and (grown := moved(system, sheet, turn.effects)):
            entry.extra["reason"] = grown
        entry.move({"who": character.name, "action": action, "given": dict(given)}, turn.outcome)
    return entry.written
