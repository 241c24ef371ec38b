"""What the search finds of play: sessions with their recaps, scenes, and what a GM prepared."""
from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator

from django.db.models import Q
from django.urls import reverse

from campaigns import linking
from campaigns.access import Viewer
from campaigns.models import Campaign, Found
from campaigns.search import Doc, Ids, Searchable, declare
from play.models import PrepItem, Scene, Session


def _sessions(campaign: Campaign, ids: Ids) -> Iterator[Doc]:
    found = Session.objects.filter(campaign=campaign).order_by("pk")
    for each in found.filter(pk__in=ids) if ids is not None else found:
        yield Doc(each.pk, "all", str(each), each.recap, str(each.number))


def _scenes(campaign: Campaign, ids: Ids) -> Iterator[Doc]:
    found = Scene.objects.filter(campaign=campaign).select_related("session").order_by("pk")
    for each in found.filter(pk__in=ids) if ids is not None else found:
        yield Doc(each.pk, "all", each.title, each.text, str(each.session.number))


def _prepared(campaign: Campaign, ids: Ids) -> Iterator[Doc]:
    sorts = {kind.name for kind in campaign.rules.library}
    found = PrepItem.objects.filter(campaign=campaign, sort__in=sorts).order_by("pk")
    for each in found.filter(pk__in=ids) if ids is not None else found:
        yield Doc(each.pk, "gm", each.name, each.text, each.sort)


def _everybody(viewer: Viewer) -> Q:
    return Q()


def _gms(viewer: Viewer) -> Q:
    return Q() if viewer.runs else Q(pk=None)


def _evening(slug: str, row: Found) -> str:
    return f"{reverse('chronicle', args=[slug])}?earlier={int(row.key) + 1}#session-{row.key}"


def _in_the_bank(slug: str, row: Found) -> str:
    return reverse("prepared", args=[slug, row.key, row.object_id])


def _named(viewer: Viewer, names: Collection[str], ids: Collection[uuid.UUID]) -> Iterator[linking.Named]:
    sorts = {kind.name for kind in viewer.campaign.rules.library}
    if viewer.runs and sorts:
        found = PrepItem.objects.filter(linking.named(names, "name", ids), campaign=viewer.campaign, sort__in=sorts)
        for pk, name, sort in found.order_by("name", "pk").values_list("pk", "name", "sort"):
            yield linking.Named(pk, name, reverse("prepared", args=[viewer.campaign.slug, sort, pk]))


linking.offer(_named)
declare(Searchable("session", "Session", _evening, {"session": ("title", "recap")}, _sessions, _everybody))
declare(Searchable("scene", "Scene", _evening, {"scene": ("title", "text")}, _scenes, _everybody))
declare(Searchable("prepared", "Prepared", _in_the_bank, {"prepared": ("name", "text")}, _prepared, _gms))
