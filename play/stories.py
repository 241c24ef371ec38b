"""The contests of some scenes as the Chronicle tells them: what came of each, in sentences."""
from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery, Value, prefetch_related_objects
from django.db.models.functions import Coalesce

from campaigns.access import Viewer
from campaigns.models import Change
from play.models import Afterword, Contest, ContestEvent, Session
from play.services.folds import FOLDS, contained, fold
from play.services.position import LAST
from rules.came import Came, TellsOfOne
from rules.engine import Procedure

# The entry that a contest began with.
FIRST = Change.objects.filter(campaign=OuterRef("campaign"), object_id=OuterRef("pk"), field="").order_by("seq")
SAID = Afterword.objects.filter(contest=OuterRef("pk"))
MOST = 200  # contests that are told on a page
UNTOLD = ("This contest can’t be shown.",)
CALLED_OFF = ("The GM called it off.",)


@dataclass(frozen=True)
class Story:
    """A contest and its sentences, the outcome first; none while it goes on."""

    contest: Contest
    lines: tuple[str, ...]
    one: tuple[str, Came] | None = None  # of a roll by one: who, and what came of it

    @property
    def afterword(self) -> str:
        """What the GM says came of it, "" for nothing."""
        return str(getattr(self.contest, "afterword", ""))


def stories(viewer: Viewer, sessions: Iterable[Session]) -> dict[uuid.UUID, tuple[Story, ...]]:
    """What came of the contests of these sessions' scenes, by scene, in their order. Two queries, or one."""
    kinds = {(viewer.campaign.pk, procedure.name): procedure for procedure in viewer.campaign.rules.procedures}
    contests = Contest.objects.filter(
        campaign=viewer.campaign, over=True, scene__session__in=[session.pk for session in sessions])
    by_scene: dict[uuid.UUID, list[Story]] = defaultdict(list)
    for story in reversed(told(contests.annotate(came=Subquery(FIRST.values("seq")[:1])).order_by("-came"), kinds)):
        if story.contest.scene_id and story.lines:
            by_scene[story.contest.scene_id].append(story)  # in the order of play
    return {scene: tuple(those) for scene, those in by_scene.items()}


def told(contests: QuerySet[Contest], kinds: Mapping[tuple[uuid.UUID, str], Procedure[Any]]) -> list[Story]:
    """These contests with what came of each, () while it goes on; `kinds` by campaign and name. Two queries, or one."""
    wanted = contests.filter(kind__in={name for _, name in kinds}).annotate(
        last=Subquery(LAST.values("pk")[:1]), afterword=Coalesce(Subquery(SAID.values("words")[:1]), Value("")))
    contests_told = [contest for contest in wanted[:MOST] if (contest.campaign_id, contest.kind) in kinds]
    states = {contest.pk: FOLDS.kept(contest.last, contest.events) for contest in contests_told if contest.over}
    prefetch_related_objects([contest for contest in contests_told if contest.over and states[contest.pk] is None],
                             Prefetch("log", ContestEvent.objects.order_by("number")))
    return [
        contained(contest, partial(_told, kinds[contest.campaign_id, contest.kind], contest, states[contest.pk]),
                  Story(contest, UNTOLD))
        if contest.over else Story(contest, ()) for contest in contests_told]


def _told(kind: Procedure[Any], contest: Contest, state: Any) -> Story:
    state = state or fold(kind, contest)
    if not kind.is_settled(state):
        return Story(contest, CALLED_OFF)
    return Story(contest, kind.story(state), kind.came(state) if isinstance(kind, TellsOfOne) else None)
