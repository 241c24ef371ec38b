"""A character in a list, and as whoever knows its face alone sees it."""
from __future__ import annotations

import uuid
from collections.abc import Collection
from dataclasses import dataclass

from django.urls import reverse

from campaigns.access import Viewer
from campaigns.sight import ViewChoice, choices
from characters.models import Character


@dataclass(frozen=True)
class Card:
    """A character in the list. `views` are the three that a GM can choose from for an NPC."""

    id: uuid.UUID
    url: str
    name: str
    under: str
    portrait: str
    chip: str
    views: tuple[ViewChoice, ...] = ()


@dataclass(frozen=True)
class FaceContext:
    """A character as whoever knows its face alone sees it: no line, no number."""

    id: uuid.UUID
    name: str
    looks: str
    portrait: str


def card(
    viewer: Viewer, character: Character, open_: Collection[uuid.UUID], seen_by_some: Collection[uuid.UUID] = ()
) -> Card:
    """A character in the list; `open_` are the ids of those that the viewer may know all of, `seen_by_some` of those of
    which single players know more than everyone. Select `player__user` and `portrait`, prefetch `traits`."""
    digest = character.portrait.digest if hasattr(character, "portrait") else ""
    url = reverse("sheet", args=[viewer.campaign.slug, character.pk])
    portrait = portrait_url(viewer, character.pk, digest)
    if character.pk not in open_:
        return Card(character.pk, url, character.name, shortened(character.looks), portrait, "")
    played = f"Played by {character.player}" if character.player and character.player_id != viewer.member.pk else ""
    return Card(
        character.pk, url, character.name,
        " · ".join(filter(None, (character.concept or _strongest(viewer, character), played))),
        portrait, _chip(character, character.pk in seen_by_some),
        choices(character.view) if viewer.runs and character.npc and not character.retired else (),
    )


def face_context(viewer: Viewer, character: Character) -> FaceContext:
    """A character for whoever knows its face alone. Select `portrait`."""
    digest = character.portrait.digest if hasattr(character, "portrait") else ""
    return FaceContext(character.pk, character.name, character.looks, portrait_url(viewer, character.pk, digest))


def shortened(words: str, most: int = 120) -> str:
    """The first line of a text, cut where it is long."""
    line = words.partition("\n")[0]
    return line if len(line) <= most else f"{line[:most].rstrip()}…"


def _chip(character: Character, seen_by_some: bool) -> str:
    if character.retired:
        return "Retired"
    if character.dead:
        return "Dead"
    return "Some see more" if seen_by_some else ""  # the buttons say what everyone sees


def _strongest(viewer: Viewer, character: Character) -> str:
    """Who has no concept is known by the first lines of the sheet."""
    lines = sorted(character.traits.all(), key=lambda trait: trait.place)[:3]
    return ", ".join(f"{line.name} {viewer.campaign.rules.sheet.notation(line.kind, line.value)}" for line in lines)


def portrait_url(viewer: Viewer, character_id: uuid.UUID, digest: str) -> str:
    """Where the picture is; "" where there is none."""
    return reverse("portrait_image", args=[viewer.campaign.slug, character_id, digest]) if digest else ""
