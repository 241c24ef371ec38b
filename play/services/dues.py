"""Placing what is owed: damage where the player likes, recovered ranks where the player likes."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.queries import sheets
from characters.services.common import GROWTH
from play.models import Due
from play.services.pools import apply
from play.services.rolling import Intent, prepare, resolve
from rules.system import Allocates

trail.declare("due.place", "Damage or recovery is placed", GROWTH, trail.Filter("due", "Damage and recovery placed"))


@trail.answers_once
def place(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, due_id: uuid.UUID, spread: Mapping[str, int]
) -> Entry:
    """Spreads what is owed over the lines of a sheet, by trait id. The character's player and the GM may."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="due.place") as entry:
        due = _open(entry, due_id)
        character = due.character
        sheet = sheets(campaign, [due.character_id])[str(due.character_id)]
        apply(entry, allocating(entry.campaign).place(sheet, due.sort, due.amount, spread))
        entry.change(due, settled=True)
        verb = "takes" if due.sort == Due.Sort.DAMAGE else "recovers"
        entry.title = f"{character.name} {verb} {due.amount}: {due.reason}"
    return entry.written


@trail.answers_once
def roll_recovery(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, client_seed: str, due_id: uuid.UUID,
    traits: Sequence[str] = (),
) -> Entry:
    """Makes the recovery roll that is owed, with the lines that bear on healing; what it gives is owed next."""
    rules = allocating(campaign)
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind=rules.recovery) as entry:
        due = _open(entry, due_id)
        character = due.character
        entry.title = f"{character.name} recovers"
        if due.sort != Due.Sort.ROLL:
            raise Refused("There is no roll to make for this.")
        intent = Intent(rules.recovery, character.pk, tuple(traits), what="Recovery")
        prepared = prepare(entry.campaign, intent, hidden=entry.actor.may(Role.GM))
        outcome = resolve(entry, prepared, client_seed)
        entry.about(character.pk)
        names = [trait.name for _, _, trait in prepared.picked]
        entry.move({"given": prepared.given, "who": character.name, "picked": names}, outcome)
        entry.change(due, settled=True)
        sheet = sheets(campaign, [character.pk])[str(character.pk)]
        owed = rules.recovered(sheet, outcome.result)
        if owed is not None:
            entry.create(Due(
                campaign=entry.campaign, character=character, sort=owed.type, amount=owed.amount, reason=owed.reason
            ))
    return entry.written


def allocating(campaign: Campaign) -> Allocates:
    """The rules by which something is placed; raises `Refused` where the game has none."""
    if isinstance(campaign.rules.session, Allocates):
        return campaign.rules.session
    raise Refused("This game has nothing to place.")


def _open(entry: trail.Draft, due_id: uuid.UUID) -> Due:
    """What is owed, under the lock. What is told of a hidden character is for the GM alone."""
    due = Due.objects.select_related("character").filter(campaign=entry.campaign, pk=due_id).first()
    if due is None or not (entry.actor.may(Role.GM) or due.character.player_id == entry.actor.pk):
        raise Refused("This is not yours to place.")
    if due.settled:
        raise Refused("This is settled already.")
    entry.audience = trail.GM if due.character.hidden else trail.ALL
    return due
