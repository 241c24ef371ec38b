"""A page of the matrix, and how many rows of all pages there are of each kind."""
from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import dataclass

from play.contexts.matrix import EASY, HARD, UNFIT, Look, MatrixRow, matrix_row
from play.matrix import ROWS, MatrixObstacle, prepared

MOST = 400  # things that are counted
CELLS, LEAST = 180, 6  # of a page, and its things at least
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
    look: Look, tag: str, tone: str, after: tuple[str, uuid.UUID] | None
) -> tuple[tuple[MatrixRow, ...], str]:
    """So many things from a place on, by name; and after what the next page begins ("" at the end).

    Narrowed by tone it is looked for among all that follow, so that a page is full or the last.
    """
    shown: list[MatrixRow] = []
    last, more, most = "", True, _rows_of(look)
    while more and len(shown) < most:
        rows, more = prepared(look.viewer, tag, after, most=most)
        if not rows:
            break
        shown += [made for made in (matrix_row(look, row) for row in rows) if made.has(tone)]
        after = _key(rows[-1])
        last = f"{after[1]},{after[0]}"
    return tuple(shown), last if more else ""


def _rows_of(look: Look) -> int:
    """How many things a page has: the first of them is not to wait for the others."""
    return min(ROWS, max(LEAST, CELLS // max(1, len(look.people))))


def _key(row: MatrixObstacle) -> tuple[str, uuid.UUID]:
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
