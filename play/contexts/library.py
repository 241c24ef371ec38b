"""The rows and the card of the library: frozen, for whoever runs the game."""
from __future__ import annotations

import uuid
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Q
from django.urls import reverse

from campaigns.access import Viewer
from campaigns.models import View
from campaigns.rulefields import in_words
from campaigns.sight import ViewChoice, choices
from characters.cards import portrait_url
from characters.models import Character
from play.contexts.shown_to import picture_url
from play.library import on_the_scene, tags_of
from play.models import Obstacle, PrepItem
from play.services.bank import kind_of, spec_of
from play.services.obstacles import thrown_against
from rules.system import Opposes, System

SHOWN = 3  # lines of an NPC on its card


@dataclass(frozen=True)
class LibraryRow:
    """Something in the library: its kind in words, what matters at the table, its tags, and whether it is here."""

    id: uuid.UUID
    name: str
    kind: str
    brief: str
    lines: str
    tags: tuple[str, ...]
    here: bool
    can_put: bool
    views: tuple[ViewChoice, ...]
    url: str
    picture: str


@dataclass(frozen=True)
class Filter:
    """A chip that narrows the library: its words, how many there are, where it leads."""

    label: str
    count: int
    query: str
    current: bool


def library_rows(viewer: Viewer, things: Iterable[PrepItem | Character]) -> tuple[LibraryRow, ...]:
    """The rows of a page. NPCs come with `traits` and `pools`."""
    things = tuple(things)
    tags, (people, obstacles) = tags_of(viewer, things), on_the_scene(viewer)
    slug, rules = viewer.campaign.slug, viewer.campaign.rules
    rows = []
    for thing in things:
        if isinstance(thing, Character):
            kind, brief, lines = "NPC", " · ".join(rules.sheet.in_brief(thing.sheet())), best_lines(rules, thing)
            here, can_put = thing.pk in people, not thing.retired
            picture = portrait_url(viewer, thing.pk, thing.portrait.digest if hasattr(thing, "portrait") else "")
        else:
            known, spec = kind_of(viewer.campaign, thing.type), spec_of(thing)
            put = known.obstacles(thing.name, spec)
            kind, brief, lines = known.label, "", " · ".join(
                ": ".join(filter(None, (what, value or words))) for what, value, words in prepared_rows(viewer, thing)
            ) or " ".join(thing.text.split()[:20])
            here, can_put = bool(put) and all(listed.name in obstacles for listed in put), bool(put)
            picture = picture_url(viewer, thing)
        rows.append(LibraryRow(
            thing.pk, thing.name, kind, brief, lines, tuple(tags.get(thing.pk, ())), here, can_put, choices(thing.view),
            reverse("library_thing", args=[slug, thing.pk]), picture,
        ))
    return tuple(rows)


def best_lines(rules: System, character: Character) -> str:
    """What an NPC is best at, as its card says it."""
    sheet = character.sheet()
    known = {kind.name: kind for kind in rules.sheet.trait_kinds}
    brief = rules.sheet.in_brief(sheet)
    said = [
        f"{trait.name} {written}".strip() for trait in sorted(sheet.traits, key=lambda line: -line.now)
        if trait.kind in known and not known[trait.kind].drawn
        and (written := rules.sheet.notation(trait.kind, trait.now)) not in brief and trait.name not in brief
        and f"{trait.name} {written}" not in brief
    ]
    more = f" · {len(said) - SHOWN} more" if len(said) > SHOWN else ""
    return " · ".join(said[:SHOWN]) + more


def prepared_rows(viewer: Viewer, prepared: PrepItem) -> tuple[tuple[str, str, str], ...]:
    """What is in something prepared as (label, value, words), for the GM."""
    known, spec = kind_of(viewer.campaign, prepared.type), spec_of(prepared)
    rows = known.rows(spec, viewer.campaign.settings)
    return tuple((label, said, "") for label, said in in_words(known.fields, spec)) if rows is None else rows


def dice_tell(viewer: Viewer, thing: PrepItem | Character) -> str:
    """When players learn a number of something of which they know less than all, or that they did; "" for what can't
    be rolled against."""
    view, rules = View(thing.view), viewer.campaign.rules
    if isinstance(thing, Character):
        against = isinstance(rules.rolls, Opposes) and view is View.FACE
    else:
        against = view is not View.ALL and bool(kind_of(viewer.campaign, thing.type).obstacles("", {}))
    if not against:
        return ""
    here = Obstacle.objects.filter(Q(thing_id=thing.pk) | Q(character=thing.pk), campaign=viewer.campaign)
    if thrown_against(viewer.campaign, list(here.values_list("pk", flat=True))):
        return "Number seen: dice were thrown against it."
    met = "something is there" if view is View.NOTHING else "its name"
    return f"In a scene players see {met}, and the number they roll against once someone rolls."
