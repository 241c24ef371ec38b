"""Which tables hold anything that waits in a campaign. Most of the time none does, and then nobody has to read them."""
from __future__ import annotations

import uuid
from collections.abc import Collection
from itertools import compress
from typing import Any

from django.db.models import Exists, F, Model, OuterRef, QuerySet

from campaigns.access import Viewer
from campaigns.bounded import Bounded
from campaigns.models import Campaign
from campaigns.statements import compiled_once
from play.models import AskedRoll, Contest, Obstacle, PendingAllocation, PendingModifier, PlanLine

Tables = frozenset[type[Model]]
PENDING: dict[type[Model], QuerySet[Model]] = {
    Contest: Contest.objects.filter(over=False), PendingAllocation: PendingAllocation.objects.filter(settled=False),
    AskedRoll: AskedRoll.objects.filter(rolled=None), PendingModifier: PendingModifier.objects.filter(used=False),
    Obstacle: Obstacle.objects.filter(scene_id=F("campaign__scene_id")),
    PlanLine: PlanLine.objects.filter(type="contest").exclude(spec="").exclude(plan_scene__scene=None),
}
KEPT: Bounded[tuple[uuid.UUID, int], Tables] = Bounded(2000)


def waits(viewer: Viewer, table: type[Model]) -> bool:
    """Whether anything waits in this table, for whomever: where not, there is nothing in it to be shown.

    For pages alone: within a transaction the campaign's number says nothing of what is being written.
    """
    return table in waiting_in([viewer.campaign])


def waiting_in(campaigns: Collection[Campaign]) -> Tables:
    """The tables in which something waits in these campaigns; one query, none where it is known for their numbers."""
    found = {each.pk: KEPT.get((each.pk, each.head_seq)) for each in campaigns}
    if missing := {each.pk: each.head_seq for each in campaigns if found[each.pk] is None}:
        for pk, *there in _anything(list(missing)):
            found[pk] = KEPT.put((pk, missing[pk]), frozenset(compress(PENDING, there)))
    return frozenset().union(*(tables or () for tables in found.values()))


@compiled_once
def _anything(campaigns: list[uuid.UUID]) -> QuerySet[Campaign, tuple[Any, ...]]:
    there = (Exists(rows.filter(campaign=OuterRef("pk"))) for rows in PENDING.values())
    return Campaign.objects.filter(pk__in=campaigns).values_list("pk", *there)
