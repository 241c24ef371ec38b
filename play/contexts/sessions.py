"""Sessions and scenes as pages name and list them: the Chronicle, a recap, the plan, the bar of the table."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from play.journals import Journal
from play.models import Scene, Session
from play.stories import Story


@dataclass(frozen=True)
class StoryContext:
    """A contest that is over, in sentences, the outcome first; then what the GM says came of it, "" for nothing."""

    pk: uuid.UUID
    title: str
    lines: tuple[str, ...]
    afterword: str = ""

    @property
    def brief(self) -> str:
        """The outcome, and what came of it."""
        return f"{self.lines[0]} {self.afterword}".strip()


def story_context(story: Story) -> StoryContext:
    """What came of a contest, for a page."""
    return StoryContext(story.contest.pk, story.contest.title, story.lines, story.afterword)


@dataclass(frozen=True)
class SceneContext:
    """A scene; `session` is what its session is called, `stories` what came of its contests where that was read."""

    pk: uuid.UUID
    title: str
    text: str
    session: str = ""
    stories: tuple[StoryContext, ...] = ()
    journals: tuple[Journal, ...] = ()

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
    there: tuple[str, ...] = ()  # who was there
    journals: tuple[Journal, ...] = ()  # about the session as a whole

    @property
    def has_journals(self) -> bool:
        """Whether anybody has written about it, or about a scene of it."""
        return bool(self.journals) or any(scene.journals for scene in self.scenes)

    @property
    def written(self) -> bool:
        """Whether the viewer has written about it as a whole."""
        return any(journal.mine for journal in self.journals)

    def __str__(self) -> str:
        return self.label


@dataclass(frozen=True)
class SpanContext:
    """A session and those beside it, for a page that leafs through them."""

    session: SessionContext | None
    earlier: SessionContext | None
    later: SessionContext | None


def session_context(
    session: Session | None, *, scenes: bool = False,
    stories: Mapping[uuid.UUID, tuple[Story, ...]] = MappingProxyType({}), there: tuple[str, ...] = (),
    journals: Mapping[uuid.UUID, tuple[Journal, ...]] = MappingProxyType({}),
) -> SessionContext | None:
    """A session for a page; its scenes only when they were read with it, each with what is written of it."""
    if session is None:
        return None
    rows = tuple(
        SceneContext(scene.pk, scene.title, scene.text, journals=journals.get(scene.pk, ()), stories=tuple(
            story_context(story) for story in stories.get(scene.pk, ())))
        for scene in session.scenes.all()) if scenes else ()
    return SessionContext(
        session.pk, str(session), session.number, session.title, session.recap, session.opened,
        session.closed is not None, rows, there, journals.get(session.pk, ()),
    )


def scene_context(scene: Scene | None) -> SceneContext | None:
    """The scene that is on, for a page."""
    return SceneContext(scene.pk, scene.title, scene.text, str(scene.session)) if scene else None
