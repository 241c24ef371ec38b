"""Something prepared as players see it, on its own page and in what is shown to them."""
from __future__ import annotations

from dataclasses import dataclass

from django.urls import reverse

from campaigns.access import Viewer
from campaigns.rulefields import in_words
from play.models import PrepItem
from play.services.bank import kind_of, spec_of


@dataclass(frozen=True)
class ThingFace:
    """Something prepared as a player sees it: where they know the face alone, without `text` and `rows`."""

    name: str
    kind: str
    looks: str
    text: str
    rows: tuple[tuple[str, str], ...]
    picture: str
    whole: bool


def picture_url(viewer: Viewer, item: PrepItem) -> str:
    """Where the picture of something prepared is; "" where there is none."""
    return reverse("thing_image", args=[viewer.campaign.slug, item.pk, item.digest]) if item.digest else ""


def thing_face(viewer: Viewer, item: PrepItem, whole: bool) -> ThingFace:
    """Something prepared for whoever does not run the game."""
    return ThingFace(
        item.name, kind_of(viewer.campaign, item.type).label, item.looks, item.text if whole else "",
        tuple(players_lines(viewer, item).items()) if whole else (), picture_url(viewer, item), whole)


def players_lines(viewer: Viewer, item: PrepItem) -> dict[str, str]:
    """What players read of something prepared, once all of it is shown."""
    kind, spec = kind_of(viewer.campaign, item.type), spec_of(item)
    rows = kind.rows(spec, viewer.campaign.settings, players=True)
    if rows is None:
        return dict(in_words(kind.fields, spec))
    return {what: value or words for what, value, words in rows}
