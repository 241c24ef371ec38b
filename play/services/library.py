"""The GM's library: what quick lines make, its tags, copies, and what is put on the scene. All of it sealed."""
from __future__ import annotations

import uuid
from collections.abc import Sequence
from typing import Any

from django.db import transaction

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.models import Character
from characters.services import editing, npcs
from play.models import LibraryTag, PrepItem, Presence
from play.services import bank, obstacles, sessions
from rules.quick_lines import QuickLine

MOST_LINES, MOST_COPIES = 30, 12

trail.declare("library.tag", "Something prepared gets tags", bank.PREPARED, story=False)


@trail.answers_once
@transaction.atomic
def add(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, lines: Sequence[QuickLine], here: bool = False
) -> Entry:
    """What each line says, put into the library, NPCs hidden; with `here`, on the scene as well.

    All of them or none. Raises `Refused` for a line of which something was not understood.
    """
    if not lines or len(lines) > MOST_LINES:
        raise Refused(f"Write 1 to {MOST_LINES} lines.", "line")
    entries = []
    for number, said in enumerate(lines):
        if not said.ready:
            raise Refused(f"Change the marked words in “{said.name or 'a line'}”: nothing was added.", "line")
        own = uuid.uuid5(op_id, f"line {number}") if number else op_id
        by: dict[str, Any] = {"campaign": campaign, "actor": actor, "op_id": own}
        entries.append(npcs.quick(**by, line=said.line, hidden=True) if said.line else bank.write(
            **by, type=said.kind, name=said.name, words=said.text, fields=dict(said.spec)))
        for place, thing_id in enumerate(_made(campaign, own, said)):
            more: dict[str, Any] = {"campaign": campaign, "actor": actor, "thing_id": thing_id}
            if said.tags:
                tag(**more, op_id=uuid.uuid5(own, f"tags {place}"), tags=said.tags)
            if here:
                put(**more, op_id=uuid.uuid5(own, f"put {place}"))
    return entries[0]


def _made(campaign: Campaign, op_id: uuid.UUID, said: QuickLine) -> list[uuid.UUID]:
    """The ids of what a line makes."""
    if not said.line:
        return [bank.id_from(campaign, op_id)]
    ops = [uuid.uuid5(op_id, f"squad {number}") if number else op_id for number in range(said.count)]
    return [editing.id_from(campaign, pk) for pk in ops]


@trail.answers_once
def tag(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, thing_id: uuid.UUID, tags: Sequence[str]) -> Entry:
    """Says which tags something in the library has: those named, and no others."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="library.tag", audience=trail.GM
    ) as entry:
        thing = _thing(entry.campaign, thing_id)
        had = {library_tag.tag: library_tag
               for library_tag in LibraryTag.objects.filter(campaign=campaign, thing_id=thing_id)}
        if set(had) == set(tags):
            raise Refused("No change: these are already its tags.", "tags")
        for name in sorted(set(had) - set(tags)):
            entry.remove(had[name])
        for name in dict.fromkeys(tags):
            if name not in had:
                entry.create(LibraryTag(campaign=entry.campaign, thing_id=thing_id, tag=name))
        entry.index(thing.pk)
        entry.title = f"Tags of {thing.name}"
    return entry.written


@trail.answers_once
@transaction.atomic
def copy(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, thing_id: uuid.UUID, count: int) -> Entry:
    """So many more like something in the library, with its tags."""
    if not 1 <= count <= MOST_COPIES:
        raise Refused(f"Make 1 to {MOST_COPIES} more at a time.", "count")
    if isinstance(_thing(campaign, thing_id), PrepItem):
        return bank.duplicate(campaign=campaign, actor=actor, op_id=op_id, prepared_id=thing_id, count=count)
    tags = list(LibraryTag.objects.filter(campaign=campaign, thing_id=thing_id).values_list("tag", flat=True))
    entries = []
    for number in range(count):
        own = uuid.uuid5(op_id, f"copy {number}") if number else op_id
        by: dict[str, Any] = {"campaign": campaign, "actor": actor}
        entries.append(npcs.duplicate(**by, op_id=own, character_id=thing_id))
        if tags:
            tag(**by, op_id=uuid.uuid5(own, "tags"), thing_id=editing.id_from(campaign, own), tags=tags)
    return entries[0]


@trail.answers_once
@transaction.atomic
def put(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, thing_id: uuid.UUID) -> Entry:
    """Puts something on the scene that is on: an NPC comes in, hidden ones unseen; all else stands in the way."""
    campaign = Campaign.objects.get(pk=campaign.pk)
    if not campaign.scene_id:
        raise Refused("Open a scene first.")
    thing = _thing(campaign, thing_id)
    by: dict[str, Any] = {"campaign": campaign, "actor": actor}
    if isinstance(thing, Character):
        here = list(Presence.objects.filter(scene=campaign.scene_id).values_list("character_id", flat=True))
        return sessions.set_presence(**by, op_id=op_id, characters=[*here, thing.pk])
    in_the_way = bank.kind_of(campaign, thing.type).obstacles(thing.name, bank.spec_of(thing))
    if not in_the_way:
        raise Refused(f"{thing.name} can’t be an obstacle. Open it to show it to the players.")
    first, *others = in_the_way
    entry = obstacles.put(**by, op_id=op_id, name=first.name, values=first.values, thing_id=thing.pk)
    for place, other in enumerate(others):
        obstacles.put(**by, op_id=uuid.uuid5(op_id, f"obstacle {place}"), name=other.name, values=other.values,
                      thing_id=thing.pk)
    return entry


def _thing(campaign: Campaign, thing_id: uuid.UUID) -> PrepItem | Character:
    thing = PrepItem.objects.filter(campaign=campaign, pk=thing_id).first() or Character.objects.filter(
        campaign=campaign, pk=thing_id, npc=True).first()
    if thing is None:
        raise Refused("This is no longer in the library.")
    return thing
