"""What the GM puts on a scene for rolls to be made against."""
from __future__ import annotations

import uuid
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Q

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.models import Character, Trait
from characters.queries import sheets
from characters.services.common import NAME
from play.models import Obstacle, PrepItem, Presence
from play.services import on_scene
from play.services.bank import kind_of, spec_of
from play.services.sessions import SCENES
from rules import tray
from rules.codec import read
from rules.system import Opposes, RollRules
from rules.values import BadMove, Value

# What a line of somebody is of whom players know the face alone is sealed; they see that it is there.
trail.declare("obstacle.put", "An obstacle is put on the scene", SCENES, felt=True)
trail.declare("obstacle.remove", "An obstacle is removed from the scene", SCENES, felt=True)


@trail.answers_once
def put(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, name: str = "", values: Mapping[str, Value],
    trait_id: uuid.UUID | None = None, chip: str = "",
) -> Entry:
    """Puts an obstacle on the scene that is on: with a name and values, what a line of somebody here makes of it, or
    what a chip of the table says.

    Raises `BadMove` for values that make no sense, or where the game has no obstacles.
    """
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="obstacle.put") as entry:
        if not entry.campaign.scene_id:
            raise Refused("Open a scene first.")
        rolls = entry.campaign.rules.rolls
        if not rolls.obstacle:
            raise Refused("This game has no obstacles.")
        whose = None
        if trait_id is not None:
            called, values, whose = _of_line(entry.campaign, trait_id)
            name = name or called
        elif chip:
            name, values, whose = chosen(entry.campaign, chip)
        entry.audience = trail.GM if whose and whose.hidden else trail.ALL
        made = on_scene.put(entry, name, values, whose.pk if whose else None)
        entry.title = f"In the way: {made.name}, {rolls.obstacle_words(values)}"
    return entry.written


LINE, ITEM, NAMED, PERSON = "line", "item", "named", "person"  # what a chip stands for
IN_THE_WAY = "In the way"  # what a named difficulty is called by itself


def put_chip(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, chip: str) -> Entry:
    """Puts what a chip of the table says on the scene: a line of somebody here, something prepared, a named difficulty.

    Raises `BadMove` for a chip that is not there any more.
    """
    return put(campaign=campaign, actor=actor, op_id=op_id, values={}, chip=chip)


def chosen(campaign: Campaign, chip: str) -> tuple[str, Mapping[str, Value], Character | None]:
    """What a chip of the table stands for: the name and the values of an obstacle, and whose line it is, if anybody's.

    Raises `Refused`, `BadMove`.
    """
    kind, _, key = chip.partition(":")
    if kind == LINE:
        return _of_line(campaign, _uuid(key))
    if kind == NAMED:
        return IN_THE_WAY, _named(campaign, key), None
    if kind == PERSON:
        pk, _, word = key.partition(":")
        whose = _npc_here(campaign, _uuid(pk))
        return whose.name, _named(campaign, word), whose
    if kind == ITEM:
        pk, _, place = key.partition(":")
        item = PrepItem.objects.filter(campaign=campaign, pk=_uuid(pk)).first()
        found = kind_of(campaign, item.type).obstacles(item.name, spec_of(item)) if item else ()
        if place.isdecimal() and int(place) < len(found):
            return found[int(place)].name[:NAME], found[int(place)].values, None
    raise Refused("This is no longer there. Choose again.")


def _named(campaign: Campaign, word: str) -> dict[str, Value]:
    """The values of a named difficulty; raises `Refused`."""
    asked = campaign.rules.rolls.obstacle
    if word not in dict(tray.named_words(asked)):
        raise Refused("This is no longer there. Choose again.")
    return {tray.named_field(asked): word} if word else {}


def named_chips(rolls: RollRules) -> tuple[tuple[str, str], ...]:
    """The game's named difficulties as chips: what each sends, and what it says."""
    named = tray.named_field(rolls.obstacle)
    return tuple((f"{NAMED}:{word}", rolls.obstacle_words({named: word} if word else {}))
                 for word, _ in tray.named_words(rolls.obstacle))


