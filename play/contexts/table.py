"""Rows of the table as templates may see them: frozen, made for one viewer."""
from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from campaigns.access import Viewer
from characters.models import Character
from play.models import Contest, Obstacle, PendingAllocation, PendingModifier, PrepItem, Scene, Session
from play.services.obstacles import values_of


@dataclass(frozen=True)
class SceneContext:
    """A scene; `session` is what its session is called."""

    pk: uuid.UUID
    title: str
    text: str
    session: str = ""

    def __str__(self) -> str:
        return self.title


@dataclass(frozen=True)
class SessionContext:
    """A session with its scenes, where they were asked for."""

    pk: uuid.UUID
    label: str
    number: int
    title: str
    recap: str
    opened: datetime
    closed: bool
    scenes: tuple[SceneContext, ...] = ()

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True)
class PersonHere:
    """Somebody in the scene: the name of who plays them, "" for nobody, and how much damage is on the sheet."""

    pk: uuid.UUID
    name: str
    player: str
    hidden: bool
    npc: bool
    hurt: int


@dataclass(frozen=True)
class PendingAllocationRow:
    """What a character's player has yet to place."""

    pk: uuid.UUID
    name: str
    type: str
    label: str
    amount: int
    reason: str


@dataclass(frozen=True)
class PendingModifierRow:
    """A modifier that waits for a character's next roll."""

    name: str
    reason: str


@dataclass(frozen=True)
class ContestContext:
    """A contest as a page names it; `scene` is "" where it takes place in none."""

    pk: uuid.UUID
    title: str
    scene: str
    over: bool


@dataclass(frozen=True)
class SpanContext:
    """A session and those beside it, for a page that leafs through them."""

    session: SessionContext | None
    earlier: SessionContext | None
    later: SessionContext | None


@dataclass(frozen=True)
class PrepItemContext:
    """Something prepared, as a contest's setup offers it."""

    pk: uuid.UUID
    name: str
    text: str


def prep_item(item: PrepItem) -> PrepItemContext:
    """Something prepared, for a page of the GM's."""
    return PrepItemContext(item.pk, item.name, item.text)


def session_context(session: Session | None, *, scenes: bool = False) -> SessionContext | None:
    """A session for a page; its scenes only when they were read with it."""
    if session is None:
        return None
    rows = tuple(SceneContext(each.pk, each.title, each.text) for each in session.scenes.all()) if scenes else ()
    return SessionContext(
        session.pk, str(session), session.number, session.title, session.recap, session.opened,
        session.closed is not None, rows,
    )


def scene_context(scene: Scene | None) -> SceneContext | None:
    """The scene that is on, for a page."""
    return SceneContext(scene.pk, scene.title, scene.text, str(scene.session)) if scene else None


@dataclass(frozen=True)
class ObstacleRow:
    """What stands in the way in the scene; `label` says how hard it is, too."""

    pk: uuid.UUID
    name: str
    label: str


def obstacle_rows(viewer: Viewer, found: Iterable[Obstacle]) -> tuple[ObstacleRow, ...]:
    """The obstacles of the scene."""
    words = viewer.campaign.rules.rolls.obstacle_words
    return tuple(ObstacleRow(each.pk, each.name, f"{each.name} · {words(values_of(each))}") for each in found)


def people_here(characters: Iterable[Character]) -> tuple[PersonHere, ...]:
    """Those in a scene. Prefetch `traits`, and join the player."""
    return tuple(
        PersonHere(each.pk, each.name, str(each.player) if each.player else "", each.hidden, each.npc, each.hurt)
        for each in characters
    )


def pending_allocations(found: Iterable[PendingAllocation]) -> tuple[PendingAllocationRow, ...]:
    """What the viewer has to place."""
    return tuple(
        PendingAllocationRow(
            each.pk, each.character.name, each.sort, each.get_sort_display(), each.amount, each.reason,
        )
        for each in found
    )


def pending_modifiers(found: Iterable[PendingModifier]) -> tuple[PendingModifierRow, ...]:
    """What waits for next rolls."""
    return tuple(PendingModifierRow(each.character.name, each.reason) for each in found)


def contest_context(contest: Contest) -> ContestContext:
    """A contest for a page."""
    return ContestContext(contest.pk, contest.title, contest.scene.title if contest.scene else "", contest.over)
