"""Rows of the table as templates may see them: frozen, made for one viewer."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from types import MappingProxyType

from campaigns.access import Viewer
from campaigns.models import View
from campaigns.sight import ViewChoice, choices
from characters.models import Character
from play.journals import Journal
from play.matrix import MatrixObstacle
from play.models import AskedRoll, Contest, Obstacle, PendingAllocation, PendingModifier, PrepItem, Scene, Session
from play.services.obstacles import (
    ITEM,
    LINE,
    PERSON,
    is_face,
    name_for_players,
    named_chips,
    thrown_against,
    values_of,
    view_of,
)
from play.stories import Story
from rules.codec import read
from rules.opposing import opposing_lines
from rules.system import Opposes, System
from rules.tray import named_words
from rules.wording import join

# What of an obstacle players are not told, as a GM reads it.
UNSAID = {View.ALL: "", View.FACE: ", players don’t know how hard", View.NOTHING: ", unknown to players"}
# What is thrown against can be checked by everyone, so that dice tell the number, and nothing else.
DICE_TELL = "Players see its number once someone rolls against it"
NUMBER_SEEN = "Number seen: dice were thrown against it"
BEST, USUAL, MOST_CHIPS, MOST_PEOPLE = 3, 3, 40, 8  # lines of an NPC, those that stand open, chips in all, NPCs


@dataclass(frozen=True)
class StoryContext:
    """A contest that is over, in sentences, the outcome first."""

    pk: uuid.UUID
    title: str
    lines: tuple[str, ...]


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
class PersonHere:
    """Somebody in the scene: the name of who plays them, "" for nobody, and how much damage is on the sheet."""

    pk: uuid.UUID
    name: str
    player: str
    hidden: bool
    npc: bool
    hurt: int
    best: tuple[str, ...] = ()  # what they are best at, each with its number as it counts now
    lasts: tuple[str, ...] = ()  # what hurts or holds them
    views: tuple[ViewChoice, ...] = ()  # for the GM: what players see of an NPC


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
            StoryContext(one.contest.pk, one.contest.title, one.lines) for one in stories.get(scene.pk, ())))
        for scene in session.scenes.all()) if scenes else ()
    return SessionContext(
        session.pk, str(session), session.number, session.title, session.recap, session.opened,
        session.closed is not None, rows, there, journals.get(session.pk, ()),
    )


def scene_context(scene: Scene | None) -> SceneContext | None:
    """The scene that is on, for a page."""
    return SceneContext(scene.pk, scene.title, scene.text, str(scene.session)) if scene else None


@dataclass(frozen=True)
class ObstacleRow:
    """Obstacle in the scene; `label` says how hard it is, too."""

    pk: uuid.UUID
    name: str
    label: str
    thing: uuid.UUID | None = None  # for the GM: of the library, and what players see of it
    views: tuple[ViewChoice, ...] = ()
    dice_tell: str = ""  # for the GM: when players learn its number, where they know less than all of it


@dataclass(frozen=True)
class ObstacleChip:
    """What one tap puts in the way: what the form sends, and what the chip says."""

    value: str
    label: str


@dataclass(frozen=True)
class ObstacleChips:
    """The chips that stand open in one row, and those that are folded.

    `people` are the NPCs who are here by name, each with the named difficulties, where no line of theirs is one.
    """

    usual: tuple[ObstacleChip, ...]
    more: tuple[ObstacleChip, ...]
    people: tuple[tuple[str, tuple[ObstacleChip, ...]], ...] = ()


def obstacle_chips(
    viewer: Viewer, present: Iterable[Character], prepared: Iterable[MatrixObstacle]
) -> ObstacleChips:
    """What a GM can put in the way: who is here with what they are best at, what is prepared, named difficulties."""
    rules, here = viewer.campaign.rules, [each for each in present if each.npc and each.view is not View.NOTHING]
    opposes = isinstance(rules.rolls, Opposes)
    chips = [chip for character in here for chip in _of_lines(rules, character)]
    for one in prepared:
        words = rules.rolls.obstacle_words(one.obstacle.values)
        chips.append(ObstacleChip(
            f"{ITEM}:{one.thing}:{one.place}", f"{one.obstacle.name} · {words}{UNSAID[one.view]}"))
    by_name = (ObstacleChip(value, label) for value, label in named_chips(rules.rolls))
    named = named_words(rules.rolls.obstacle)
    people = tuple(
        (character.name, tuple(ObstacleChip(f"{PERSON}:{character.pk}:{word}", label) for word, label in named))
        for character in here[:MOST_PEOPLE] if named and not opposes)
    return ObstacleChips((*chips[:USUAL], *by_name), tuple(chips[USUAL:MOST_CHIPS]), people)


def _of_lines(rules: System, who: Character) -> Iterator[ObstacleChip]:
    """What an NPC is best at, as what it puts in the way; nothing where the game has no such obstacles."""
    if not isinstance(rules.rolls, Opposes):
        return
    sheet = who.sheet()
    for line in sorted(opposing_lines(rules, sheet), key=lambda line: -line.now)[:BEST]:
        words = rules.rolls.obstacle_words(rules.rolls.opposing_fields(line, sheet))
        yield ObstacleChip(f"{LINE}:{line.id}", f"{who.name}: {line.name} · {words}{UNSAID[who.view]}")


def obstacle_rows(viewer: Viewer, obstacles: Iterable[Obstacle]) -> tuple[ObstacleRow, ...]:
    """The obstacles of the scene, each as far as the viewer knows it."""
    words, rows = viewer.campaign.rules.rolls.obstacle_words, list(obstacles)
    if viewer.runs:
        told = thrown_against(viewer.campaign, [row.pk for row in rows if is_face(row)])
        return tuple(_for_gm(row, words(values_of(row)), row.pk in told) for row in rows)
    return tuple(ObstacleRow(
        row.pk, name_for_players(row),
        f"{name_for_players(row)} · {'unknown' if is_face(row) else words(values_of(row))}") for row in rows)


def _for_gm(obstacle: Obstacle, words: str, told: bool) -> ObstacleRow:
    """An obstacle with what players don't know of it, and whether dice have `told` them how hard it is."""
    view = view_of(obstacle)
    unsaid = "" if told and view is View.FACE else UNSAID[view]
    return ObstacleRow(
        obstacle.pk, obstacle.name, f"{obstacle.name} · {words}{unsaid}", obstacle.thing_id,
        choices(view) if obstacle.thing_id else (), "" if view is View.ALL else NUMBER_SEEN if told else DICE_TELL)