def _of_line(campaign: Campaign, trait_id: uuid.UUID) -> tuple[str, dict[str, Value], Character]:
    """A line of somebody here; of whom players know the face alone it is called by the name alone."""
    line = _line_here(campaign, trait_id)
    whose = line.character
    called = whose.name if whose.hidden else f"{whose.name}: {line.name}"
    return called[:NAME], _as_obstacle(campaign, line), whose


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Refused("This is no longer there. Choose again.") from None


@trail.answers_once
def remove(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, obstacle_id: uuid.UUID) -> Entry:
    """Takes an obstacle off the scene."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="obstacle.remove") as entry:
        gone = entry.locked(Obstacle, pk=obstacle_id)
        entry.audience = trail.GM if gone.character and gone.character.hidden else trail.ALL
        entry.title = f"No longer in the way: {gone.name}"
        entry.remove(gone)
    return entry.written


def values_of(obstacle: Obstacle) -> dict[str, Any]:
    """The fields as they were given."""
    fields: dict[str, Any] = read(obstacle.spec)["fields"]
    return fields


@dataclass(frozen=True)
class InTheWay:
    """What somebody can roll against: an obstacle on the scene, or what the GM asks for (in the entry `asked`).

    `lines` are the names of lines that the GM means; `secret`: whoever looks doesn't know how hard it is, as where they
    know the `face` alone of whose line it is.
    """

    pk: uuid.UUID
    name: str
    values: Mapping[str, Any]
    asked: int = 0
    lines: tuple[str, ...] = ()
    secret: bool = False
    face: bool = False

    @property
    def for_rules(self) -> tray.Obstacle:
        """As a roll takes it."""
        return tray.Obstacle(self.name, self.values)

    @property
    def cited(self) -> dict[str, Value]:
        """What the entry of a roll says of what it met: who asked for it, or what was on the scene."""
        return {"asked": {"entry": self.asked, "what": self.name}} if self.asked else {"met": self.name}


GONE = "What you rolled against is no longer there. Look at what there is now, and roll again."


def in_the_way(obstacle: Obstacle, *, runs: bool = True) -> InTheWay:
    """An obstacle of the scene, to roll against; who does not run the game knows no number of a face alone."""
    face = is_face(obstacle) and not runs
    return InTheWay(obstacle.pk, obstacle.name, values_of(obstacle), secret=face, face=face)


def is_face(obstacle: Obstacle) -> bool:
    """Whether it is a line of somebody of whom not everybody knows all. Join the character."""
    return bool(obstacle.character and obstacle.character.hidden)


def _line_here(campaign: Campaign, trait_id: uuid.UUID) -> Trait:
    """A line of somebody who is in the scene, whom players have met; raises `BadMove`."""
    here = Presence.objects.filter(campaign=campaign, scene=campaign.scene_id).values("character_id")
    found = Trait.objects.select_related("character").filter(
        Q(character__hidden=False) | Q(character__face=True),
        campaign=campaign, pk=trait_id, character__in=here).first()
    if found is None:
        raise BadMove("Choose somebody who is in the scene.", "trait")
    return found


def _npc_here(campaign: Campaign, character_id: uuid.UUID) -> Character:
    """An NPC who is in the scene, whom players have met; raises `BadMove`."""
    here = Presence.objects.filter(campaign=campaign, scene=campaign.scene_id).values("character_id")
    found = Character.objects.filter(
        Q(hidden=False) | Q(face=True), Q(pk__in=here), campaign=campaign, pk=character_id, npc=True).first()
    if found is None:
        raise BadMove("Choose somebody who is in the scene.", "trait")
    return found


def _as_obstacle(campaign: Campaign, line: Trait) -> dict[str, Value]:
    rolls = campaign.rules.rolls
    if not isinstance(rolls, Opposes):
        raise BadMove("In this game nobody's line stands in the way of a roll.", "trait")
    known = {field.name for field in rolls.obstacle}
    sheet = sheets(campaign, [line.character_id])[str(line.character_id)]
    against = rolls.opposing_fields(line.for_rules(), sheet)
    return {name: value for name, value in against.items() if name in known}
