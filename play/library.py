"""Reads of the GM's library: NPCs and all else that is prepared, one list by name. The first argument is the viewer."""
from __future__ import annotations

import re
import uuid
from contextlib import suppress
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import Http404

from campaigns import sight
from campaigns.access import Viewer
from campaigns.models import Image, View
from characters.models import Character, Trait
from play.models import LibraryTag, Obstacle, PrepItem, Presence
from rules.prep import NPC
from rules.system import System
from rules.values import BadMove

PAGE, MOST_TAGS, MOST_WORDS = 50, 12, 6


@dataclass(frozen=True)
class Wanted:
    """What is looked for: words, a kind, a tag, and the name and id to go on after."""

    q: str = ""
    kind: str = ""
    tag: str = ""
    after: tuple[str, uuid.UUID] | None = None


@dataclass(frozen=True)
class Found:
    """A page of the library: its things in order, and whether there are more."""

    things: tuple[PrepItem | Character, ...]
    more: bool


def found(viewer: Viewer, wanted: Wanted) -> Found:
    """A page of what is looked for, by name: three queries and those of the sheets."""
    items = PrepItem.objects.filter(_items(viewer, wanted), campaign=viewer.campaign)
    people = Character.objects.filter(_people(viewer, wanted), campaign=viewer.campaign, npc=True, retired=False)
    if wanted.after:
        name, pk = wanted.after
        beyond = Q(name__gt=name) | Q(name=name, pk__gt=pk)
        items, people = items.filter(beyond), people.filter(beyond)
    both = items.values_list("name", "pk").union(people.values_list("name", "pk"), all=True)
    keys = [pk for _, pk in both.order_by("name", "id")[: PAGE + 1]]
    things: dict[uuid.UUID, PrepItem | Character] = {}
    things |= PrepItem.objects.in_bulk(keys[:PAGE])
    sheets = Character.objects.select_related("portrait").prefetch_related(
        Prefetch("traits", Trait.objects.order_by("place")), "pools")
    things |= sheets.in_bulk(keys[:PAGE])
    return Found(tuple(things[pk] for pk in keys[:PAGE]), len(keys) > PAGE)


def thing(viewer: Viewer, thing_id: uuid.UUID | str) -> PrepItem | Character | None:
    """Something in the library; None where there is no such thing."""
    try:
        thing_id = uuid.UUID(str(thing_id))
    except ValueError:
        return None
    people = Character.objects.filter(campaign=viewer.campaign, npc=True)
    people = people.select_related("portrait")
    return PrepItem.objects.filter(campaign=viewer.campaign, pk=thing_id).first() or people.prefetch_related(
        Prefetch("traits", Trait.objects.order_by("place")), "pools").filter(pk=thing_id).first()


def known(viewer: Viewer) -> QuerySet[PrepItem]:
    """The things of which the viewer may know all."""
    items = PrepItem.objects.filter(campaign=viewer.campaign)
    return items if viewer.runs else items.filter(Q(shown=True) | Q(pk__in=sight.shown_to(viewer, View.ALL)))


def met(viewer: Viewer) -> QuerySet[PrepItem]:
    """The things that the viewer may know of, if only by their face."""
    items = PrepItem.objects.filter(campaign=viewer.campaign)
    seen = Q(shown=True) | Q(face=True) | Q(pk__in=sight.shown_to(viewer, View.FACE, View.ALL))
    return items if viewer.runs else items.filter(seen)


def find(viewer: Viewer, thing_id: uuid.UUID) -> tuple[PrepItem, bool]:
    """A thing, and whether all of it is open to the viewer; 404 for one that they may not know of."""
    thing = met(viewer).filter(pk=thing_id).first()
    if thing is None:
        raise Http404("There is nothing here for you.")
    return thing, known(viewer).filter(pk=thing_id).exists()


def image(viewer: Viewer, thing_id: uuid.UUID, digest: str) -> bytes:
    """The picture that a thing has now; 404 for one of another digest."""
    thing, _ = find(viewer, thing_id)
    kept = Image.objects.filter(campaign=viewer.campaign, digest=digest).first() if thing.digest == digest else None
    if kept is None:
        raise Http404("There is no picture here.")
    return bytes(kept.webp)


