"""What the GM gives for a good description: a modifier that waits for the character's next roll."""
from __future__ import annotations

import uuid

from campaigns import trail
from campaigns.models import Campaign, Entry, Member, Role
from characters.models import Character
from play.models import PendingModifier

trail.declare("boon.give", "A modifier for the next roll", trail.Filter("boon", "Modifiers for the next roll"))


def given_words(campaign: Campaign, kind: str) -> str:
    """What such a modifier gives, as one says it in a sentence: `upshift`."""
    label = next((modifier.label for modifier in campaign.rules.modifiers if modifier.name == kind), kind)
    return f"{label[:1].lower()}{label[1:]}"


@trail.answers_once
def give(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, kind: str, reason: str
) -> Entry:
    """Gives a character a modifier of this kind for the next roll."""
    modifier = next(modifier for modifier in campaign.rules.modifiers if modifier.name == kind)
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="boon.give") as entry:
        character = entry.locked(Character, pk=character_id)
        if character.hidden:
            entry.audience = trail.GM
        entry.create(PendingModifier(campaign=entry.campaign, character=character, kind=kind, reason=reason))
        entry.title = f"{modifier.label} for {character.name}: {reason}"
    return entry.written
