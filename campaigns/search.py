"""Search over everything that a viewer may see.

What can be found is declared by the app that it belongs to: which words it has, for whom each part of them is, and
which tables they come from. They are laid out in `Found` with every entry; `campaigns/search_building.py` lays out
what earlier versions left. Who may see what is asked of the tables at the moment of the search, which writes nothing.
"""
from __future__ import annotations

import logging
import re
import unicodedata
import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

from django.db import DatabaseError
from django.db.models import Q, QuerySet

from accounts.statements import insert, save
from campaigns.access import Viewer
from campaigns.models import Campaign, Entry, Found
from campaigns.search_index import newest
from campaigns.trail.draft import FOLLOW, Draft

logger = logging.getLogger(__name__)

VERSION = 2  # of how words are laid out: a campaign of another one is laid out anew
PAGE = 30
MOST_TITLES = 10  # hits in a title that come first
MOST_WORDS = 8
AT_ONCE = 500  # rows that have the words and are looked through together,
MOST_TRIES = 8  # and how often, for one page
AROUND = 90  # characters shown on either side of a hit

Ids = Collection[uuid.UUID]


@dataclass(frozen=True, slots=True)
class Doc:
    """Words of a thing. `part` is whom they are for: "face", "all" or "gm"; `key` what its address is made with."""

    object_id: uuid.UUID
    part: str
    title: str
    text: str = ""
    key: str = ""


@dataclass(frozen=True, slots=True)
class Searchable:
    """A kind of things that can be found: `label` is what a hit is called, `url` where it leads in a campaign.

    `watches` are the tables and fields that its words come from; `ids` are those of all things of a campaign, oldest
    first; `docs` lays out some of them;
    `seen` is the condition under which the viewer may see a row of this kind. `beside`: its words are of things that
    are found by themselves as well, and then stand there once. `written` lays out an entry as it is written: every roll
    waits for it, so it asks the database nothing.
    """

    name: str
    label: str
    url: Callable[[str, Found], str]
    watches: Mapping[str, Collection[str]]
    ids: Callable[[Campaign], Iterable[uuid.UUID]]
    docs: Callable[[Campaign, Ids], Iterable[Doc]]
    seen: Callable[[Viewer], Q]
    beside: bool = False
    written: Callable[[Entry], Iterable[Doc]] | None = None


KINDS: dict[str, Searchable] = {}


def paged(rows: QuerySet[Any], by: str = "pk") -> Iterator[uuid.UUID]:
    """The ids of rows in the order of a field that tells them apart, some at a time: other things may go on between."""
    last = None
    while page := list((rows if last is None else rows.filter(**{f"{by}__gt": last})).order_by(by).values_list(
        by, "pk")[:1000]
    ):
        yield from (pk for _, pk in page)
        last = page[-1][0]


def declare(kind: Searchable) -> None:
    """Makes a kind of things known to the search."""
    KINDS[kind.name] = kind


def folded(text: str) -> str:
    """A text as it is looked in: words of letters and digits, without case and accents."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    return " ".join(re.findall(r"[^\W_]+", "".join(letter for letter in plain if not unicodedata.combining(letter))))


def rows_of(campaign: Campaign, kind: Searchable, ids: Collection[uuid.UUID]) -> list[Found]:
    """The words of some things, not written yet. What can't be read is left out: nothing else fails because of it."""
    try:
        return [_row(campaign, kind, doc) for doc in kind.docs(campaign, ids)]
    except DatabaseError:
        raise
    except Exception as error:
        if len(ids) > 1:
            return [row for pk in ids for row in rows_of(campaign, kind, [pk])]
        logger.error("The search leaves out %s %s, which can’t be read: %r", kind.name, *ids, error)
        return []


def _row(campaign: Campaign, kind: Searchable, doc: Doc) -> Found:
    return Found(
        campaign=campaign, of=kind.name, part=doc.part, object_id=doc.object_id, key=doc.key, title=doc.title[:200],
        text=doc.text, words=folded(f"{doc.title} {doc.text}"),
    )


def _follow(draft: Draft, entry: Entry) -> None:
    """Lays out anew what an entry changed the words of; a campaign that begins is laid out from its first entry on."""
    if entry.seq == 1:
        draft.campaign.search_version = VERSION
        save([draft.campaign], ["search_version"])
    made: list[Found] = []
    for kind in KINDS.values():
        ids = {uuid.UUID(pk) for of, field, pk in draft.touched if field in kind.watches.get(of, ())}
        if kind.written:
            made += [_row(draft.campaign, kind, doc) for doc in kind.written(entry)]
        if ids:
            Found.objects.filter(campaign=draft.campaign, of=kind.name, object_id__in=ids).delete()
            made += rows_of(draft.campaign, kind, ids)
    insert(made)


