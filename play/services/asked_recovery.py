"""A player asks the GM to let a character recover who is hurt or out of it; the GM's word for it is `recover_again`."""
from __future__ import annotations

import uuid
from collections.abc import Collection

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.models import Character
from characters.queries import sheets
from play.models import AskedRecovery
from play.services import scene_memory, scenes
from play.services.sessions import SCENES

trail.declare("recovery.ask", "A player asks to recover", SCENES, story=False, felt=True)
trail.declare("recovery.withdraw", "A request to recover ends", SCENES, story=False, felt=True)

NO_MORE = "This was answered already."


def asked_for(campaign: Campaign) -> set[uuid.UUID]:
    """The characters for whom it is asked."""
    return set(AskedRecovery.objects.filter(campaign=campaign).values_list("character_id", flat=True))


def recoverable(campaign: Campaign, characters: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Those of these who are hurt, or out of it, and to whom the GM's word would give something back."""
    hurt = Character.objects.filter(scene_memory.hurt(campaign), pk__in=characters, dead=False)
    ids = list(hurt.values_list("pk", flat=True))
    known = sheets(campaign, ids) if ids else {}
    return {pk for pk in ids if campaign.rules.session.gives_back(known[str(pk)])}


@trail.answers_once
def ask(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID) -> Entry:
    """Asks it for a character of one's own; once, until the GM has answered."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="recovery.ask") as entry:
        if not entry.campaign.rules.session.recoveries():
            raise Refused("In this game nothing comes back by itself.")
        character = entry.locked(Character, pk=character_id)
        if character.player_id != entry.actor.pk:
            raise Refused(f"{character.name} is not yours.")
        if character.pk not in recoverable(entry.campaign, [character.pk]):
            unable = entry.campaign.rules.sheet.unable(character.sheet())
            raise Refused(unable or f"{character.name} has nothing to recover from.")
        scenes.not_in_a_fight(entry.campaign, [character])
        if AskedRecovery.objects.filter(campaign=campaign, character=character).exists():
            raise Refused("You have asked already. The GM sees it.")
        entry.audience = trail.GM if character.hidden else trail.ALL
        entry.title = f"{character.name} asks to recover"
        entry.create(AskedRecovery(campaign=entry.campaign, character=character))
        entry.index(character.pk)
    return entry.written


@trail.answers_once
def withdraw(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, asked_recovery_id: uuid.UUID) -> Entry:
    """Asks no longer, or says not now: whoever asked, or the GM."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="recovery.withdraw") as entry:
        row = AskedRecovery.objects.filter(campaign=campaign, pk=asked_recovery_id).select_related("character").first()
        own = row is not None and row.character.player_id == entry.actor.pk
        if row is None or not (own or entry.actor.may(Role.GM)):
            raise Refused(NO_MORE)
        entry.audience = trail.GM if row.character.hidden else trail.ALL
        name = row.character.name
        entry.title = f"{name} asks no longer to recover" if own else f"The GM: {name} does not recover yet"
        entry.remove(row)
        entry.index(row.character_id)
    return entry.written


def grant(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, asked_recovery_id: uuid.UUID, chip: str
) -> Entry:
    """Answers with one of the game's `recoveries`, by its number. Raises `Refused`."""
    if done := Entry.objects.filter(campaign=campaign, actor=actor, op_id=op_id).first():
        return done
    recoveries = campaign.rules.session.recoveries()
    row = AskedRecovery.objects.filter(campaign=campaign, pk=asked_recovery_id).first()
    if row is None:
        raise Refused(NO_MORE)
    if not (chip.isascii() and chip.isdigit() and int(chip) < len(recoveries)):
        raise Refused("Choose one of the answers.")
    return scenes.recover_again(
        campaign=campaign, actor=actor, op_id=op_id, characters=[row.character_id], values=recoveries[int(chip)][1])
