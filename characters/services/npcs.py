"""NPCs in a hurry: from one line, or from one that is there."""
from __future__ import annotations

import re
import uuid

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member
from characters.models import Character, Portrait, Trait
from characters.services import keeping
from characters.services.common import NAME, fresh, must_run, text


def quick(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, line: str, hidden: bool = False) -> Entry:
    """An NPC from one line in the game's own words: `guard, Fighting good`."""
    must_run(actor)
    name, drafts = campaign.rules.quick(text(line, 1000, "line", needed="Say who it is."))
    if not name.strip():
        raise Refused("Start the line with a name.", "line")
    if len(name) > NAME or any(len(draft.name) > NAME for draft in drafts):
        raise Refused(f"Keep each name to {NAME} characters.", "line")
    return keeping.create(
        campaign=campaign, actor=actor, op_id=op_id, name=name, npc=True, hidden=hidden,
        lines=[keeping.Line(draft.kind, draft.name, draft.value, draft.note) for draft in drafts],
    )


@trail.answers_once
def duplicate(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID) -> Entry:
    """Another one like this NPC, unhurt, with the next number behind its name; its id comes from `keeping.id_from`."""
    must_run(actor)
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, kind="character.create", title="") as entry:
        one = fresh(entry, actor, character_id)
        if not one.npc:
            raise Refused("Only an NPC can be doubled.")
        other = entry.create(Character(
            id=keeping.id_from(campaign, op_id), campaign=entry.campaign, name=_next_name(one), concept=one.concept,
            story=one.story, npc=True, hidden=one.hidden,
        ))
        copies: dict[uuid.UUID | None, Trait] = {}
        for trait in sorted(one.traits.order_by("place"), key=lambda each: each.parent_id is not None):
            copies[trait.pk] = entry.create(Trait(
                campaign=entry.campaign, character=other, kind=trait.kind, name=trait.name, value=trait.value,
                note=trait.note, place=trait.place, parent=copies.get(trait.parent_id),
            ))
        if portrait := Portrait.objects.filter(character=one).first():
            entry.create(Portrait(campaign=entry.campaign, character=other, digest=portrait.digest))
        entry.title = f"{other.name} enters the story"
    return entry.written


def _next_name(one: Character) -> str:
    stem = re.sub(r" \d{1,6}\Z", "", one.name)[: NAME - 7]
    names = Character.objects.filter(campaign_id=one.campaign_id, name__startswith=stem).values_list("name", flat=True)
    taken = {int(found[1]) for name in names if (found := re.fullmatch(re.escape(stem) + r" (\d{1,6})", name))}
    return f"{stem} {max(taken, default=1) + 1}"
