"""A contest as other pages name it, and what is prepared as the page that starts one offers it."""
from __future__ import annotations

import uuid
from dataclasses import dataclass

from campaigns.access import Viewer
from play import queries
from play.models import Contest, PrepItem


@dataclass(frozen=True)
class ContestContext:
    """A contest as a page names it; `scene` is "" where it takes place in none."""

    pk: uuid.UUID
    title: str
    scene: str
    over: bool


@dataclass(frozen=True)
class PrepItemContext:
    """Something prepared, as a contest's setup offers it."""

    pk: uuid.UUID
    name: str
    text: str


def prep_item(item: PrepItem) -> PrepItemContext:
    """Something prepared, for a page of the GM's."""
    return PrepItemContext(item.pk, item.name, item.text)


def contest_context(contest: Contest) -> ContestContext:
    """A contest for a page."""
    return ContestContext(contest.pk, contest.title, contest.scene.title if contest.scene else "", contest.over)


def unfinished(viewer: Viewer) -> dict[str, list[ContestContext]]:
    """The contests that the scene waits for before it ends (`first`), and those that it leaves `going_on`."""
    first, left = ([contest_context(contest) for contest in part] for part in queries.unfinished(viewer))
    return {"first": first, "going_on": left}