@dataclass(frozen=True)
class AskedRow:
    """A roll that the GM asks for: of whom, and the entry in which each has rolled, None where they have not.

    `requested` is the id of what a player asked for; it is `open` until the GM has said how hard it is.
    """

    seq: int
    label: str
    sealed: bool
    people: tuple[tuple[str, int | None], ...]
    requested: uuid.UUID | None = None
    open: bool = False


def asked_rows(viewer: Viewer, requests: Iterable[AskedRoll]) -> tuple[AskedRow, ...]:
    """What the GM waits for, oldest first. Order by `asked`, and join the character."""
    words = viewer.campaign.rules.rolls.obstacle_words
    asked = []
    for seq, group in groupby(requests, key=lambda request: request.asked):
        rows = list(group)
        first, people = rows[0], tuple((row.character.name, row.rolled) for row in rows)
        label = f"{first.what} · {words(read(first.spec)['fields'])}" if first.spec else _requested(first)
        asked.append(AskedRow(
            seq, label, first.sealed, people, first.pk if first.choice else None, not first.spec))
    return tuple(row for row in asked if any(rolled is None for _, rolled in row.people))


def _requested(row: AskedRoll) -> str:
    """What a player asks for, with the lines that they mean to use where it is not named by them."""
    names = [line for line in read(row.lines)["lines"] if line not in row.what]
    return f"{row.what}, with {join(names)}" if names else row.what


def people_here(
    viewer: Viewer, characters: Iterable[Character], faces: Iterable[Character] = ()
) -> tuple[PersonHere, ...]:
    """Those in a scene, then those of whom the face alone is known. Prefetch `traits`, and join the player."""
    rules = viewer.campaign.rules.sheet
    usual = {kind.name for kind in rules.trait_kinds if not (kind.condition or kind.played or kind.drawn)}
    holding = {kind.name for kind in rules.trait_kinds if kind.condition}
    return (*(
        PersonHere(
            each.pk, each.name, str(each.player) if each.player else "", each.view is View.NOTHING, each.npc, each.hurt,
            tuple(f"{line.name} {rules.notation(line.kind, line.value - line.damage)}" for line in sorted(
                (line for line in each.traits.all() if line.kind in usual),
                key=lambda line: line.damage - line.value)[:BEST]),
            tuple(line.name for line in each.traits.all() if line.kind in holding or line.damage),
            choices(each.view) if viewer.runs and each.npc else (),
        ) for each in characters
    ), *(PersonHere(face.pk, face.name, "", False, True, 0) for face in faces))


def pending_allocations(allocations: Iterable[PendingAllocation]) -> tuple[PendingAllocationRow, ...]:
    """What the viewer has to place."""
    return tuple(
        PendingAllocationRow(
            each.pk, each.character.name, each.type, each.get_type_display(), each.amount, each.reason,
        )
        for each in allocations
    )


def pending_modifiers(waiting: Iterable[PendingModifier]) -> tuple[PendingModifierRow, ...]:
    """What waits for next rolls."""
    return tuple(PendingModifierRow(pending.character.name, pending.reason) for pending in waiting)


def contest_context(contest: Contest) -> ContestContext:
    """A contest for a page."""
    return ContestContext(contest.pk, contest.title, contest.scene.title if contest.scene else "", contest.over)