FOLLOW.append(_follow)


@dataclass(frozen=True, slots=True)
class Hit:
    """Something that was found: where it stands, its address, and the words around the first hit."""

    label: str
    title: str
    url: str
    before: str
    hit: str
    after: str


@dataclass(frozen=True, slots=True)
class Hits:
    """A page of what was found; `older` is the row to go on after, None at the end.

    `complete` is False while what earlier versions wrote is still being laid out.
    """

    rows: tuple[Hit, ...] = ()
    older: int | None = None
    complete: bool = True


def search(viewer: Viewer, asked: str, before: int = 0) -> Hits:
    """What the viewer may see of the words asked for: first what is called so, then the newest."""
    words = folded(asked).split()[:MOST_WORDS]
    if not words:
        return Hits()
    first = [] if before else _called(viewer, asked, words)
    rows, older = _newest(viewer, words, before, [row.pk for row in first])
    once = {(row.of, row.object_id, row.key): row for row in reversed([*first, *rows])}
    themselves = {row.object_id for row in once.values() if not KINDS[row.of].beside}
    told = [row for row in reversed(once.values()) if not KINDS[row.of].beside or row.object_id not in themselves]
    return Hits(tuple(_hit(viewer, row, words) for row in told), older, viewer.campaign.search_version == VERSION)


def _called(viewer: Viewer, asked: str, words: Sequence[str]) -> list[Found]:
    """Things that have all the words in their names, by name. An entry's title is no name."""
    things = [kind.name for kind in KINDS.values() if not kind.beside and not kind.written]
    rows = Found.objects.filter(visible(viewer), campaign=viewer.campaign, of__in=things)
    named = rows.filter(*(Q(title__icontains=word) for word in asked.split()[:MOST_WORDS])).order_by("title", "-pk")
    return [row for row in named[:AT_ONCE] if _begin(words, row.title)][:MOST_TITLES]


def _begin(words: Iterable[str], title: str) -> bool:
    parts = folded(title).split()
    return all(any(part.startswith(word) for part in parts) for word in words)


def _newest(viewer: Viewer, words: Sequence[str], before: int, but: Collection[int]) -> tuple[list[Found], int | None]:
    """A page of the newest rows that the viewer may see, but for some, and the row to go on after.

    Where much is sealed from the viewer, a page may end before it is full.
    """
    rows: list[Found] = []
    for many in (2 * PAGE, *[AT_ONCE] * MOST_TRIES):
        ids = newest(viewer.campaign.pk, words, before, many)
        seen = Found.objects.filter(visible(viewer), pk__in=set(ids) - set(but)).order_by("-pk")
        rows += seen[: PAGE + 1 - len(rows)]
        if len(rows) > PAGE:
            return rows[:PAGE], rows[PAGE - 1].pk
        if len(ids) < many:
            return rows, None
        before = ids[-1]
    return rows, before


def visible(viewer: Viewer) -> Q:
    """The condition for words that the viewer may see."""
    return reduce(Q.__or__, (Q(of=kind.name) & kind.seen(viewer) for kind in KINDS.values()))


def _hit(viewer: Viewer, row: Found, words: list[str]) -> Hit:
    kind = KINDS[row.of]
    return Hit(kind.label, row.title, kind.url(viewer.campaign.slug, row), *around(row.text, words))


def around(text: str, words: Iterable[str]) -> tuple[str, str, str]:
    """The text before the first of these words, the word, and the text after it; the beginning where none is there."""
    wanted = tuple(words)
    for match in re.finditer(r"[^\W_]+", text):
        if folded(match[0]).startswith(wanted):
            return _end(text[: match.start()], AROUND), match[0], _beginning(text[match.end() :], AROUND)
    return _beginning(text, 2 * AROUND), "", ""


def _beginning(text: str, most: int) -> str:
    """So much of a text, cut after a word.

    >>> _beginning("the way to the sea", 12)
    'the way to…'
    """
    if len(text) <= most:
        return text
    kept = text[: most + 1]
    return f"{kept.rpartition(' ')[0] or kept[:-1]}…"


def _end(text: str, most: int) -> str:
    """The same from the end, cut before a word."""
    if len(text) <= most:
        return text
    kept = text[-most - 1 :]
    return f"…{kept.partition(' ')[2] or kept[1:]}"
