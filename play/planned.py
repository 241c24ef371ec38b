"""Contests that a plan holds ready: which kind, and what their start form opens with on the night."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q

from campaigns.access import Viewer
from campaigns.models import View
from characters.models import IN_STORY, Character
from play import queries
from play.models import PlanLine, PlanScene, Presence
from play.services import plan as services
from play.waiting import waits
from rules.codec import read
from rules.engine import Procedure
from rules.wording import join

SIDE = ":side"  # what follows a character's id in the name of its side


@dataclass(frozen=True)
class PlannedContest:
    """A contest of the plan. `said` is what its start form holds, by field; a character's under its id.

    `words` say in a line which kind it is and who is in it; `begun`: it is there already.
    """

    id: uuid.UUID
    title: str
    slug: str
    kind: str
    said: Mapping[str, Any]
    words: str = ""
    begun: bool = False

    @property
    def sides(self) -> tuple[tuple[str, ...], ...]:
        """The ids of those who take part, by side; of one who is alone in it, and of who is in it with them."""
        if "who" in self.said:
            return ((str(self.said["who"]),), (str(self.said.get("beside") or ""),))
        on_side: dict[str, list[str]] = {}
        for name, side in self.said.items():
            if name.endswith(SIDE) and side:
                on_side.setdefault(str(side), []).append(name.removesuffix(SIDE))
        return tuple(tuple(on_side[side]) for side in sorted(on_side, key=("one", "two", "three").index))


def kinds(viewer: Viewer) -> list[Procedure[Any]]:
    """What can be prepared: what a GM starts with people of a scene, under the campaign's settings."""
    return [
        procedure for procedure in viewer.campaign.rules.procedures
        if procedure.placement.offered and procedure.casting.who != "everyone"
        and procedure.allowed_by(viewer.campaign.settings)
    ]


def contest_of(viewer: Viewer, line: PlanLine) -> PlannedContest | None:
    """The contest that a line holds ready; None for one that is only expected, or of a kind that is switched off."""
    if line.type != services.CONTEST or not line.spec:
        return None
    held = read(line.spec)
    kind = next((kind for kind in kinds(viewer) if kind.name == held["kind"]), None)
    return PlannedContest(line.pk, line.words, kind.slug, kind.name, held["said"], kind.title) if kind else None


def one(viewer: Viewer, line_id: str) -> PlannedContest | None:
    """The contest that the line of this id holds ready; None for no such line, and for a player."""
    try:
        line = PlanLine.objects.filter(campaign=viewer.campaign, pk=uuid.UUID(line_id)).first()
    except ValueError:
        return None
    return contest_of(viewer, line) if line and viewer.runs else None


def contests_of(viewer: Viewer, lines: Iterable[PlanLine]) -> dict[uuid.UUID, PlannedContest]:
    """The contests that these lines hold ready, by line, each with its words: two queries where there are any."""
    lines = list(lines)
    contests = [contest for contest in (contest_of(viewer, line) for line in lines) if contest]
    if not contests:
        return {}
    ids = {pk for contest in contests for side in contest.sides for pk in side if pk}
    known = Character.objects.filter(campaign=viewer.campaign, pk__in=ids).values_list("pk", "name")
    names = {str(pk): name for pk, name in known}
    begun = services.begun(viewer.campaign, lines)
    return {contest.id: replace(contest, words=_words(contest, names), begun=contest.id in begun)
            for contest in contests}


def ready(viewer: Viewer) -> tuple[PlannedContest, ...]:
    """What the plan holds ready for the scene that is on and was not begun; nothing for a player."""
    if not (viewer.runs and viewer.campaign.scene_id and waits(viewer, PlanLine)):
        return ()
    lines = PlanLine.objects.filter(
        campaign=viewer.campaign, type=services.CONTEST, plan_scene__scene=viewer.campaign.scene_id)
    contests = contests_of(viewer, lines.exclude(spec="").select_related("plan_scene").order_by("words", "pk"))
    return tuple(contest for contest in contests.values() if not contest.begun)


def people_of(viewer: Viewer, scene: PlanScene | None, held: PlannedContest | None) -> list[Character]:
    """Who can be put into a contest of a planned scene: all player characters and the people of the scene, but the
    dead, and whoever is in it already; of no scene, also whoever is in the one that is on."""
    lines = PlanLine.objects.filter(campaign=viewer.campaign, plan_scene=scene, type=services.PERSON)
    here = Presence.objects.filter(scene=viewer.campaign.scene_id)
    there = Q(npc=False, hidden=False) | Q(pk__in=lines.values("thing_id") if scene else here.values("character_id"))
    there = there & IN_STORY | Q(pk__in=[pk for side in held.sides for pk in side if pk] if held else [])
    return list(queries.known(viewer).filter(there).order_by("npc", "name", "pk")[:200])


def missing(planned: PlannedContest, present: Iterable[Character]) -> bool:
    """Whether there is something left to say: somebody of it is not here or hidden, or a player's character came."""
    here = {str(character.pk): character for character in present}
    wanted = {pk for side in planned.sides for pk in side if pk}
    came = any(not character.npc and pk + SIDE not in planned.said for pk, character in here.items())
    return not all(pk in here and here[pk].view is not View.NOTHING for pk in wanted) or (
        came and "who" not in planned.said)


def _words(planned: PlannedContest, names: Mapping[str, str]) -> str:
    sides = [join(sorted(names[pk] for pk in side if pk in names), "") for side in planned.sides]
    between = " with " if "who" in planned.said else " against "
    return ": ".join(filter(None, (planned.words, between.join(filter(None, sides)))))
