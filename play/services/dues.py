"""Placing what is owed: damage where the player likes, recovered ranks where the player likes."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.models import Character
from characters.queries import sheets
from play.models import Due
from play.services.pools import apply
from play.services.rolling import Intent, prepare, resolve


@trail.answers_once
def place(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, due_id: uuid.UUID, spread: Mapping[str, int]
) -> Entry:
    """Spreads what is owed over the lines of a sheet, by trait id. The character's player and the GM may."""
    character = _character(campaign, actor, due_id)
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, kind="due.place", title="", audience=_audience(character)
    ) as entry:
        due = _open(entry, due_id)
        sheet = sheets(campaign, [due.character_id])[str(due.character_id)]
        apply(entry, entry.campaign.rules.place(sheet, due.sort, due.amount, spread))
        entry.change(due, settled=True)
        verb = "takes" if due.sort == Due.Sort.DAMAGE else "recovers"
        entry.title = f"{character.name} {verb} {due.amount}: {due.reason}"
    return entry.written


@trail.answers_once
def roll_recovery(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, share: str, due_id: uuid.UUID, traits: Sequence[str] = ()
) -> Entry:
    """Makes the recovery roll that is owed, with the lines that bear on healing; what it gives is owed next."""
    character = _character(campaign, actor, due_id)
    system = campaign.rules
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, kind=system.recovery, title=f"{character.name} recovers",
        audience=_audience(character),
    ) as entry:
        due = _open(entry, due_id)
        if due.sort != Due.Sort.ROLL:
            raise Refused("There is no roll to make for this.")
        intent = Intent(system.recovery, character.pk, tuple(traits), what="Recovery")
        prepared = prepare(entry.campaign, intent, hidden=actor.may(Role.GM))
        outcome = resolve(entry, prepared, share)
        entry.about(character.pk)
        names = [trait.name for _, _, trait in prepared.picked]
        entry.move({"given": prepared.given, "who": character.name, "picked": names}, outcome)
        entry.change(due, settled=True)
        sheet = sheets(campaign, [character.pk])[str(character.pk)]
        owed = system.recovered(sheet, outcome.result)
        if owed is not None:
            entry.create(Due(
                campaign=entry.campaign, character=character, sort=owed.sort, amount=owed.amount, reason=owed.reason
            ))
    return entry.written


def _open(entry: trail.Draft, due_id: uuid.UUID) -> Due:
    due = entry.fresh(Due, pk=due_id)
    if due.settled:
        raise Refused("This is settled already.")
    return due


def _character(campaign: Campaign, actor: Member, due_id: uuid.UUID) -> Character:
    due = Due.objects.select_related("character").filter(campaign=campaign, pk=due_id).first()
    if due is None or not (actor.may(Role.GM) or due.character.player_id == actor.pk):
        raise Refused("This is not yours to place.")
    return due.character


def _audience(character: Character) -> str:
    return trail.GM if character.hidden else trail.ALL
