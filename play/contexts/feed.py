"""What changes at the table while one looks on: the scene with all that stands in it, and the story."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest

from campaigns.access import Viewer
from campaigns.trail import queries as trail
from campaigns.web import ActionForm
from play.contexts.contest_page import NotDone
from play.contexts.contests_here import contests_here
from play.contexts.scene_here import button_form, scene_here
from play.contexts.story import StoryCard, joins_a_card, story_cards
from play.handouts import shows
from play.waiting import has_dates
from schedule.contexts import DateCard, next_dates

RECENT = 12
DATES = {"date", "date_answer", "date_series"}  # what the next dates follow from
BESIDE_THE_SCENE = {"contest_event", "line_used", *DATES}  # what moves none of the scene


@dataclass(frozen=True)
class StoryPart:
    """The newest cards of the story; `older`, where the page before them begins, None where there is none."""

    story: list[StoryCard]
    older: int | None
    button_form: Callable[[], ActionForm]


@dataclass(frozen=True)
class DatesPart:
    """The next dates, and the form with which one answers them."""

    dates: list[DateCard]
    date_form: Callable[[], ActionForm]


def story_part(viewer: Viewer) -> StoryPart:
    """The newest entries of the story."""
    page = trail.page(viewer, size=RECENT, story_only=True, before=viewer.campaign.head_seq + 1)
    return StoryPart(story_cards(viewer, page.entries), page.older, button_form)


def news(
    request: HttpRequest, viewer: Viewer, seq: int | None, refused: NotDone | None = None,
    unfold: uuid.UUID | None = None,
) -> dict[str, Any]:
    """What is new since an entry, for a page that stands open; all of it where that is not known.

    `again`: rows that the page has are no longer as they were, or too much is new: it gets the list as a whole.
    `moved`: something in the scene may be another: it comes along. So do the contests, whatever was changed, and where
    something was `refused` in one of them; the one to `unfold` is.
    """
    since = None if seq is None else trail.arrived(viewer, seq, most=RECENT)
    again = since is None or since.recast or any(joins_a_card(entry) for entry in since.story)
    moved = since is None or since.unsaid or any(shows(entry.kind) for entry in since.story) or any(
        _moves_the_scene(change) for change in since.changes)
    parts = vars(story_part(viewer)) if since is None or again else {"story": story_cards(viewer, since.story)}
    changed = moved or bool(since and since.changes)
    if since is None or any(change["of"] in DATES for change in since.changes):
        parts = parts | vars(dates_part(viewer))
    return {
        "viewer": viewer, "button_form": button_form, **parts, "again": again, "moved": moved,
        **(vars(scene_here(viewer)) if moved else {}),
        "contests_here": contests_here(request, viewer, refused, unfold) if changed or refused else None,
    }


def dates_part(viewer: Viewer) -> DatesPart:
    """The next dates, as the table shows them."""
    return DatesPart(next_dates([viewer]) if has_dates(viewer) else [], button_form)


def _moves_the_scene(change: dict[str, Any]) -> bool:
    """Whether a change may be seen in the scene: what a contest writes of itself is not, until one begins or ends."""
    if change["of"] == "contest":
        was, became = change["was"] or {"over": True}, change["became"] or {"over": True}
        return bool(was.get("over") != became.get("over"))
    return change["of"] not in BESIDE_THE_SCENE
