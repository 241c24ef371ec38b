"""The contests of some scenes as the Chronicle tells them: what came of each, in sentences."""
from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import Prefetch, Subquery, prefetch_related_objects

from campaigns.access import Viewer
from play.models import Contest, ContestEvent, Session
from play.services.contained import contained
from play.services.folds import FOLDS, fold
from play.services.position import LAST
from rules.engine import Procedure

MOST = 200  # contests that are told on a page
UNTOLD = ("This contest can’t be shown.",)
CALLED_OFF = ("The GM called it off.",)


@dataclass(frozen=True)
class Story:
    """A contest that is over, and its sentences, the outcome first."""

    contest: Contest
    lines: tuple[str, ...]


def stories(viewer: Viewer, sessions: Iterable[Session]) -> dict[uuid.UUID, tuple[Story, ...]]:
    """What came of the contests of these sessions' scenes, by scene, in their order. Two queries, or one."""
    kinds = {each.name: each for each in viewer.campaign.rules.procedures}
    found = list(Contest.objects.filter(
        campaign=viewer.campaign, over=True, scene__session__in=[each.pk for each in sessions], kind__in=kinds,
    ).annotate(last=Subquery(LAST.values("pk")[:1])).order_by("-scene__opened", "title", "pk")[:MOST])
    states = {each.pk: FOLDS.kept(each.last, each.events) for each in found}
    prefetch_related_objects([each for each in found if states[each.pk] is None],
                             Prefetch("log", ContestEvent.objects.order_by("number")))
    by_scene: dict[uuid.UUID, list[Story]] = defaultdict(list)
    for each in found:
        lines = contained(each, partial(_told, kinds[each.kind], each, states[each.pk]), UNTOLD)
        if each.scene_id and lines:
            by_scene[each.scene_id].append(Story(each, lines))
    return {scene: tuple(those) for scene, those in by_scene.items()}


def _told(kind: Procedure[Any], contest: Contest, state: Any) -> tuple[str, ...]:
    state = state or fold(kind, contest)
    return kind.story(state) if kind.is_over(state) else CALLED_OFF
