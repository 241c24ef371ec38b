"""What the GM puts on a scene for rolls to be made against."""
from __future__ import annotations

import uuid
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Q

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role, View
from campaigns.trail.models import Change
from characters.models import Character, Trait
from characters.queries import sheets
from characters.services.common import NAME
from play.models import Obstacle, PrepItem, Presence
from play.services import on_scene
from play.services.bank import kind_of, spec_of
from play.services.follows import InItsPlace
from play.services.on_scene import UNKNOWN, line_name
from play.services.sessions import SCENES
from rules import tray
from rules.codec import read
from rules.opposing import stands_for
from rules.system import Opposes, RollRules
from rules.values import BadMove, Value

# What a line of somebody is of whom players know the face alone is sealed; they see that it is there.
trail.declare("obstacle.put", "An obstacle is put on the scene", SCENES, felt=True)
trail.declare("obstacle.remove", "An obstacle is removed from the scene", SCENES, felt=True)


@trail.answers_once
def put(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, name: str = "", values: Mapping[str, Value],
    trait_id: uuid.UUID | None = None, chip: str = "", view: View = View.NOTHING, thing_id: uuid.UUID | None = None,
) -> Entry:
    """Puts an obstacle on the scene that is on: with a name and values, what a line of somebody here makes of it, or
    what a chip of the table says. Of one that comes of something in the library players see as much as of that: with
    a `view`, at least so much from then on.

    Raises `BadMove` for values that make no sense, or where the game has no obstacles.
    """
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="obstacle.put") as entry:
        rolls = entry.campaign.rules.rolls
        if not rolls.obstacle:
            raise Refused("This game has no obstacles.")
        way = InItsPlace(name, values)
        if trait_id is not None:
            way = _of_line(entry.campaign, trait_id)
            way = replace(way, name=name or way.name)
        elif chip:
            way = chosen(entry.campaign, chip)
        thing, view = on_scene.seen(entry, thing_id or thing_of(chip), view)
        entry.audience = trail.GM if view is not View.ALL or (way.whose and way.whose.hidden) else trail.ALL
        made = on_scene.put(entry, way, view, thing)
        entry.title = f"Obstacle: {made.name}, {rolls.obstacle_words(way.values)}"
    return entry.written


def thing_of(chip: str) -> uuid.UUID | None:
    """Which thing of the library a chip puts in the way."""
    kind, _, key = chip.partition(":")
    return _uuid(key.partition(":")[0]) if kind == ITEM else None


LINE, ITEM, NAMED, PERSON = "line", "item", "named", "person"  # what a chip stands for
IN_THE_WAY = "Obstacle"  # what a named difficulty is called by itself


def put_chip(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, chip: str) -> Entry:
    """Puts what a chip of the table says on the scene: a line of somebody here, something prepared, a named difficulty.

    Raises `BadMove` for a chip that is not there any more.
    """
    return put(campaign=campaign, actor=actor, op_id=op_id, values={}, chip=chip)


def chosen(campaign: Campaign, chip: str) -> InItsPlace:
    """What a chip of the table stands for.

    Raises `Refused`, `BadMove`.
    """
    kind, _, key = chip.partition(":")
    if kind == LINE:
        return _of_line(campaign, _uuid(key))
    if kind == NAMED:
        return InItsPlace(IN_THE_WAY, _named(campaign, key))
    if kind == PERSON:
        pk, _, word = key.partition(":")
        whose = _npc_here(campaign, _uuid(pk))
        return InItsPlace(whose.name, _named(campaign, word), whose)
    if kind == ITEM:
        pk, _, place = key.partition(":")
        item = PrepItem.objects.filter(campaign=campaign, pk=_uuid(pk)).first()
        obstacles = kind_of(campaign, item.type).obstacles(item.name, spec_of(item)) if item else ()
        if place.isdecimal() and int(place) < len(obstacles):
            return InItsPlace(obstacles[int(place)].name[:NAME], obstacles[int(place)].values)
    raise Refused("This no longer exists. Choose again.")


def _named(campaign: Campaign, word: str) -> dict[str, Value]:
    """The values of a named difficulty; raises `Refused`."""
    asked = campaign.rules.rolls.obstacle
    if word not in dict(tray.named_words(asked)):
        raise Refused("This no longer exists. Choose again.")
    return {tray.named_field(asked): word} if word else {}


def named_chips(rolls: RollRules) -> tuple[tuple[str, str], ...]:
    """The game's named difficulties as chips: what each sends, and what it says."""
    named = tray.named_field(rolls.obstacle)
    return tuple((f"{NAMED}:{word}", rolls.obstacle_words({named: word} if word else {}))
                 for word, _ in tray.named_words(rolls.obstacle))


def _of_line(campaign: Campaign, trait_id: uuid.UUID) -> InItsPlace:
    line = _line_here(campaign, trait_id)
    return InItsPlace(line_name(line.character, line), _as_obstacle(campaign, line), line.character, str(line.pk))


def _uuid(text: str) -> uuid.UUID:
    try:
        return uuid.UUID(text)
    except ValueError:
        raise Refused("This no longer exists. Choose again.") from None


