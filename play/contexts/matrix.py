"""The matrix as a template may see it: for each obstacle and character what fits, and its exact chance."""
from __future__ import annotations

import uuid
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from urllib.parse import urlencode

from django.urls import reverse

from campaigns.access import Viewer
from campaigns.rulefields import initial_of
from play.fits import SAID, USED, Fits
from play.matrix import Chosen, MatrixObstacle, Person, way_of
from rules.prep import harder
from rules.sheet import Sheet
from rules.values import Value
from rules.wording import percent

EASY, HARD, UNFIT = "easy", "hard", "unfit"
MARKS = {SAID: ("✓", "you said so"), USED: ("↺", "used before")}


@dataclass(frozen=True)
class MatrixPerson:
    """A player character at the head of a column."""

    id: uuid.UUID
    name: str
    player: str
    current: bool  # whose column a phone shows


@dataclass(frozen=True)
class MatrixCell:
    """What somebody goes about it with, the chance, and what it was before a change ("" for no change).

    `mark` says how one knows that it fits, where no tag does; where `unfit`, nothing does.
    """

    who: uuid.UUID
    name: str
    label: str
    value: str
    counts: str
    chance: str
    tone: str
    mark: str = ""
    why: str = ""
    unfit: bool = False
    was: str = ""
    url: str = ""  # where it is said what fits
    current: bool = False
    open: bool = False


@dataclass(frozen=True)
class MatrixStep:
    """A step easier or harder: what its button says, what it would be, and where the row is so."""

    label: str
    words: str
    url: str


@dataclass(frozen=True)
class MatrixRow:
    """An obstacle with a cell for each character; `of` is what it is: a kind, an NPC, with its tags."""

    id: uuid.UUID
    place: int
    name: str
    of: str
    thing_url: str
    url: str
    words: str
    was_words: str
    cells: tuple[MatrixCell, ...]
    steps: tuple[MatrixStep, ...] = ()

    def has(self, tone: str) -> bool:
        """Whether it is so for anybody; "" asks for nothing."""
        return not tone or any(cell.unfit if tone == UNFIT else cell.tone == tone for cell in self.cells)


@dataclass(frozen=True)
class Look:
    """What a page of the matrix is made with: whose columns, what fits them, from where on it is easy and hard, whose
    column a phone shows, and what could be offered and is switched on."""

    viewer: Viewer
    people: Sequence[Person]
    fits: Fits
    limits: tuple[int, int]
    who: str = ""
    boost: str = ""


def matrix_people(people: Sequence[Person], who: str) -> tuple[MatrixPerson, ...]:
    """The columns; a phone shows one, the first where nobody was chosen."""
    chosen = next((person for person in people if str(person.id) == who), people[0] if people else None)
    return tuple(
        MatrixPerson(person.id, person.character.name,
                     str(person.character.player) if person.character.player else "no player", person is chosen)
        for person in people)


def matrix_row(
    look: Look, row: MatrixObstacle, values: Mapping[str, Value] | None = None, open_: uuid.UUID | None = None
) -> MatrixRow:
    """One row; with `values` as it would be with these, and what it was. `open_` is whose cell stands open."""
    slug, held = look.viewer.campaign.slug, row.obstacle.values
    now = held if values is None else values
    thing = ("library_thing", row.item.pk) if row.item else ("sheet", row.whose.pk if row.whose else None)
    url = reverse("matrix_row", args=[slug, row.thing, row.place]) if row.item else ""
    cells = [_cell(look, row, person, head.current, values, open_)
             for person, head in zip(look.people, matrix_people(look.people, look.who), strict=True)]
    return MatrixRow(
        row.thing, row.place, row.obstacle.name, " · ".join([_kind(look.viewer, row), *row.tags]),
        reverse(thing[0], args=[slug, thing[1]]), url, _words(look, row, now),
        "" if values is None else _words(look, row, held), tuple(cells),
        tuple(_steps(look, now, url)) if url else ())


def _kind(viewer: Viewer, row: MatrixObstacle) -> str:
    kinds = {kind.name: kind.label for kind in viewer.campaign.rules.library}
    return kinds.get(row.item.type, "").lower() if row.item else "NPC"


def _steps(look: Look, values: Mapping[str, Value], url: str) -> Iterator[MatrixStep]:
    rolls = look.viewer.campaign.rules.rolls
    for steps in (-1, 1):
        moved = harder(rolls.obstacle, values, steps)
        if moved:
            asked = {**initial_of(rolls.obstacle, moved[1]), "look": "1", "who": look.who, "with": look.boost}
            yield MatrixStep(moved[0], rolls.obstacle_words(moved[1]), f"{url}?{urlencode(asked)}")


def _words(look: Look, row: MatrixObstacle, values: Mapping[str, Value]) -> str:
    """How hard it is: the number, and what the GM wrote where that is another."""
    written = look.viewer.campaign.rules.rolls.obstacle_words(values)
    chosen = way_of(look.viewer, look.fits, look.people[0], row, values) if look.people else None
    against = chosen.best.way.against if chosen else ""
    return f"{against}, {written}" if against and against != written else written


def _cell(
    look: Look, row: MatrixObstacle, person: Person, current: bool, values: Mapping[str, Value] | None,
    open_: uuid.UUID | None,
) -> MatrixCell:
    before = way_of(look.viewer, look.fits, person, row)
    chosen = before if values is None else way_of(look.viewer, look.fits, person, row, values)
    url = reverse("matrix_fit", args=[look.viewer.campaign.slug, row.thing, row.place, person.id])
    asked = {name: value for name, value in (("who", look.who), ("with", look.boost)) if value}
    url = f"{url}?{urlencode(asked)}" if asked else url
    if chosen is None:
        return MatrixCell(person.id, person.character.name, "No chance is known", "", "", "", "", url=url,
                          current=current, open=person.id == open_)
    changed = before is not None and values is not None and before.best.chance != chosen.best.chance
    mark, why = MARKS.get(chosen.allowed.how, ("", "")) if chosen.allowed.lines or chosen.allowed.how == SAID else (
        "", "")
    way, nothing = chosen.best.way, look.viewer.campaign.rules.rolls.nothing
    return MatrixCell(
        person.id, person.character.name, _label(chosen) if way.uses else nothing,
        way.value or _written(look.viewer, person.sheet, way.uses),
        way.counts, percent(chosen.best.chance), _tone(chosen, look.limits), mark, why, not chosen.fits,
        percent(before.best.chance) if changed and before else "", url, current, person.id == open_)


def _label(chosen: Chosen) -> str:
    return chosen.best.way.label if chosen.fits else f"{chosen.best.way.label}, if it fits"


def _written(viewer: Viewer, sheet: Sheet, uses: Sequence[str]) -> str:
    trait = sheet.trait(uses[0]) if uses else None
    return viewer.campaign.rules.sheet.display_value(trait, sheet) if trait else ""


def _tone(chosen: Chosen, limits: tuple[int, int]) -> str:
    """Easy or hard, by something that fits alone."""
    return _marked(chosen.best.chance, limits) if chosen.fits else ""


def _marked(chance: Fraction, limits: tuple[int, int]) -> str:
    easy, hard = limits
    return EASY if chance * 100 >= easy else HARD if chance * 100 <= hard else ""
