"""What the search finds of characters: their names and looks, their sheets, and what GMs wrote of them."""
from __future__ import annotations

import uuid
from collections.abc import Collection, Iterator

from django.db.models import Prefetch, Q
from django.urls import reverse

from campaigns import linking
from campaigns.access import Viewer
from campaigns.models import Campaign, Found
from campaigns.search import Doc, Ids, Searchable, declare, paged
from characters.models import Character, Trait
from characters.queries import known, met

WATCHES = {
    "character": ("name", "concept", "story", "looks"), "trait": ("name", "note", "value", "character_id"),
    "note": ("text",),
}


def _all(campaign: Campaign) -> Iterator[uuid.UUID]:
    return paged(Character.objects.filter(campaign=campaign))


def _docs(campaign: Campaign, ids: Ids) -> Iterator[Doc]:
    characters = Character.objects.filter(campaign=campaign, pk__in=ids).select_related("gm_note").order_by("pk")
    characters = characters.prefetch_related(Prefetch("traits", Trait.objects.order_by("place")))
    notation = campaign.rules.sheet.notation
    for character in characters:
        yield Doc(character.pk, "face", character.name, character.looks)
        lines = [f"{line.name} {notation(line.kind, line.value)} {line.note}".strip()
                 for line in character.traits.all()]
        text = "\n".join(filter(None, [character.concept, *lines, character.story]))
        yield Doc(character.pk, "all", character.name, text)
        if (note := getattr(character, "gm_note", None)) and note.text:
            yield Doc(character.pk, "gm", character.name, note.text)


def _seen(viewer: Viewer) -> Q:
    if viewer.runs:
        return Q()
    return Q(part="face", object_id__in=met(viewer).values("pk")) | Q(
        part="all", object_id__in=known(viewer).values("pk"))


def _url(slug: str, row: Found) -> str:
    return reverse("sheet", args=[slug, row.object_id])


def _named(viewer: Viewer, names: Collection[str], ids: Collection[uuid.UUID]) -> Iterator[linking.Named]:
    characters = met(viewer).filter(linking.named(names, "name", ids)).order_by("retired", "name", "pk")
    for pk, name in characters.values_list("pk", "name"):
        yield linking.Named(pk, name, reverse("sheet", args=[viewer.campaign.slug, pk]))


linking.offer(_named)
declare(Searchable("character", "Character", _url, WATCHES, _all, _docs, _seen))
