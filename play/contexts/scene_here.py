"""The scene as the table shows it to one viewer: who and what is in it, what can be done, and what is waited for."""
from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from campaigns.access import Viewer
from campaigns.linking import links
from campaigns.web import ActionForm
from characters.contexts import Castings, castings
from characters.models import Character
from play import matrix, planned, queries
from play.contexts.asked_rolls import AskedRow, asked_rows
from play.contexts.contest_named import ContestContext, contest_context
from play.contexts.evening import last_scene
from play.contexts.first_session import FirstSession, first_session
from play.contexts.obstacles import ObstacleChips, ObstacleRow, obstacle_chips, obstacle_rows
from play.contexts.pending import (
    PendingAllocationRow,
    PendingModifierRow,
    pending_allocations,
    pending_modifiers,
)
from play.contexts.people_here import PersonHere, people_here
from play.contexts.plan import PlanHere, plan_here
from play.contexts.scene_menu import SceneMenu, scene_menu
from play.contexts.sessions import SceneContext, SessionContext, scene_context, session_context
from play.contexts.shared_pools import Holding, shared
from play.handouts import Handout, handout
from play.models import Contest, Session
from play.planned import PlannedContest
from play.waiting import waits
from rules.engine import Procedure

MOST_PREPARED = 12  # chips of what is prepared: more is a list to search, not a tap


@dataclass(frozen=True)
class SceneHere:
    """The scene that is on, or what stands in its place; what there is none of is None or empty."""

    viewer: Viewer
    newcomer: bool  # whether the viewer plays here and has nobody to play yet
    first: FirstSession | None
    castings: Castings | None
    scene: SceneContext | None
    session: SessionContext | None
    last_scene: SceneContext | None
    last_session: SessionContext | None
    present: tuple[PersonHere, ...]
    links: Mapping[str, str]
    menu: SceneMenu
    pending_modifiers: tuple[PendingModifierRow, ...]
    pending_allocations: tuple[PendingAllocationRow, ...]
    contests: list[ContestContext]  # those that everybody is in: they have a page of their own
    left_open: list[ContestContext]
    shared: list[Holding]
    obstacles: tuple[ObstacleRow, ...]
    chips: ObstacleChips | None
    asked: list[AskedRow]
    requests: list[AskedRow]  # asked of the GM, who has yet to say how hard it is
    ready: tuple[PlannedContest, ...]
    plan_here: PlanHere | None
    handout: Handout | None
    begins_with: list[tuple[Procedure[Any], list[str]]]
    button_form: Callable[[], ActionForm]


def scene_here(viewer: Viewer) -> SceneHere:
    """The scene that is on, who and what is in it, and what can be begun."""
    present, going_on = queries.present(viewer), queries.contests(viewer) if waits(viewer, Contest) else []
    on = queries.scene(viewer)
    within = on.session if on and on.session_id == viewer.campaign.session_id else queries.session(viewer)
    over = None if within else Session.objects.filter(campaign=viewer.campaign).order_by("-number").first()
    scene, session = scene_context(on), session_context(within)
    newcomer, asked = queries.newcomer(viewer), asked_rows(viewer, queries.asked_rolls(viewer))
    startable, apart = _kinds(viewer, [] if newcomer else queries.startable(viewer, going_on))
    first, shown = first_session(viewer, within), handout(viewer)
    return SceneHere(
        viewer=viewer, newcomer=newcomer, first=first, castings=castings(viewer) if newcomer or first else None,
        scene=scene, session=session, last_scene=last_scene(viewer, within), last_session=session_context(over),
        present=people_here(viewer, present, queries.faces(viewer)),
        links=links(viewer, scene.text if scene else viewer.campaign.pitch, shown.card.whole if shown else ""),
        menu=scene_menu(viewer, startable, scene=bool(scene), session=bool(session), hurt=queries.anybody_hurt(viewer)),
        pending_modifiers=pending_modifiers(viewer.campaign, queries.pending_modifiers(viewer)),
        pending_allocations=pending_allocations(queries.pending_allocations(viewer)),
        contests=[contest_context(contest) for contest in going_on if contest.kind in apart],
        left_open=[contest_context(contest) for contest in queries.left_open(viewer)],
        shared=shared(viewer), obstacles=obstacle_rows(viewer, queries.obstacles(viewer)),
        chips=_chips(viewer, present), asked=[row for row in asked if not row.open],
        requests=[row for row in asked if row.open], ready=planned.ready(viewer), plan_here=plan_here(viewer),
        handout=shown, begins_with=queries.begins_with(viewer, startable), button_form=button_form)


def _kinds(viewer: Viewer, startable: list[Procedure[Any]]) -> tuple[list[Procedure[Any]], set[str]]:
    """What can be begun, without what always goes on and has its place in the menu; and the names of what everybody is
    in, which has a page of its own: other contests stand on the table."""
    procedures = viewer.campaign.rules.procedures
    always = {procedure.name for procedure in procedures if procedure.placement.always}
    everyones = {procedure.name for procedure in procedures if procedure.casting.who == "everyone"}
    return [procedure for procedure in startable if procedure.name not in always], everyones - always


def _chips(viewer: Viewer, present: list[Character]) -> ObstacleChips | None:
    """What the GM can put in the way with one tap."""
    if not (viewer.runs and viewer.campaign.scene_id and viewer.campaign.rules.rolls.obstacle):
        return None
    return obstacle_chips(viewer, present, matrix.of_library(viewer, most=MOST_PREPARED)[:MOST_PREPARED])


def button_form() -> ActionForm:
    """The form of a button that stands in the story or the scene; its operation is its own."""
    return ActionForm(auto_id=False)
