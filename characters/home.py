"""My sheets on Home: one tap from the icon of the site."""
from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from campaigns.access import Viewer
from campaigns.home_parts import HomePart, Place, offer
from characters.models import Character

MOST = 30


@dataclass(frozen=True, slots=True)
class MySheet:
    """A character that I play, and where."""

    name: str
    url: str
    campaign: str
    system: str


def mine(viewers: Sequence[Viewer]) -> list[Character]:
    """The characters that these viewers play, by name; one query."""
    members = [viewer.member.pk for viewer in viewers if viewer.plays]
    characters = Character.objects.filter(player__in=members, retired=False).select_related("campaign")
    return list(characters.order_by("name", "pk")[:MOST]) if members else []


@offer(Place.OWN)
def sheets_on_home(viewers: Sequence[Viewer]) -> HomePart | None:
    """The sheets of those who are played by whoever looks."""
    sheets = [MySheet(character.name, reverse("sheet", args=[character.campaign.slug, character.pk]),
                      character.campaign.name, character.campaign.system) for character in mine(viewers)]
    return HomePart("characters/home.html", sheets) if sheets else None
