"""Which tables hold anything that waits in a campaign. Most of the time none does, and then nobody has to read them."""
from __future__ import annotations

import uuid
from collections.abc import Collection
from functools import cache
from itertools import compress
from typing import Any

from django.db.models import Exists, F, Model, OuterRef, QuerySet
from django.db.models.functions import Now

from accounts.statements import compiled_once
from campaigns.access import Viewer
from campaigns.bounded import Bounded
from campaigns.models import Campaign, Entry
from campaigns.sight import SHOWN
from campaigns.trail.declared import found_by
from play.models import (
    AskedRecovery,
    AskedRoll,
    Contest,
    Obstacle,
    PendingAllocation,
    PendingModifier,
    PlanLine,
    SessionPlan,
)
from schedule.models import Evening, Series, State
from schedule.queries import LONGEST

Tables = frozenset[type[Model]]
PENDING: dict[type[Model], QuerySet[Model]] = {
    Contest: Contest.objects.filter(over=False), PendingAllocation: PendingAllocation.objects.filter(settled=False),
    AskedRoll: AskedRoll.objects.filter(rolled=None), AskedRecovery: AskedRecovery.objects.all(),
    PendingModifier: PendingModifier.objects.filter(used=False),
    Obstacle: Obstacle.objects.filter(scene_id=F("campaign__scene_id")),
    Evening: Evening.objects.filter(state__in=(State.PROPOSED, State.FIXED), starts__gt=Now() - LONGEST),
    Series: Series.objects.filter(ended=None),
    PlanLine: PlanLine.objects.filter(type="contest").exclude(spec="").exclude(plan_scene__scene=None),
    SessionPlan: SessionPlan.objects.filter(done=False),
}


@cache
def _tables() -> dict[type[Model], QuerySet[Model]]:
    """Them, and entries of the scene that is on which showed something: what shows is declared by the services."""
    return {**PENDING, Entry: Entry.objects.filter(found_by(SHOWN.name), scene_id=F("campaign__scene_id"))}


KEPT: Bounded[tuple[uuid.UUID, int], Tables] = Bounded(2000)


def waits(viewer: Viewer, table: type[Model]) -> bool:
    """Whether anything waits in this table, for whomever: where not, there is nothing in it to be shown.

    For pages alone: within a transaction the campaign's number says nothing of what is being written.
    """
    return table in waiting_in([viewer.campaign])


def has_dates(viewer: Viewer) -> bool:
    """Whether there may be a date that is not over."""
    return waits(viewer, Evening) or waits(viewer, Series)


def waiting_in(campaigns: Collection[Campaign]) -> Tables:
    """The tables in which something waits in these campaigns; one query, none where it is known for their numbers."""
    type_types = {campaign.pk: KEPT.get((campaign.pk, campaign.head_seq)) for campaign in campaigns}
    if missing := {campaign.pk: campaign.head_seq for campaign in campaigns if type_types[campaign.pk] is None}:
        for pk, *there in _anything(list(missing)):
            type_types[pk] = KEPT.put((pk, missing[pk]), frozenset(compress(_tables(), there)))
    return frozenset().union(*(tables or () for tables in type_types.values()))


@compiled_once
def _anything(campaigns: list[uuid.UUID]) -> QuerySet[Campaign, tuple[Any, ...]]:
    there = (Exists(rows.filter(campaign=OuterRef("pk"))) for rows in _tables().values())
    return Campaign.objects.filter(pk__in=campaigns).values_list("pk", *there)
