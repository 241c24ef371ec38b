"""A page of the matrix, and how many rows of all pages there are of each kind."""
from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import groupby

from play.contexts.matrix import EASY, HARD, UNFIT, Look, MatrixRow, matrix_row
from play.matrix import MatrixObstacle, Place, prepared

MOST = 400  # things that are counted
CELLS, FIRST = 180, 48  # of a part, and of the first one: its first row is not to wait for the others
MOST_TAGS = 20


@dataclass(frozen=True)
class Tally:
    """A chip that narrows the matrix: its word in the address, what is read, and how many rows are so for anybody."""

    key: str
    label: str
    count: int


@dataclass(frozen=True)
class MatrixCounts:
    """How many rows there are with each tag, and with each tone among those of the tag that is chosen."""

    tags: tuple[Tally, ...]
    tones: tuple[Tally, ...]


def matrix_page(
    look: Look, tag: str, tone: str, after: Place | None, cells: int = CELLS
) -> tuple[tuple[MatrixRow, ...], str]:
    """The rows from a place on, by the names of their things, until so many cells are there; and after what the next
    part begins ("" at the end).

    Narrowed by tone it is looked for among all that follow, so that a part is full or the last.
    """
    shown: list[MatrixRow] = []
    more, most = True, max(1, cells // max(1, len(look.people)))
    while more and len(shown) < most:
        rows, following = prepared(look.viewer, tag, after, most=most)
        more = following is not None
        for key, of_thing in groupby(rows, key=_key):
            if len(shown) >= most:
                more = True
                break
            shown += [made for made in (matrix_row(look, row) for row in of_thing) if made.has(tone)]
            after = key
        else:
            after = following or after
    return tuple(shown), f"{after[1]},{after[0]}" if more and after else ""


def _key(row: MatrixObstacle) -> Place:
    thing = row.item or row.whose
    return (thing.name, thing.pk) if thing else ("", row.thing)


def matrix_counts(look: Look, tag: str) -> MatrixCounts:
    """Counts over all pages, of rows."""
    rows, _ = prepared(look.viewer, most=MOST)
    tags = Counter(tag for row in rows for tag in row.tags)
    made = [matrix_row(look, row) for row in rows if not tag or tag in row.tags]
    named = ((EASY, "▽ Easy"), (HARD, "▲ Hard"), (UNFIT, "Nothing fits"))
    return MatrixCounts(
        (Tally("", "All", len(rows)), *(Tally(name, f"#{name}", n) for name, n in tags.most_common(MOST_TAGS))),
        tuple(Tally(tone, label, sum(row.has(tone) for row in made)) for tone, label in named))
