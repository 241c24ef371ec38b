"""What brings back a character who can't act: what there is to roll or to place, the game's own way, the GM's word."""
from __future__ import annotations

from django.urls import reverse

from campaigns.access import Viewer
from play import queries
from play.contexts.scene_menu import Link

PLACING = {"damage": "Assign damage", "recovery": "Recover", "roll": "Roll for recovery"}


def ways_back(viewer: Viewer, character_id: str, *, dead: bool) -> tuple[Link, ...]:
    """The buttons for this character, the likeliest first; where none is here, the sheet."""
    slug, rules = viewer.campaign.slug, viewer.campaign.rules
    if dead:
        return () if viewer.runs else (Link("Create a new character", reverse("character_begin", args=[slug])),)
    links = [Link(PLACING[allocation.type], reverse("place", args=[slug, allocation.pk]))
             for allocation in queries.pending_allocations(viewer) if str(allocation.character_id) == character_id]
    words, name = rules.sheet.way_back
    kind = next((procedure.slug for procedure in rules.procedures if procedure.name == name), "")
    if words and kind and queries.ongoing(viewer, kind):
        links.append(Link(words, reverse("ongoing", args=[slug, kind])))
    if viewer.runs and queries.anybody_hurt(viewer):
        links.append(Link("Let them recover", reverse("recover", args=[slug])))
    return tuple(links) or (Link("Open the sheet", reverse("sheet", args=[slug, character_id])),)
