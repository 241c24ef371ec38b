"""What the whole campaign holds: setting it, and spending it so that no point is spent twice."""
from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from functools import cached_property

from django.db.models import QuerySet

from accounts.statements import compiled_once
from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.cast import NOBODY, Cast
from characters.models import IN_STORY, Character
from characters.services import effects as on_sheets
from characters.services.common import POOLS, REASON, text
from play.models import PendingAllocation, PendingModifier, PoolTransfer, SharedPool
from play.services import on_scene
from play.services.follows import InItsPlace
from rules.codec import canonical
from rules.moves import Outcome, Step
from rules.sheet import (
    ChangeSetting,
    Effect,
    NewAllocation,
    Obstruct,
    Purse,
    Refill,
    Spend,
    SpendShared,
    Transfer,
    UseWaiting,
)
from rules.system import PoolKind

trail.declare("shared_pool.set", "A pool is set", POOLS)
trail.declare("shared_pool.refresh", "A pool is filled again", POOLS)
trail.declare("shared_pool.spend", "Points are spent", POOLS)  # in trails of earlier versions

MOST = 9999


def held(campaign: Campaign, name: str) -> int:
    """What is in a pool of the campaign; what it starts with while nobody touched it."""
    row = SharedPool.objects.filter(campaign=campaign, name=name).first()
    return row.value if row else start_of(campaign, name)


def all_held(campaign: Campaign) -> dict[str, int]:
    """What is in each pool of the campaign."""
    return with_fresh(campaign, touched(campaign))


def touched(campaign: Campaign) -> dict[str, int]:
    """What is in the pools of the campaign that somebody has touched."""
    return dict(_held(campaign.pk))


@compiled_once
def _held(campaign: uuid.UUID) -> QuerySet[SharedPool, tuple[str, int]]:
    return SharedPool.objects.filter(campaign=campaign).values_list("name", "value")


def with_fresh(campaign: Campaign, touched: Mapping[str, int]) -> dict[str, int]:
    """What is in each pool of the game; one that nobody touched is fresh."""
    session = campaign.rules.session
    names = [kind.name for kind in session.shared_pools]
    played = _played(campaign) if set(names) - set(touched) else 0
    return {name: touched[name] if name in touched else session.shared_start(name, played, campaign.settings)
            for name in names}


def start_of(campaign: Campaign, name: str) -> int:
    """What a pool of the campaign holds when it is fresh."""
    return campaign.rules.session.shared_start(kind_of(campaign, name).name, _played(campaign), campaign.settings)


def _played(campaign: Campaign) -> int:
    """How many player characters there are; where the game counts people, how many players do."""
    return len(_those_played(campaign.pk, campaign.rules.session.counts_people))


@compiled_once
def _those_played(campaign: uuid.UUID, people: bool) -> QuerySet[Character, uuid.UUID]:
    """The ids of player characters; where people are counted, of the players who have some."""
    played = Character.objects.filter(IN_STORY, campaign=campaign, player__isnull=False, hidden=False)
    if not people:
        return played.values_list("pk", flat=True)
    mine = played.filter(player__role=Role.PLAYER, player__active=True)
    return mine.values_list("player", flat=True).distinct()


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
        entry.extra["reason"] = text(reason, REASON, "reason", needed="Enter a reason.")
        shared = _Shared(entry)
        shared.put(pool, value)
        shared.write()
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


def apply(entry: trail.Draft, effects: Iterable[Effect], cast: Cast = NOBODY) -> None:
    """Applies effects to sheets and to what the campaign holds; `Refused`, with a sentence, where one can't be.

    `cast` is rows of sheets that were read under the lock.
    """
    effects = tuple(effects)
    shared, allocations = _Shared(entry), list[PendingAllocation]()
    entry.create_all(_way(entry, effect) for effect in effects if isinstance(effect, Transfer) and effect.amount > 0)
    of_sheets = []
    for effect in (part for whole in effects for part in _parts(whole)):
        match effect:
            case SpendShared():
                shared.spend(effect.pool, effect.by)
            case Refill():
                shared.refill(effect.pool)
            case ChangeSetting():
                settings = {**json.loads(entry.campaign.settings_json), effect.setting: effect.value}
                entry.campaign.rules.read_settings(settings)
                entry.change(entry.campaign, settings_json=canonical(settings))
            case Obstruct():
                whose = entry.campaign.characters.filter(pk=effect.sheet).first() if effect.sheet else None
                on_scene.put(entry, InItsPlace(effect.name, effect.values, whose, effect.line))
            case UseWaiting():
                given = list(PendingModifier.objects.filter(
                    campaign=entry.campaign, character=uuid.UUID(effect.sheet), used=False))
                entry.trust(*given)
                entry.change_all({modifier: {"used": True} for modifier in given})
            case NewAllocation():
                allocations.append(allocation_of(entry.campaign, effect))
            case _:
                of_sheets.append(effect)
    shared.write()
    entry.create_all(allocations)
    on_sheets.apply(entry, of_sheets, cast)


