"""The matrix as a template may see it: for each obstacle and character the best way and its chance."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from urllib.parse import urlencode

from django.urls import reverse

from campaigns.access import Viewer
from campaigns.rulefields import initial_of
from characters.models import Character
from play.matrix import ItemObstacle, way_of
from rules.prep import harder
from rules.sheet import Sheet
from rules.values import Value
from rules.wording import percent

EASY, HARD = "easy", "hard"


@dataclass(frozen=True)
class MatrixPerson:
    """A player character at the head of a column."""

    id: uuid.UUID
    name: str
    player: str
    current: bool  # whose column a phone shows


@dataclass(frozen=True)
class MatrixCell:
    """The best way that somebody has: what with, its chance, and what it was before a change ("" for no change)."""

    who: uuid.UUID
    name: str
    label: str
    value: str
    counts: str
    chance: str
    width: str  # in percent with a point, as a picture takes it
    tone: str
    was: str = ""
    was_width: str = ""
    asks: str = ""  # what a press asks for; "" where nobody can be asked now
    current: bool = False


@dataclass(frozen=True)
class MatrixStep:
    """A step easier or harder: what its button says, what it would be, and where the row is so."""

    label: str
    words: str
    url: str


@dataclass(frozen=True)
class MatrixRow:
    """An obstacle with a cell for each character."""

    id: uuid.UUID
    place: int
    name: str
    kind_url: str
    url: str
    words: str
    was_words: str
    cells: tuple[MatrixCell, ...]
    steps: tuple[MatrixStep, ...] = ()

    def has(self, tone: str) -> bool:
        """Whether it is so for anybody; "" asks for nothing."""
        return not tone or any(cell.tone == tone for cell in self.cells)


def matrix_people(found: Sequence[Character], who: str) -> tuple[MatrixPerson, ...]:
    """The columns; a phone shows one, the first where nobody was chosen."""
    chosen = next((each for each in found if str(each.pk) == who), found[0] if found else None)
    return tuple(
        MatrixPerson(each.pk, each.name, str(each.player) if each.player else "nobody’s yet", each is chosen)
        for each in found
    )


def matrix_row(
    viewer: Viewer, prepared: ItemObstacle, people: Sequence[Character], limits: tuple[int, int], who: str = "",
    values: Mapping[str, Value] | None = None,
) -> MatrixRow:
    """One row; with `values` as it would be with these, and what it was."""
    slug, item = viewer.campaign.slug, prepared.item
    held = prepared.obstacle.values
    heads = matrix_people(people, who)
    url = reverse("matrix_row", args=[slug, item.pk, prepared.place])
    return MatrixRow(
        item.pk, prepared.place, prepared.obstacle.name, reverse("library_thing", args=[slug, item.pk]), url,
        _words(viewer, held if values is None else values, people),
        "" if values is None else _words(viewer, held, people),
        tuple(_cell(viewer, prepared, each, limits, head.current, values)
              for each, head in zip(people, heads, strict=True)),
        tuple(_steps(viewer, held if values is None else values, url, who)),
    )


def _steps(viewer: Viewer, values: Mapping[str, Value], url: str, who: str) -> Iterator[MatrixStep]:
    rolls = viewer.campaign.rules.rolls
    for steps in (-1, 1):
        found = harder(rolls.obstacle, values, steps)
        if found:
            asked = {**initial_of(rolls.obstacle, found[1]), "look": "1", "who": who}
            yield MatrixStep(found[0], rolls.obstacle_words(found[1]), f"{url}?{urlencode(asked)}")


def matrix_rows(
    viewer: Viewer, found: Iterable[ItemObstacle], people: Sequence[Character], limits: tuple[int, int], who: str
) -> tuple[MatrixRow, ...]:
    """All rows of a page."""
    return tuple(matrix_row(viewer, each, people, limits, who) for each in found)


def _words(viewer: Viewer, values: Mapping[str, Value], people: Sequence[Character]) -> str:
    """How hard it is: the number, and what the GM wrote where that is another."""
    written = viewer.campaign.rules.rolls.obstacle_words(values)
    found = way_of(viewer, people[0], values) if people else None
    against = found.way.against if found else ""
    return f"{against}, {written}" if against and against != written else written


def tones(rows: Sequence[MatrixRow]) -> tuple[tuple[str, str, int], ...]:
    """By what rows can be narrowed: the word in the address, what is read, and how many are so for anybody."""
    named = (("", "All"), (EASY, "▽ Easy"), (HARD, "▲ Hard"))
    return tuple((tone, label, sum(row.has(tone) for row in rows)) for tone, label in named)


def _cell(
    viewer: Viewer, prepared: ItemObstacle, character: Character, limits: tuple[int, int], current: bool,
    values: Mapping[str, Value] | None,
) -> MatrixCell:
    sheet = character.sheet()
    before = way_of(viewer, character, prepared.obstacle.values)
    found = before if values is None else way_of(viewer, character, values)
    if found is None:
        return MatrixCell(character.pk, character.name, "No chance is known", "", "", "", "", "", current=current)
    changed = before is not None and values is not None and before.chance != found.chance
    asks = f"{character.pk}:{prepared.item.pk}:{prepared.place}"
    can_ask = viewer.campaign.scene_id and character.player_id and values is None
    return MatrixCell(
        character.pk, character.name, found.way.label, found.way.value or _written(viewer, sheet, found.way.trait),
        found.way.counts, percent(found.chance), width(found.chance), _tone(found.chance, limits),
        percent(before.chance) if changed and before else "", width(before.chance) if changed and before else "",
        asks if can_ask else "", current,
    )


def _written(viewer: Viewer, sheet: Sheet, trait_id: str) -> str:
    trait = sheet.trait(trait_id)
    return viewer.campaign.rules.sheet.display_value(trait, sheet) if trait else ""


def width(chance: Fraction) -> str:
    """A chance in percent as a picture takes it: `47.50`."""
    hundredths = round(chance * 10000)
    return f"{hundredths // 100}.{hundredths % 100:02}"


def _tone(chance: Fraction, limits: tuple[int, int]) -> str:
    easy, hard = limits
    return EASY if chance * 100 >= easy else HARD if chance * 100 <= hard else ""
