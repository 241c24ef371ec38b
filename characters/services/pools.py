"""What a character holds, earns and spends, and what it buys with it."""
from __future__ import annotations

import uuid

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.services.common import GROWTH, NAME, POOLS, REASON, SHEETS, locked, text
from characters.services.effects import apply
from characters.services.growing import moved
from rules.sheet import Spend
from rules.system import PoolKind
from rules.values import BadMove

trail.declare("character.award", "Points are awarded", POOLS, SHEETS)
trail.declare("character.spend", "Points are spent", POOLS, SHEETS)
trail.declare("character.grow", "Growth", GROWTH, SHEETS)

MOST_AT_ONCE = 100


@trail.answers_once
def award(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, pool: str, amount: int,
    reason: str,
) -> Entry:
    """The GM puts points into a character's pool, and says what for."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="character.award") as entry:
        character = locked(entry, character_id)
        kind = _kind(campaign, pool)
        _sensible(amount)
        entry.extra["reason"] = text(reason, REASON, "reason", needed="Enter a reason.")
        apply(entry, [Spend(str(character.pk), pool, amount)])
        entry.title = f"{character.name} earns {amount} {kind.label.lower()}"
    return entry.written


@trail.answers_once
def spend(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, pool: str, amount: int,
    reason: str = "",
) -> Entry:
    """Takes points out of a character's pool; `Refused` where it holds too few."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="character.spend") as entry:
        character = locked(entry, character_id)
        kind = _kind(campaign, pool)
        _sensible(amount)
        if why := text(reason, REASON, "reason"):
            entry.extra["reason"] = why
        apply(entry, [Spend(str(character.pk), pool, -amount)])
        entry.title = f"{character.name} spends {amount} {kind.label.lower()}"
    return entry.written


@trail.answers_once
def grow(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, choice: str, name: str = "",
    words: str = "",
) -> Entry:
    """Buys what the game's growth offers (PQ-19): its cost leaves the pool in the entry that raises the line."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="character.grow") as entry:
        character = locked(entry, character_id)
        rules, settings, sheet = campaign.rules, entry.campaign.settings, character.sheet()
        growth = next((purchase
                       for purchase in rules.growth.purchases(sheet, settings) if purchase.choice == choice), None)
        if growth is None:
            raise Refused("This can’t be bought now. Choose one of the others.", "choice")
        called = text(name, NAME, "name", needed="Give it a name." if growth.asks_name else "")
        given = {"words": text(words, REASON, "words")} if growth.asks else {}
        effects = tuple(rules.growth.buy(sheet, growth, called, settings, **given))
        apply(entry, effects)
        entry.extra["reason"] = moved(rules, sheet, effects)
        entry.index(*([growth.trait] if growth.trait else []))
        entry.title = f"{character.name} grows: {growth.label}{f', {called}' if growth.asks_name else ''}"
    return entry.written


def awarded(campaign: Campaign) -> tuple[PoolKind, ...]:
    """The pools that people give points to: those that stand on a sheet, or all where none does."""
    kinds = campaign.rules.sheet.pools
    return tuple(kind for kind in kinds if kind.sheets != "none") or tuple(kinds)


def _kind(campaign: Campaign, pool: str) -> PoolKind:
    for kind in campaign.rules.sheet.pools:
        if kind.name == pool:
            return kind
    raise BadMove("Choose one of the pools that this game has.", "pool")


def _sensible(amount: int) -> None:
    if isinstance(amount, bool) or not 1 <= amount <= MOST_AT_ONCE:
        raise Refused(f"Enter a number from 1 to {MOST_AT_ONCE}.", "amount")