def allocation_of(campaign: Campaign, proposed: NewAllocation) -> PendingAllocation:
    """The row of something that a player has yet to place."""
    return PendingAllocation(
        campaign=campaign, character_id=uuid.UUID(proposed.sheet), type=proposed.type, amount=proposed.amount,
        reason=proposed.reason[:300],
    )


class _Shared:
    """The campaign's pools while effects change them, under the entry's lock: read once, written once."""

    def __init__(self, entry: trail.Draft) -> None:
        self._entry = entry
        self._becomes: dict[str, int] = {}

    @cached_property
    def _rows(self) -> dict[str, SharedPool]:
        rows = {shared_pool.name: shared_pool
                for shared_pool in SharedPool.objects.filter(campaign=self._entry.campaign)}
        self._entry.trust(*rows.values())
        return rows

    def spend(self, pool: str, by: int) -> None:
        """Puts points in, or takes them out; `Refused` where it holds too few or too many then."""
        campaign, kind = self._entry.campaign, kind_of(self._entry.campaign, pool)
        now = self._becomes[pool] if pool in self._becomes else (
            self._rows[pool].value if pool in self._rows else start_of(campaign, pool))
        if now + by < 0:
            raise Refused(f"{kind.label}: there is not enough, {now} left and {-by} wanted.", "amount")
        if now + by > MOST:
            raise Refused(f"A pool holds {MOST} at most.", "amount")
        self._becomes[pool] = now + by

    def refill(self, pool: str) -> None:
        """Makes it fresh. A pool that the campaign gave up while what refills it was going on stays away."""
        if pool in {kind.name for kind in self._entry.campaign.rules.session.shared_pools}:
            self._becomes[pool] = start_of(self._entry.campaign, pool)

    def put(self, pool: str, value: int) -> None:
        """Sets what it holds."""
        self._becomes[pool] = value

    def write(self) -> None:
        """Writes what has changed."""
        if not self._becomes:
            return
        known = {pool: value for pool, value in self._becomes.items() if pool in self._rows}
        self._entry.change_all({self._rows[pool]: {"value": value} for pool, value in known.items()})
        self._entry.create_all(
            SharedPool(campaign=self._entry.campaign, name=pool, value=value)
            for pool, value in self._becomes.items() if pool not in known)


def _way(entry: trail.Draft, effect: Transfer) -> PoolTransfer:
    """A transfer as it is told: one row, beside what it takes and what it gives."""
    source, target = effect.source, effect.target
    return PoolTransfer(
        campaign=entry.campaign, session_id=entry.campaign.session_id, seq=entry.campaign.head_seq + 1,
        amount=effect.amount, why=effect.why[:400],
        source_pool=source.pool if source else "", source_character_id=_sheet_of(source),
        target_pool=target.pool if target else "", target_character_id=_sheet_of(target),
    )


def _parts(effect: Effect) -> tuple[Effect, ...]:
    """A transfer is done as what it takes and what it gives."""
    if not isinstance(effect, Transfer):
        return (effect,)
    if effect.amount < 1:
        return ()
    return (*_change(effect.source, -effect.amount), *_change(effect.target, effect.amount))


def _sheet_of(purse: Purse | None) -> uuid.UUID | None:
    return uuid.UUID(purse.sheet) if purse and purse.sheet else None


def _change(purse: Purse | None, by: int) -> tuple[Effect, ...]:
    if purse is None:
        return ()
    return (Spend(purse.sheet, purse.pool, by) if purse.sheet else SpendShared(purse.pool, by),)
