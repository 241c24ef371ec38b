"""Who is in the scene, for the table."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from campaigns.access import Viewer
from campaigns.models import View
from campaigns.sight import ViewChoice, choices
from characters.models import Character
from play.contexts.scene_menu import Link
from play.contexts.ways_back import mending

SIGNS = ("+", "−")
BEST = 3  # so many of the lines that somebody is best at


@dataclass(frozen=True)
class PersonHere:
    """Somebody in the scene: the name of who plays them, "" for nobody, and how much damage is on the sheet."""

    pk: uuid.UUID
    name: str
    player: str
    hidden: bool
    npc: bool
    hurt: int
    best: tuple[str, ...] = ()  # what they are best at, each with its number as it counts now
    lasts: tuple[str, ...] = ()  # what hurts or holds them
    counts: tuple[tuple[str, str], ...] = ()  # what lasts for them and counts on rolls: by how much, and what it is
    views: tuple[ViewChoice, ...] = ()  # for the GM: what players see of an NPC
    mending: tuple[Link, ...] = ()  # what the viewer can try for them
    dead: bool = False


def people_here(
    viewer: Viewer, characters: Sequence[Character], faces: Iterable[Character] = ()
) -> tuple[PersonHere, ...]:
    """Those in a scene, then those of whom the face alone is known. Prefetch `traits` and `pools`, join the player."""
    rules = viewer.campaign.rules.sheet
    mended = mending(viewer, characters, characters)
    usual = {kind.name for kind in rules.trait_kinds if not (kind.condition or kind.played or kind.drawn)}
    holding = {kind.name for kind in rules.trait_kinds if kind.condition}
    return (*(
        PersonHere(
            character.pk, character.name, str(character.player) if character.player else "",
            character.view is View.NOTHING, character.npc, character.hurt,
            tuple(f"{line.name} {rules.notation(line.kind, line.value - line.damage)}" for line in sorted(
                (line for line in character.traits.all() if line.kind in usual),
                key=lambda line: line.damage - line.value)[:BEST]),
            tuple(line.name for line in character.traits.all() if line.kind in holding or line.damage),
            tuple((signed, line.name) for line in character.traits.all() if line.kind in holding and (
                signed := rules.notation(line.kind, line.value)).startswith(SIGNS)),
            choices(character.view) if viewer.runs and character.npc else (), mended.get(character.pk, ()),
            character.dead,
        ) for character in characters
    ), *(PersonHere(face.pk, face.name, "", False, True, 0) for face in faces))