def counts(viewer: Viewer) -> dict[str, int]:
    """How many things of each kind there are."""
    kinds = PrepItem.objects.filter(campaign=viewer.campaign).values("type").annotate(n=Count("pk"))
    people = Character.objects.filter(campaign=viewer.campaign, npc=True, retired=False).count()
    return {NPC: people, **{row["type"]: row["n"] for row in kinds}}


def tags(viewer: Viewer) -> list[tuple[str, int]]:
    """The tags that most things have, with how many."""
    rows = LibraryTag.objects.filter(campaign=viewer.campaign).values("tag").annotate(n=Count("pk"))
    return [(row["tag"], row["n"]) for row in rows.order_by("-n", "tag")[:MOST_TAGS]]


def tags_of(viewer: Viewer, things: tuple[PrepItem | Character, ...]) -> dict[uuid.UUID, list[str]]:
    """The tags of these things, by id."""
    rows = LibraryTag.objects.filter(campaign=viewer.campaign, thing_id__in=[thing.pk for thing in things])
    held: dict[uuid.UUID, list[str]] = {}
    for row in rows.order_by("tag"):
        held.setdefault(row.thing_id, []).append(row.tag)
    return held


def on_the_scene(viewer: Viewer) -> tuple[set[uuid.UUID], set[str]]:
    """Who is in the scene that is on, by id, and what stands in the way there, by name."""
    scene = viewer.campaign.scene_id
    if not scene:
        return set(), set()
    here = Presence.objects.filter(scene=scene).values_list("character_id", flat=True)
    return set(here), set(Obstacle.objects.filter(scene=scene).values_list("name", flat=True))


def _items(viewer: Viewer, wanted: Wanted) -> Q:
    asked = Q(type=wanted.kind) if wanted.kind else Q()
    for word in _words(wanted.q):
        # Values are read, not the names of the fields that hold them: a number as a whole, a word inside a text.
        inside = rf'(?<![0-9])(?<!"v":){word}(?![0-9])' if word.isdecimal() else rf':"[^"]*{re.escape(word)}'
        asked &= Q(name__icontains=word) | Q(text__icontains=word) | Q(spec__iregex=inside) | _tagged(viewer, word)
    return asked & (_tagged(viewer, wanted.tag, whole=True) if wanted.tag else Q())


def _people(viewer: Viewer, wanted: Wanted) -> Q:
    if wanted.kind not in ("", NPC):
        return Q(pk=None)
    asked = Q()
    lines = Trait.objects.filter(character=OuterRef("pk"))
    for word in _words(wanted.q):
        values = [Q(kind=kind, value__in=matching) for kind, matching in _values(viewer.campaign.rules, word).items()]
        line = lines.filter(reduce(or_, values, Q(name__icontains=word) | Q(note__icontains=word)))
        asked &= (Q(name__icontains=word) | Q(concept__icontains=word) | Q(story__icontains=word) | Exists(line)
                  | _tagged(viewer, word))
    return asked & (_tagged(viewer, wanted.tag, whole=True) if wanted.tag else Q())


def _words(q: str) -> list[str]:
    return [word.lstrip("#") for word in q.split()[:MOST_WORDS] if word.lstrip("#")]


def _tagged(viewer: Viewer, word: str, whole: bool = False) -> Q:
    named = Q(tag=word.casefold()) if whole else Q(tag__startswith=word.casefold())
    held = LibraryTag.objects.filter(named, campaign=viewer.campaign, thing_id=OuterRef("pk"))
    return Q(Exists(held))


def _values(rules: System, word: str) -> dict[str, set[int]]:
    """The numbers that a word is on a sheet of the game, by kind of line: `good`, `17`, `3M`."""
    held: dict[str, set[int]] = {}
    for kind in rules.sheet.trait_kinds:
        said = {value for value, label in kind.values if word.casefold() in re.findall(r"\w+", label.casefold())}
        with suppress(BadMove, TypeError):
            said |= {int(kind.typed.check(word))} if kind.typed else set()
        if said:
            held[kind.name] = said
    return held


