"""What stands in the way, for the table: the obstacles of the scene, and the chips that put one there."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from campaigns.access import Viewer
from campaigns.models import Campaign, View
from campaigns.sight import ViewChoice, choices
from characters.models import Character
from play.matrix import MatrixObstacle
from play.models import Obstacle
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
from rules.opposing import stands_for, strongest_lines
from rules.system import Opposes
from rules.tray import named_words

# What of an obstacle players are not told, as a GM reads it.
UNSAID = {View.ALL: "", View.FACE: ", players don’t know the difficulty", View.NOTHING: ", unknown to players"}
# What is thrown against can be checked by everyone, so that dice tell the number, and nothing else.
DICE_TELL = "Players see its number once someone rolls against it"
NUMBER_SEEN = "Number seen: dice were thrown against it"
BEST, USUAL, MOST_CHIPS, MOST_PEOPLE = 3, 3, 40, 8  # lines of an NPC, those that stand open, chips in all, NPCs


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
    rules, here = viewer.campaign.rules, [character
                                          for character in present
                                          if character.npc and character.view is not View.NOTHING]
    opposes = isinstance(rules.rolls, Opposes)
    chips = [chip for character in here for chip in _of_lines(viewer.campaign, character)]
    for suggested in prepared:
        words = rules.rolls.obstacle_words(suggested.obstacle.values)
        chips.append(ObstacleChip(
            f"{ITEM}:{suggested.thing}:{suggested.place}",
            f"{suggested.obstacle.name} · {words}{UNSAID[suggested.view]}"))
    by_name = (ObstacleChip(value, label) for value, label in named_chips(rules.rolls))
    named = named_words(rules.rolls.obstacle)
    people = tuple(
        (character.name, tuple(ObstacleChip(f"{PERSON}:{character.pk}:{word}", label) for word, label in named))
        for character in here[:MOST_PEOPLE] if named and not opposes)
    return ObstacleChips((*chips[:USUAL], *by_name), tuple(chips[USUAL:MOST_CHIPS]), people)


def _of_lines(campaign: Campaign, who: Character) -> Iterator[ObstacleChip]:
    """What an NPC is best at, as what it puts in the way; nothing where the game has no such obstacles."""
    rules, settings, sheet = campaign.rules, campaign.settings, who.sheet()
    for line in strongest_lines(rules, settings, sheet)[:BEST]:
        words = rules.rolls.obstacle_words(stands_for(rules, settings, sheet, line))
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
