"""Things by their names: where a `[[name]]` in a text leads, and what a note is about.

Each app says what of its own can be named; who looks decides which of them there are.
"""
from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass

from django.db.models import Q
from django.utils.safestring import SafeString

from campaigns.access import Viewer
from campaigns.prose import LINK, prose

MOST = 200  # names that are looked up for a page


@dataclass(frozen=True, slots=True)
class Named:
    """A thing that the viewer may know of: its name, and where it stands."""

    id: uuid.UUID
    name: str
    url: str


# From the viewer and a condition on names or ids to the things that they may know of.
Finder = Callable[[Viewer, Collection[str], Collection[uuid.UUID]], Iterable[Named]]
_FINDERS: list[Finder] = []


def offer(finder: Finder) -> None:
    """Makes a kind of things known by name. Things of kinds that were offered first win where two have one name."""
    _FINDERS.append(finder)


def named(names: Collection[str], column: str, ids: Collection[uuid.UUID]) -> Q:
    """The condition for rows of these names, whatever their case, or of these ids."""
    wanted = Q(pk__in=list(ids))
    for name in names:
        wanted |= Q(**{f"{column}__iexact": name})
    return wanted


def by_name(viewer: Viewer, names: Collection[str]) -> dict[str, Named]:
    """What these names mean to the viewer, by the name in small letters; those that mean nothing are left out."""
    things: dict[str, Named] = {}
    for finder in _FINDERS if names else ():
        for thing in finder(viewer, names, ()):
            things.setdefault(thing.name.casefold(), thing)
    return things


def by_id(viewer: Viewer, ids: Collection[uuid.UUID]) -> dict[uuid.UUID, Named]:
    """Those of these things that the viewer may know of."""
    return {thing.id: thing for finder in _FINDERS for thing in finder(viewer, (), ids)} if ids else {}


def links(viewer: Viewer, *texts: str | None) -> dict[str, str]:
    """Where the `[[names]]` of these texts lead, by the name in small letters, as far as the viewer may know of it.

    It takes as many queries for all texts of a page as for one; the filter `prose` takes what it answers.
    """
    wanted = list(dict.fromkeys(match[1].strip() for text in texts for match in LINK.finditer(text or "")))
    return {name: thing.url for name, thing in by_name(viewer, wanted[:MOST]).items()}


def linked(viewer: Viewer, text: str, missing: Callable[[str], str] = lambda name: "") -> SafeString:
    """A text as HTML with its `[[names]]` as links. `missing` is the address for a name that means nothing yet."""
    known = links(viewer, text)
    return prose(text, lambda name: known.get(name.casefold()) or missing(name))


def mentions(column: str, name: str) -> Q:
    """The condition for texts that link to a name."""
    return Q(**{f"{column}__icontains": f"[[{name}]]"}) | Q(**{f"{column}__icontains": f"[[{name}|"})
