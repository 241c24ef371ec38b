"""Where a character stands: who plays it, whether it lives, is retired, whether the players know of it."""
from __future__ import annotations

import uuid

from django.db import models

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.sight import SHOWN
from campaigns.trail.cards import card
from campaigns.trail.tracked import tracked_of
from characters.models import IN_STORY, Character, GMNote, Pool, Portrait, Trait
from characters.services.common import NOTE, SHEETS, STORY, died_or_lives, free, locked, text
from characters.services.editing import join_session

trail.declare("character.assign", "Who plays a character", SHEETS)
trail.declare("character.retire", "A character is retired", SHEETS)
trail.declare("character.return", "A character comes back", SHEETS)
trail.declare("character.die", "A character is dead", SHEETS, felt=True)
trail.declare("character.revive", "A character lives again", SHEETS, felt=True)
trail.declare("character.hide", "A character is hidden", SHEETS)
trail.declare("character.show", "A character is shown", SHEETS, SHOWN)
trail.declare("character.note", "A note of the GM’s", SHEETS, story=False)

__all__ = ["assign", "card_of", "hide", "note", "present", "retire", "set_dead", "show"]


@trail.answers_once
def assign(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, player_id: uuid.UUID | None
) -> Entry:
    """Gives a character to a player, or takes it back to nobody. An NPC that gets a player is a player character."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="character.assign") as entry:
        character = locked(entry, character_id)
        player = entry.locked(Member, pk=player_id) if player_id else None
        if player and not player.may(Role.PLAYER):
            raise Refused("Choose a player in this campaign.", "player")
        if player and character.hidden:
            raise Refused("The players don’t know of this character yet. Show it first.", "player")
        unplayed = character.player_id is None
        if not entry.change(character, player_id=player_id, npc=character.npc and player is None):
            raise Refused(f"No change: {character.name} {'is already theirs' if player else 'already has no player'}.",
                          "player")
        # A person's name never enters the trail; the change carries the member's id.
        entry.title = f"{character.name} has a player" if player else f"{character.name} has no player now"
        if unplayed:
            join_session(entry, character)
    return entry.written


@trail.answers_once
def take(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID) -> Entry:
    """Takes a character that the GM has made for whoever comes: for a player who has nobody to play yet."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="character.assign") as entry:
        character = entry.locked(Character, pk=character_id)
        if not Character.objects.filter(free(), pk=character.pk).exists():
            raise Refused("Someone else has taken this character. Choose again.")
        if Character.objects.filter(IN_STORY, campaign=campaign, player=entry.actor).exists():
            raise Refused("You already have a character. The GM can give you another.")
        entry.change(character, player_id=entry.actor.pk)
        entry.title = f"{character.name} has a player"
        join_session(entry, character)
    return entry.written


@trail.answers_once
def retire(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, retired: bool, reason: str = ""
) -> Entry:
    """Lets a character leave the story, or brings it back. Nothing is ever deleted."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER,
        kind="character.retire" if retired else "character.return",
    ) as entry:
        character = locked(entry, character_id)
        if not entry.change(character, retired=retired):
            raise Refused(f"No change: {character.name} is already {'retired' if retired else 'in play'}.")
        entry.title = f"{character.name} {'is retired' if retired else 'returns'}"
        if why := text(reason, NOTE, "reason"):
            entry.extra["reason"] = why
    return entry.written


@trail.answers_once
def set_dead(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, dead: bool, reason: str = ""
) -> Entry:
    """The GM rules that a character is dead, or brings one back who was."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM,
        kind="character.die" if dead else "character.revive",
    ) as entry:
        character = locked(entry, character_id)
        if not entry.change(character, dead=dead):
            raise Refused(f"No change: {character.name} is already {'dead' if dead else 'alive'}.")
        entry.title = f"{character.name} {'is dead' if dead else 'lives again'}"
        died_or_lives(entry, character)
        if why := text(reason, NOTE, "reason"):
            entry.extra["reason"] = why
    return entry.written


@trail.answers_once
def hide(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID) -> Entry:
    """Takes an NPC out of the players' sight. What they have read of it stays read."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="character.hide", audience=trail.GM
    ) as entry:
        character = locked(entry, character_id)
        if not character.npc:
            raise Refused("Only an NPC can be hidden.")
        if not entry.change(character, hidden=True, face=False):
            raise Refused(f"No change: {character.name} is already hidden.")
        entry.audience = trail.GM
        entry.title = f"{character.name} is hidden"
    return entry.written


@trail.answers_once
def show(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID) -> Entry:
    """Lets the players know all of a hidden character. The entries that made it stay sealed: this one says it all."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="character.show") as entry:
        character = locked(entry, character_id)
        if not entry.change(character, hidden=False, face=False):
            raise Refused(f"No change: players already see everything of {character.name}.")
        entry.audience = trail.ALL
        entry.title = f"{character.name} appears"
        present(entry, character)
    return entry.written


def present(entry: trail.Draft, character: Character) -> None:
    """Puts a sheet as it is now into an entry, never the GM's note, with the card that shows it."""
    rows = _rows(character)
    entry.index(*(row.pk for row in rows))
    entry.extra |= {"card": card_of(character), "present": [
        {"of": (kind := tracked_of(row)).name, "id": str(row.pk), "was": None, "became": kind.state(row)}
        for row in rows
    ]}


def card_of(character: Character) -> dict[str, str]:
    """The character's face: the name, what anyone would see, and the portrait."""
    portrait = Portrait.objects.filter(character=character).first()
    return card("character", character.pk, character.name, character.looks, portrait.digest if portrait else "")


def _rows(character: Character) -> list[models.Model]:
    return [
        character, *Trait.objects.filter(character=character).order_by("place"),
        *Pool.objects.filter(character=character).order_by("name"), *Portrait.objects.filter(character=character),
    ]


@trail.answers_once
def note(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, character_id: uuid.UUID, words: str) -> Entry:
    """Keeps what only the GM reads about a character; its entry is sealed whoever the character is."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="character.note", audience=trail.GM
    ) as entry:
        character = locked(entry, character_id)
        entry.audience = trail.GM
        entry.title = f"A note on {character.name}"
        kept = text(words, STORY, "words")
        row = GMNote.objects.filter(character=character).first()
        if row is None and kept:
            entry.create(GMNote(campaign=entry.campaign, character=character, text=kept))
        elif row is None or not entry.change(row, text=kept):
            raise Refused("No change: the note already says this.", "words")
    return entry.written
