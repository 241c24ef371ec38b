"""Placing what is pending: damage where the player likes, recovered ranks where the player likes."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.cast import Cast
from characters.services.common import GROWTH
from play.models import PendingAllocation
from play.services.moves import resolve
from play.services.pools import allocation_of, apply
from rules.allocates import Allocates
from rules.registry import kind_of
from rules.sheet import Sheet, Trait

trail.declare(
    "due.place", "Damage or recovery is assigned", GROWTH, trail.Filter("due", "Damage and recovery assigned"))


@trail.answers_once
def place(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, allocation_id: uuid.UUID, spread: Mapping[str, int]
) -> Entry:
    """Spreads what is pending over the lines of a sheet, by trait id. The character's player and the GM may."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="due.place") as entry:
        allocation = _open(entry, allocation_id)
        character = allocation.character
        cast = Cast.of([character], entry.campaign.head_seq)
        sheet = cast.with_provenance(entry.campaign)[str(allocation.character_id)]
        apply(entry, allocating(entry.campaign).place(sheet, allocation.type, allocation.amount, spread), cast)
        entry.change(allocation, settled=True)
        verb = "takes" if allocation.type == PendingAllocation.Type.DAMAGE else "recovers"
        entry.title = f"{character.name} {verb} {allocation.amount}: {allocation.reason}"
    return entry.written


@trail.answers_once
def roll_recovery(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, client_seed: str, allocation_id: uuid.UUID,
    traits: Sequence[str] = (), typed: Sequence[int] = (),
) -> Entry:
    """Makes a pending recovery roll, with the lines that bear on healing; what it gives is to be placed next."""
    rules = allocating(campaign)
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind=rules.recovery) as entry:
        entry.typed(typed)
        allocation = _open(entry, allocation_id)
        character = allocation.character
        entry.title = f"{character.name} recovers"
        sheet = Cast.of([character], entry.campaign.head_seq).with_provenance(entry.campaign)[str(character.pk)]
        picked = _picked(sheet, traits)
        given = rules.healing(picked)
        outcome = resolve(entry, kind_of(rules.recovery), given, client_seed)
        entry.index(character.pk)
        names = [trait.name for trait in picked]
        entry.move({"given": given, "who": character.name, "picked": names}, outcome)
        entry.change(allocation, settled=True)
        recovery = rules.recovered(sheet, outcome.result)
        if recovery is not None:
            entry.create(allocation_of(entry.campaign, recovery))
    return entry.written


def _picked(sheet: Sheet, wanted: Sequence[str]) -> list[Trait]:
    """The lines of these ids; raises `Refused` for one that is no longer there."""
    lines = [line for line in sheet.traits if line.id in wanted]
    if len(lines) < len(set(wanted)):
        raise Refused("Some of these traits are no longer on the sheet. Reload the page.", "traits")
    return lines


def allocating(campaign: Campaign) -> Allocates:
    """The rules by which something is placed; raises `Refused` where the game has none."""
    if isinstance(campaign.rules.session, Allocates):
        return campaign.rules.session
    raise Refused("This game has nothing to assign.")


def _open(entry: trail.Draft, allocation_id: uuid.UUID) -> PendingAllocation:
    """What is pending, under the lock. What is told of a hidden character is for the GM alone."""
    pending = PendingAllocation.objects.select_related("character").filter(campaign=entry.campaign, pk=allocation_id)
    allocation = pending.prefetch_related("character__traits", "character__pools").first()
    if allocation is None or not (entry.actor.may(Role.GM) or allocation.character.player_id == entry.actor.pk):
        raise Refused("This is not yours to assign.")
    if allocation.settled:
        raise Refused("This is settled already.")
    entry.audience = trail.GM if allocation.character.hidden else trail.ALL
    entry.trust(allocation)
    return allocation