@trail.answers_once
def remove(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, obstacle_id: uuid.UUID) -> Entry:
    """Takes an obstacle off the scene."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="obstacle.remove") as entry:
        gone = entry.locked(Obstacle, pk=obstacle_id)
        entry.audience = trail.GM if is_face(gone) else trail.ALL
        entry.title = f"Obstacle removed: {gone.name}"
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
    know the `face` alone of whose line it is, which is an NPC where it is `of_npc`. `name` is what all may read; `own`
    what the GM calls it, where players don't know that name.
    """

    pk: uuid.UUID
    name: str
    values: Mapping[str, Any]
    asked: int = 0
    lines: tuple[str, ...] = ()
    secret: bool = False
    face: bool = False
    of_npc: bool = False
    own: str = ""
    patient: Character | None = None  # whom it is for, where it mends somebody

    @property
    def for_rules(self) -> tray.Obstacle:
        """As a roll takes it."""
        return tray.Obstacle(self.name, self.values, str(self.patient.pk) if self.patient else "")

    @property
    def cited(self) -> dict[str, Value]:
        """What the entry of a roll says of what it met: who asked for it, or what was on the scene."""
        return {"asked": {"entry": self.asked, "what": self.name}} if self.asked else {"met": self.name}


GONE = "The obstacle you rolled against no longer exists. See what is left, and roll again."


def in_the_way(obstacle: Obstacle, *, runs: bool = True) -> InTheWay:
    """An obstacle of the scene, to roll against; who does not run the game knows no number of a face alone."""
    face, name = is_face(obstacle) and not runs, name_for_players(obstacle)
    return InTheWay(obstacle.pk, name, values_of(obstacle), secret=face, face=face,
                    of_npc=obstacle.character_id is not None,
                    own=obstacle.name if runs and name != obstacle.name else "")


def is_face(obstacle: Obstacle) -> bool:
    """Whether players don't know how hard it is: it came of something or somebody of which they know less than all.
    Join the character."""
    return view_of(obstacle) is not View.ALL


def put_with(campaign: Campaign, seq: int) -> list[uuid.UUID]:
    """What this entry put on the scene that is on."""
    of_entry = Change.objects.filter(campaign=campaign, seq=seq).values("object_id")
    return list(Obstacle.objects.filter(campaign=campaign, scene=campaign.scene_id, pk__in=of_entry)
                .values_list("pk", flat=True))


def thrown_against(campaign: Campaign, ids: Collection[uuid.UUID]) -> set[uuid.UUID]:
    """Against which of these obstacles dice were thrown that everyone can check: their numbers are known by that."""
    rolls = Change.objects.filter(campaign=campaign, object_id__in=ids, field="").filter(
        Q(entry__audience=trail.ALL) | Q(entry__revelation__isnull=False))
    return set(rolls.values_list("object_id", flat=True)) if ids else set()


def view_of(obstacle: Obstacle) -> View:
    """How much players know of it: as much as of whom or what it comes of. Join the character."""
    return obstacle.character.view if obstacle.character else View(obstacle.view)


def name_for_players(obstacle: Obstacle) -> str:
    """What players call it; where they know a name alone, it says nothing of which line or situation it is."""
    view = view_of(obstacle)
    if view is View.FACE and obstacle.character:
        return obstacle.character.name
    if view is View.FACE and obstacle.thing_id and ":" in obstacle.name:
        name = PrepItem.objects.filter(pk=obstacle.thing_id).values_list("name", flat=True).first()
        return name or obstacle.name
    return UNKNOWN if view is View.NOTHING else obstacle.name


def _line_here(campaign: Campaign, trait_id: uuid.UUID) -> Trait:
    """A line of somebody who is in the scene, whom players have met; raises `BadMove`."""
    here = Presence.objects.filter(campaign=campaign, scene=campaign.scene_id).values("character_id")
    trait = Trait.objects.select_related("character").filter(
        Q(character__hidden=False) | Q(character__face=True),
        campaign=campaign, pk=trait_id, character__in=here).first()
    if trait is None:
        raise BadMove("Choose a character in the scene.", "trait")
    return trait


def _npc_here(campaign: Campaign, character_id: uuid.UUID) -> Character:
    """An NPC who is in the scene, whom players have met; raises `BadMove`."""
    here = Presence.objects.filter(campaign=campaign, scene=campaign.scene_id).values("character_id")
    character = Character.objects.filter(
        Q(hidden=False) | Q(face=True), Q(pk__in=here), campaign=campaign, pk=character_id, npc=True).first()
    if character is None:
        raise BadMove("Choose a character in the scene.", "trait")
    return character


def _as_obstacle(campaign: Campaign, line: Trait) -> dict[str, Value]:
    if not isinstance(campaign.rules.rolls, Opposes):
        raise BadMove("In this game a character’s trait can’t be an obstacle.", "trait")
    sheet = sheets(campaign, [line.character_id])[str(line.character_id)]
    return stands_for(campaign.rules, campaign.settings, sheet, line.for_rules())
