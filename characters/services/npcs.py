"""NPCs in a hurry: from one line, or from one that is there."""
from __future__ import annotations

import re
import uuid
from collections.abc import Iterable

from django.db import transaction

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.models import Character, Portrait, Trait
from characters.services import editing
from characters.services.common import NAME, locked, text
from rules import npc_lines


@trail.answers_once
@transaction.atomic
def quick(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, line: str, hidden: bool = False) -> Entry:
    """An NPC from one line in the game's own words: `guard, Fighting good`.

    "2 squads of 5 guards, good" makes two, numbered; the entry of the first is answered.
    """
    said = text(line, 1000, "line", needed="Enter a name.")
    name, drafts = campaign.rules.sheet.from_line(said)
    if len(name) > NAME or any(len(draft.name) > NAME for draft in drafts):
        raise Refused(f"Keep each name to {NAME} characters.", "line")
    squads = npc_lines.read(said, said).squads
    entries = [
        editing.create(
            campaign=campaign, actor=actor, op_id=uuid.uuid5(op_id, f"squad {number}") if number else op_id,
            name=_numbered(campaign, name) if squads > 1 else name, npc=True, hidden=hidden,
            lines=[editing.Line(draft.kind, draft.name, draft.value, draft.note, within=draft.within)
                   for draft in drafts],
        )
        for number in range(squads)
    ]
    return entries[0]


@trail.answers_once
def duplicate(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID) -> Entry:
    """Another one like this NPC, unhurt, with the next number behind its name; its id comes from `editing.id_from`."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="character.create") as entry:
        one = locked(entry, character_id)
        if not one.npc:
            raise Refused("Only an NPC can be doubled.")
        other = entry.create(Character(
            id=editing.id_from(campaign, op_id), campaign=entry.campaign, name=_next_name(one), concept=one.concept,
            story=one.story, npc=True, hidden=one.hidden,
        ))
        copies: dict[uuid.UUID | None, Trait] = {}
        for trait in sorted(one.traits.order_by("place"), key=lambda trait: trait.parent_id is not None):
            copies[trait.pk] = entry.create(Trait(
                campaign=entry.campaign, character=other, kind=trait.kind, name=trait.name, value=trait.value,
                note=trait.note, place=trait.place, parent=copies.get(trait.parent_id),
            ))
        if portrait := Portrait.objects.filter(character=one).first():
            entry.create(Portrait(campaign=entry.campaign, character=other, digest=portrait.digest))
        entry.title = f"{other.name} joins"
    return entry.written


def _next_name(one: Character) -> str:
    taken = Character.objects.filter(campaign=one.campaign_id).values_list("name", flat=True)
    return next_names(one.name, taken, 1)[0]


def next_names(name: str, taken: Iterable[str], count: int) -> list[str]:
    """So many names like this one, with the next numbers behind it that are not `taken`.

    >>> next_names("Guard 2", ["Guard", "Guard 4"], 2)
    ['Guard 5', 'Guard 6']
    """
    stem = re.sub(r" \d{1,6}\Z", "", name)[: NAME - 7]
    last = max(_numbers(taken, stem), default=1)
    return [f"{stem} {last + number}" for number in range(1, count + 1)]


def _numbered(campaign: Campaign, name: str) -> str:
    """The name with the next number behind it that no character of this name has, from 1 on."""
    stem = name[: NAME - 7]
    taken = Character.objects.filter(campaign=campaign, name__startswith=stem).values_list("name", flat=True)
    return f"{stem} {max(_numbers(taken, stem), default=0) + 1}"


def _numbers(names: Iterable[str], stem: str) -> set[int]:
    return {int(match[1]) for name in names if (match := re.fullmatch(re.escape(stem) + r" (\d{1,6})", name))}
