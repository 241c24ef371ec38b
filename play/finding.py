"""What the search finds of play: sessions with their recaps, scenes, and what a GM prepared."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable, Iterator

from django.db.models import Model, Q
from django.urls import reverse

from campaigns import linking
from campaigns.access import Viewer
from campaigns.models import Campaign, Change, Entry, Found
from campaigns.search import Doc, Ids, Searchable, declare, paged
from campaigns.trail.visible import readable
from characters.models import Character
from play.library import known, met
from play.models import Contest, LibraryTag, PrepItem, Scene, Session
from play.services.folds import fold
from rules.afterwards import StatesFacts


def _all(model: type[Model]) -> Callable[[Campaign], Iterator[uuid.UUID]]:
    return lambda campaign: paged(model._default_manager.filter(campaign=campaign))


def _all_tagged(campaign: Campaign) -> Iterable[uuid.UUID]:
    tags = LibraryTag.objects.filter(campaign=campaign).order_by("thing_id")
    return tags.values_list("thing_id", flat=True).distinct()


def _sessions(campaign: Campaign, ids: Ids) -> Iterator[Doc]:
    for session in Session.objects.filter(campaign=campaign, pk__in=ids).order_by("pk"):
        yield Doc(session.pk, "all", str(session), session.recap, str(session.number))


def _scenes(campaign: Campaign, ids: Ids) -> Iterator[Doc]:
    for scene in Scene.objects.filter(campaign=campaign, pk__in=ids).select_related("session").order_by("pk"):
        yield Doc(scene.pk, "all", scene.title, scene.text, str(scene.session.number))


def _prepared(campaign: Campaign, ids: Ids) -> Iterator[Doc]:
    types = {kind.name for kind in campaign.rules.library}
    for prep_item in PrepItem.objects.filter(campaign=campaign, type__in=types, pk__in=ids).order_by("pk"):
        yield Doc(prep_item.pk, "face", prep_item.name, prep_item.looks)
        yield Doc(prep_item.pk, "all", prep_item.name, prep_item.text)


def _tagged(campaign: Campaign, ids: Ids) -> Iterator[Doc]:
    """Each thing that has tags with all of them."""
    rows = LibraryTag.objects.filter(campaign=campaign, thing_id__in=ids).order_by("thing_id", "tag")
    tags: dict[uuid.UUID, list[str]] = {}
    for thing, tag in rows.values_list("thing_id", "tag"):
        tags.setdefault(thing, []).append(f"#{tag}")
    names = dict(PrepItem.objects.filter(pk__in=tags).values_list("pk", "name"))
    names |= dict(Character.objects.filter(pk__in=tags).values_list("pk", "name"))
    for thing, words in tags.items():
        yield Doc(thing, "gm", names.get(thing, ""), " ".join(words))


def _facts(campaign: Campaign, ids: Ids) -> Iterator[Doc]:
    """What contests made true, each with its contest."""
    kinds = {kind.name: kind for kind in campaign.rules.procedures if isinstance(kind, StatesFacts)}
    contests = Contest.objects.filter(campaign=campaign, kind__in=kinds, pk__in=ids).order_by("pk")
    for contest in contests if kinds else ():
        kind = kinds[contest.kind]
        for number, fact in enumerate(kind.facts(fold(kind, contest))):
            if fact.stands:
                yield Doc(contest.pk, "all", fact.fact, f"{contest.title}. {fact.terms}", str(number))


def _things(viewer: Viewer) -> Q:
    return Q(part="face", object_id__in=met(viewer).values("pk")) | Q(
        part="all", object_id__in=known(viewer).values("pk"))


def _everybody(viewer: Viewer) -> Q:
    return Q()


def _gms(viewer: Viewer) -> Q:
    return Q() if viewer.runs else Q(pk=None)


def _open_facts(viewer: Viewer) -> Q:
    """Facts of contests, but for those that came of an entry that the viewer may not read."""
    makes = [f"contest.{act}" for kind in viewer.campaign.rules.procedures if isinstance(kind, StatesFacts)
             for act in kind.fact_rule.by]
    sealed = Entry.objects.filter(campaign=viewer.campaign, kind__in=makes).exclude(readable(viewer))
    return ~Q(object_id__in=Change.objects.filter(entry__in=sealed, field="").values("object_id"))


def _evening(slug: str, row: Found) -> str:
    return f"{reverse('chronicle', args=[slug])}?earlier={int(row.key) + 1}#session-{row.key}"


def _in_the_library(slug: str, row: Found) -> str:
    return reverse("library_thing", args=[slug, row.object_id])


def _contest(slug: str, row: Found) -> str:
    return reverse("contest", args=[slug, row.object_id])


def _named(viewer: Viewer, names: Collection[str], ids: Collection[uuid.UUID]) -> Iterator[linking.Named]:
    types = {kind.name for kind in viewer.campaign.rules.library}
    items = met(viewer).filter(linking.named(names, "name", ids), type__in=types)
    for pk, name in items.order_by("name", "pk").values_list("pk", "name"):
        yield linking.Named(pk, name, reverse("library_thing", args=[viewer.campaign.slug, pk]))


linking.offer(_named)
declare(Searchable(
    "session", "Session", _evening, {"session": ("title", "recap")}, _all(Session), _sessions, _everybody))
declare(Searchable("scene", "Scene", _evening, {"scene": ("title", "text")}, _all(Scene), _scenes, _everybody))
declare(Searchable(
    "prepared", "Library", _in_the_library, {"prepared": ("name", "text", "looks")}, _all(PrepItem), _prepared,
    _things))
declare(Searchable("tag", "Tag", _in_the_library, {"library_tag": ("tag",)}, _all_tagged, _tagged, _gms, beside=True))
declare(Searchable("fact", "Fact", _contest, {"contest": ("events",)}, _all(Contest), _facts, _open_facts))
