"""What the whole campaign holds: setting it, and spending it so that no point is spent twice."""
from __future__ import annotations

import json
import uuid
from collections.abc import Iterable

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.models import Character, Pool, Trait
from characters.services import effects as on_sheets
from characters.services.common import POOLS, REASON, text
from play.models import PendingAllocation, PoolTransfer, SharedPool
from rules.codec import canonical
from rules.moves import Outcome, Step
from rules.sheet import Effect, Owe, Purse, Refill, SetDial, Spend, SpendShared, Transfer
from rules.system import PoolKind

trail.declare("shared_pool.set", "A pool is set", POOLS)
trail.declare("shared_pool.refresh", "A pool is filled again", POOLS)
trail.declare("shared_pool.spend", "Points are spent", POOLS)

MOST = 9999


def held(campaign: Campaign, name: str) -> int:
    """What is in a pool of the campaign; what it starts with while nobody touched it."""
    row = SharedPool.objects.filter(campaign=campaign, name=name).first()
    return row.value if row else start_of(campaign, name)


def all_held(campaign: Campaign) -> dict[str, int]:
    """What is in each pool of the campaign."""
    rows = dict(SharedPool.objects.filter(campaign=campaign).values_list("name", "value"))
    return {kind.name: rows[kind.name] if kind.name in rows else start_of(campaign, kind.name)
            for kind in campaign.rules.session.shared_pools}


def start_of(campaign: Campaign, name: str) -> int:
    """What a pool of the campaign holds when it is fresh."""
    played = Character.objects.filter(campaign=campaign, player__isnull=False, retired=False, hidden=False).count()
    return campaign.rules.session.shared_start(kind_of(campaign, name).name, played, campaign.settings)


def kind_of(campaign: Campaign, name: str) -> PoolKind:
    """The pool of this name in the campaign's game; raises `Refused`."""
    for kind in campaign.rules.session.shared_pools:
        if kind.name == name:
            return kind
    raise Refused("This game has no such pool.", "pool")


@trail.answers_once
def set_pool(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, pool: str, value: int, reason: str) -> Entry:
    """The GM sets what a pool of the campaign holds, and says why."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="shared_pool.set") as entry:
        kind = kind_of(entry.campaign, pool)
        now = held(entry.campaign, pool)
        if not 0 <= value <= MOST:
            raise Refused(f"Give a number from 0 to {MOST}.", "value")
        entry.extra["reason"] = text(reason, REASON, "reason", needed="Say why.")
        _put(entry, pool, value)
        entry.title = f"{kind.label}: {value}" if value == now else f"{kind.label}: {now} becomes {value}"
    return entry.written


@trail.answers_once
def refresh(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, pool: str) -> Entry:
    """The GM says that a pool of the campaign is as it is when it is fresh, whatever the game would say."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="shared_pool.refresh") as entry:
        kind, now = kind_of(entry.campaign, pool), held(entry.campaign, pool)
        fresh = start_of(entry.campaign, pool)
        if now == fresh:
            raise Refused(f"{kind.label}: there are {fresh}, which is what a fresh pool has.")
        apply(entry, [Refill(pool)])
        entry.title = f"{kind.label} come back: {now} becomes {fresh}"
        entry.move(None, Outcome({}, (Step(kind.rule, f"{entry.title}. The GM says when."),)))
    return entry.written


@trail.answers_once
def spend(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, pool: str, amount: int = 1, reason: str = ""
) -> Entry:
    """Takes points out of a pool of the campaign; `Refused` where it holds too few. Any player may."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="shared_pool.spend") as entry:
        kind = kind_of(entry.campaign, pool)
        if isinstance(amount, bool) or not 1 <= amount <= MOST:
            raise Refused(f"Give a number from 1 to {MOST}.", "amount")
        if why := text(reason, REASON, "reason"):
            entry.extra["reason"] = why
        apply(entry, [SpendShared(pool, -amount)])
        entry.title = f"{kind.label}: {amount} spent"
    return entry.written


def apply(
    entry: trail.Draft, effects: Iterable[Effect], lines: Iterable[Trait] = (), counts: Iterable[Pool] = ()
) -> None:
    """Applies effects to sheets and to what the campaign holds; `Refused`, with a sentence, where one can't be.

    `lines` and `counts` are rows of sheets that were read under the lock.
    """
    effects = tuple(part for each in effects for part in _parts(entry, each))
    for effect in effects:
        if isinstance(effect, SpendShared):
            # Under the entry's lock on the campaign: what is read here is what is written.
            now, kind = held(entry.campaign, effect.pool), kind_of(entry.campaign, effect.pool)
            if now + effect.by < 0:
                raise Refused(f"{kind.label}: there is not enough, {now} left and {-effect.by} wanted.", "amount")
            if now + effect.by > MOST:
                raise Refused(f"A pool holds {MOST} at most.", "amount")
            _put(entry, effect.pool, now + effect.by)
        elif isinstance(effect, Refill):
            if effect.pool not in {kind.name for kind in entry.campaign.rules.session.shared_pools}:
                continue  # the campaign gave it up while what refills it was going on
            _put(entry, effect.pool, start_of(entry.campaign, effect.pool))
        elif isinstance(effect, SetDial):
            dials = {**json.loads(entry.campaign.dials), effect.dial: effect.value}
            entry.campaign.rules.read_settings(dials)
            entry.change(entry.campaign, dials=canonical(dials))
        elif isinstance(effect, Owe):
            entry.create(PendingAllocation(
                campaign=entry.campaign, character_id=uuid.UUID(effect.sheet), sort=effect.type, amount=effect.amount,
                reason=effect.reason[:300],
            ))
    of_sheets = [each for each in effects if not isinstance(each, (Refill, SetDial, SpendShared, Owe))]
    on_sheets.apply(entry, of_sheets, lines, counts)


def _parts(entry: trail.Draft, effect: Effect) -> tuple[Effect, ...]:
    """A transfer is told as one, in a row of its own, and is done as what it takes and what it gives."""
    if not isinstance(effect, Transfer):
        return (effect,)
    if effect.amount < 1:
        return ()
    source, target = effect.source, effect.target
    entry.create(PoolTransfer(
        campaign=entry.campaign, session_id=entry.campaign.session_id, seq=entry.campaign.head_seq + 1,
        amount=effect.amount, why=effect.why[:400],
        source_pool=source.pool if source else "", source_character_id=_sheet_of(source),
        target_pool=target.pool if target else "", target_character_id=_sheet_of(target),
    ))
    return (*_change(source, -effect.amount), *_change(target, effect.amount))


def _sheet_of(purse: Purse | None) -> uuid.UUID | None:
    return uuid.UUID(purse.sheet) if purse and purse.sheet else None


def _change(purse: Purse | None, by: int) -> tuple[Effect, ...]:
    if purse is None:
        return ()
    return (Spend(purse.sheet, purse.pool, by) if purse.sheet else SpendShared(purse.pool, by),)


def _put(entry: trail.Draft, name: str, value: int) -> None:
    row = SharedPool.objects.filter(campaign=entry.campaign, name=name).first()
    if row:
        entry.change(row, value=value)
    else:
        entry.create(SharedPool(campaign=entry.campaign, name=name, value=value))
