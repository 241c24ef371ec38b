"""All contests that are going on in some campaigns, read together: as many queries for many as for one."""
from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import OuterRef, Prefetch, QuerySet, Subquery, prefetch_related_objects

from accounts.statements import compiled_once
from campaigns.models import Campaign, Change
from characters.cast import Cast, lines_of, pools_of
from characters.models import IN_STORY, Character
from play.models import Contest, ContestEvent, Session, SharedPool
from play.services.folds import FOLDS, contained, readable
from play.services.pools import with_fresh
from play.services.position import LAST, MET, Held, Position, campaign_context, in_it, lined_up, procedure_of
from rules.engine import KnowsCampaign, Procedure
from rules.values import BadMove

MOST = 200  # contests that are looked at


@dataclass(frozen=True)
class OpenContest:
    """A contest that goes on, and the number of the entry that changed it last."""

    position: Position
    moved: int


def open_contests(campaigns: Iterable[Campaign]) -> list[OpenContest]:
    """What goes on in these campaigns, what moved longest ago first. What the rules no longer know is left out."""
    held = {campaign.pk: campaign for campaign in campaigns}
    contests = _unfinished(list(held))
    for contest in contests:
        contest.campaign = held[contest.campaign_id]
    states = {contest.pk: FOLDS.kept(contest.last, contest.events) for contest in contests}
    prefetch_related_objects(
        [contest for contest in contests if states[contest.pk] is None],
        Prefetch("log", ContestEvent.objects.order_by("number")),
    )
    for contest in contests:
        if states[contest.pk] is None and (rules := _rules(contest)):
            states[contest.pk] = readable(rules, contest)
    casts = _casts(contests, states)
    positions = [_position(contest, states[contest.pk], casts[contest.pk]) for contest in contests]
    _place(positions, held)
    return [OpenContest(position, position.contest.moved or 0) for position in positions if position]  # type: ignore[attr-defined]


@compiled_once
def _unfinished(campaigns: list[uuid.UUID]) -> QuerySet[Any]:
    moved = Change.objects.filter(campaign=OuterRef("campaign"), object_id=OuterRef("pk"), field="").order_by("-seq")
    unfinished = Contest.objects.filter(campaign__pk__in=campaigns, over=False).select_related("scene").annotate(
        last=Subquery(LAST.values("pk")[:1]), moved=Subquery(moved.values("seq")[:1]))
    return unfinished.order_by("moved", "pk")[:MOST]


def _rules(contest: Contest) -> Procedure[Any] | None:
    """What it goes by; None where the game no longer has it."""
    try:
        return procedure_of(contest.campaign, contest.kind)
    except BadMove:
        return None


def _position(contest: Contest, state: object, cast: Cast) -> Position | None:
    rules = _rules(contest)
    return Position(contest, rules, state, cast, contest.campaign.head_seq) if rules else None


def _casts(contests: Sequence[Contest], states: Mapping[uuid.UUID, object]) -> dict[uuid.UUID, Cast]:
    """Who is in each: of the setup, and who else is in the scene where they may do something in it."""
    scenes = {scene for contest in contests for scene in _near(contest)}
    here: dict[uuid.UUID, list[str]] = defaultdict(list)
    near = Character.objects.filter(MET, presences__scene__in=scenes, retired=False)
    for scene, who in near.values_list("presences__scene", "pk"):
        here[scene].append(str(who))
    of_setup = {contest.pk: _ids(contest, states[contest.pk]) for contest in contests}
    beside = {contest.pk: [who for scene in _near(contest) for who in here[scene]] for contest in contests}
    if open_ := [contest for contest in contests if _is_open(contest)]:
        played = Character.objects.filter(
            IN_STORY, campaign__in={contest.campaign_id for contest in open_}, player__isnull=False, hidden=False)
        of = played.values_list("campaign_id", "pk")
        for contest in open_:
            beside[contest.pk] += [str(pk) for campaign, pk in of if campaign == contest.campaign_id]
    named = {pk: [*ids, *beside[pk]] for pk, ids in of_setup.items()}
    rows = _people([uuid.UUID(pk) for pk in dict.fromkeys(pk for ids in named.values() for pk in ids)])
    characters = {str(row.pk): row for row in rows}
    traits, pools = defaultdict(list), defaultdict(list)
    for line in lines_of([row.pk for row in rows]):
        traits[str(line.character_id)].append(line)
    for pool in pools_of([row.pk for row in rows]):
        pools[str(pool.character_id)].append(pool)
    return {
        pk: Cast(lined_up(of_setup[pk], {who: characters[who] for who in ids if who in characters}), traits, pools)
        for pk, ids in named.items()
    }


@compiled_once
def _people(ids: list[uuid.UUID]) -> QuerySet[Character]:
    return Character.objects.filter(pk__in=ids).defer("story").select_related("player__user")


def _is_open(contest: Contest) -> bool:
    """Whether whoever is played is in it, though they came later."""
    procedures = contest.campaign.rules.procedures
    return any(procedure.casting.open for procedure in procedures if procedure.name == contest.kind)


def _ids(contest: Contest, folded: object) -> list[str]:
    """The ids of a contest's characters; none where its rules are not known."""
    rules = _rules(contest)
    return contained(contest, lambda: in_it(rules, contest, folded), []) if rules else []


def _near(contest: Contest) -> list[uuid.UUID]:
    """The scenes whose people may do something in it: where it began, and where it may go on."""
    rules = _rules(contest)
    if rules is None or not rules.casting.bystanders:
        return []
    scenes = (contest.scene_id, contest.campaign.scene_id if rules.casting.onward else None)
    return list(dict.fromkeys(scene for scene in scenes if scene))


def _place(positions: Sequence[Position | None], campaigns: Mapping[uuid.UUID, Campaign]) -> None:
    """Puts each into what its campaign holds, where its rules look at that."""
    asking = [position for position in positions if position and isinstance(position.procedure, KnowsCampaign)]
    if not asking:
        return
    wanted = {position.contest.campaign_id for position in asking}
    pools: dict[uuid.UUID, dict[str, int]] = defaultdict(dict)
    for pk, name, value in SharedPool.objects.filter(campaign__in=wanted).values_list(
            "campaign_id", "name", "value"):
        pools[pk][name] = value
    between = [pk for pk in wanted if not campaigns[pk].session_id]
    latest = dict(Session.objects.filter(campaign__in=between).order_by("number").values_list("campaign_id", "pk"))
    held = {
        pk: Held(tuple(with_fresh(campaigns[pk], pools[pk]).items()),
                 str(campaigns[pk].session_id or latest.get(pk) or ""))
        for pk in wanted
    }
    for position in asking:
        around = held[position.contest.campaign_id]
        position.known = campaign_context(position.contest, position.procedure, around)
