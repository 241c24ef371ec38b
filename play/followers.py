"""An NPC of the library becomes the follower of a character, where the game has followers. The GM alone does that."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from contextlib import suppress

from django.urls import reverse

from campaigns.access import Viewer
from characters.models import Character
from play import queries
from play.contexts.scene_menu import Link
from rules.followers import TakesFollowers
from rules.values import Value


def beginning(viewer: Viewer, npc_id: str) -> tuple[str, Mapping[str, Value]]:
    """The action that takes on a follower, and what its form begins with for this NPC; ("", {}) for nobody."""
    rules = viewer.campaign.rules.sheet
    if viewer.runs and isinstance(rules, TakesFollowers):
        with suppress(ValueError):
            npc = Character.objects.filter(campaign=viewer.campaign, npc=True, pk=uuid.UUID(npc_id)).first()
            if npc:
                return rules.follower_action, rules.as_follower(npc.sheet())
    return "", {}


def may_follow(viewer: Viewer, npc: Character) -> tuple[Link, ...]:
    """Whom this NPC could follow: a link to the form on each sheet that can take one on."""
    campaign, rules = viewer.campaign, viewer.campaign.rules.sheet
    if not isinstance(rules, TakesFollowers):
        return ()
    return tuple(
        Link(character.name, reverse("sheet_actions", args=[campaign.slug, character.pk])
             + f"?follower={npc.pk}#action-{rules.follower_action}")
        for character in queries.known(viewer).filter(npc=False, dead=False).order_by("name", "pk")[:20]
        if any(offer.action == rules.follower_action for offer in rules.actions(character.sheet(), campaign.settings)))
