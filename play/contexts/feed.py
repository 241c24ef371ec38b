"""What changes at the table while one looks on: the scene with all that stands in it, and the story."""
from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from campaigns.access import Viewer
from campaigns.linking import links
from campaigns.trail import queries as trail
from campaigns.web import ActionForm
from characters.contexts import castings
from characters.models import Character
from play import matrix, planned, queries
from play.contexts.contest_page import NotDone
from play.contexts.contests_here import contests_here
from play.contexts.evening import last_scene
from play.contexts.first_session import first_session
from play.contexts.plan import plan_here
from play.contexts.scene_menu import scene_menu
from play.contexts.story import joins_a_card, story_cards
from play.contexts.table import (
    ObstacleChips,
    asked_rows,
    contest_context,
    obstacle_chips,
    obstacle_rows,
    pending_allocations,
    pending_modifiers,
    people_here,
    scene_context,
    session_context,
)
from play.handouts import handout, shows
from play.models import Contest, Session
from play.waiting import has_dates, waits
from schedule.contexts import next_dates

RECENT = 12
DATES = {"date", "date_answer", "date_series"}  # what the next dates follow from
BESIDE_THE_SCENE = {"contest_event", "line_used", *DATES}  # what moves none of the scene
MOST_PREPARED = 12  # chips of what is prepared: more is a list to search, not a tap


def story_parts(viewer: Viewer) -> dict[str, Any]:
    """The newest entries of the story."""
    page = trail.page(viewer, size=RECENT, story_only=True, before=viewer.campaign.head_seq + 1)
    return {"story": story_cards(viewer, page.entries), "older": page.older, **_buttons()}


def _buttons() -> dict[str, Any]:
    """The form of a button that stands in the story or the scene."""
    return {"button_form": lambda: ActionForm(auto_id=False)}


def scene_parts(viewer: Viewer) -> dict[str, Any]:
    """The scene that is on, who and what is in it, and what can be begun."""
    present, going_on = queries.present(viewer), queries.contests(viewer) if waits(viewer, Contest) else []
    on = queries.scene(viewer)
    within = on.session if on and on.session_id == viewer.campaign.session_id else queries.session(viewer)
    over = None if within else Session.objects.filter(campaign=viewer.campaign).order_by("-number").first()
    scene, session = scene_context(on), session_context(within)
    newcomer, asked = queries.newcomer(viewer), asked_rows(viewer, queries.asked_rolls(viewer))
    startable = [] if newcomer else queries.startable(viewer, going_on)
    # What goes on always has its place in the menu.
    always = {procedure.name for procedure in viewer.campaign.rules.procedures if procedure.placement.always}
    startable = [procedure for procedure in startable if procedure.name not in always]
    # What everybody is in has a page of its own; other contests stand on the table.
    apart = {each.name for each in viewer.campaign.rules.procedures if each.casting.who == "everyone"} - always
    shown = handout(viewer)
    return {
        "newcomer": newcomer, "first": (first := first_session(viewer, within)),
        "castings": castings(viewer) if newcomer or first else None,
        "viewer": viewer, "scene": scene, "session": session,
        "last_scene": last_scene(viewer, within), "last_session": session_context(over),
        "present": people_here(viewer, present, queries.faces(viewer)),
        "links": links(viewer, scene.text if scene else viewer.campaign.pitch, shown.card.whole if shown else ""),
        "menu": scene_menu(viewer, startable, scene=bool(scene), session=bool(session),
                           hurt=queries.anybody_hurt(viewer)),
        "pending_modifiers": pending_modifiers(queries.pending_modifiers(viewer)),
        "pending_allocations": pending_allocations(queries.pending_allocations(viewer)),
        "contests": [contest_context(contest) for contest in going_on if contest.kind in apart],
        "left_open": [contest_context(contest) for contest in queries.left_open(viewer)],
        "shared": queries.shared(viewer), "obstacles": obstacle_rows(viewer, queries.obstacles(viewer)),
        "chips": _chips(viewer, present), "asked": [row for row in asked if not row.open],
        "requests": [row for row in asked if row.open],
        "ready": planned.ready(viewer), "plan_here": plan_here(viewer), "handout": shown,
        "begins_with": queries.begins_with(viewer, startable), **_buttons(),
    }


def _chips(viewer: Viewer, present: list[Character]) -> ObstacleChips | None:
    """What the GM can put in the way with one tap."""
    if not (viewer.runs and viewer.campaign.scene_id and viewer.campaign.rules.rolls.obstacle):
        return None
    return obstacle_chips(viewer, present, matrix.of_library(viewer, most=MOST_PREPARED)[:MOST_PREPARED])


def news(
    request: HttpRequest, viewer: Viewer, seq: int | None, refused: NotDone | None = None
) -> dict[str, Any]:
    """What is new since an entry, for a page that stands open; all of it where that is not known.

    `again`: rows that the page has are no longer as they were, or too much is new: it gets the list as a whole.
    `moved`: something in the scene may be another: it comes along. So do the contests, whatever was changed, and where
    something was `refused` in one of them.
    """
    since = None if seq is None else trail.arrived(viewer, seq, most=RECENT)
    again = since is None or since.recast or any(joins_a_card(entry) for entry in since.story)
    moved = since is None or since.unsaid or any(shows(entry.kind) for entry in since.story) or any(
        _moves_the_scene(change) for change in since.changes)
    parts = story_parts(viewer) if since is None or again else {"story": story_cards(viewer, since.story), **_buttons()}
    changed = moved or bool(since and since.changes)
    if since is None or any(change["of"] in DATES for change in since.changes):
        parts |= dates_parts(viewer)
    return {
        "viewer": viewer, "button_form": lambda: ActionForm(auto_id=False), **parts, "again": again, "moved": moved,
        **(scene_parts(viewer) if moved else {}),
        "contests_here": contests_here(request, viewer, refused) if changed or refused else None,
    }


def dates_parts(viewer: Viewer) -> dict[str, Any]:
    """The next dates, as the table shows them."""
    return {"dates": next_dates([viewer]) if has_dates(viewer) else [], "date_form": lambda: ActionForm(auto_id=False)}


def _moves_the_scene(change: dict[str, Any]) -> bool:
    """Whether a change may be seen in the scene: what a contest writes of itself is not, until one begins or ends."""
    if change["of"] == "contest":
        was, became = change["was"] or {"over": True}, change["became"] or {"over": True}
        return bool(was.get("over") != became.get("over"))
    return change["of"] not in BESIDE_THE_SCENE
