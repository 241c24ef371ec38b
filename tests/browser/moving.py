"""What a GM does while somebody’s tray is open, by the services alone: `Server.lay("move", address, what)`."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

By, Lines = dict[str, Any], Sequence[Any]
HARD: dict[str, dict[str, Any]] = {
    "pdq": {"difficulty": "good"}, "pnc": {"rung": "hard"}, "questworlds": {"resistance": "11"},
    "danger_world": {"difficulty": "2"}, "pdq_sharp": {"difficulty": "good"},
}
COMES: dict[str, tuple[str, int]] = {  # what an evening leaves on a sheet
    "pdq": ("weakness", -1), "pdq_sharp": ("forte", 1), "pnc": ("feature", -1), "questworlds": ("consequence", 1),
    "danger_world": ("setback", 2),
}

WOUNDS = {"pnc": ("wound", 3), "questworlds": ("consequence", 2)}  # where they are lines of their own


def _obstacle(by: By, ilse: Any, lines: Lines) -> None:
    from play.services import obstacles

    obstacles.put(**by, op_id=uuid.uuid4(), name="Fog over the bar", values=HARD[by["campaign"].system])


def _consequence(by: By, ilse: Any, lines: Lines) -> None:
    from campaigns import trail
    from characters.models import Trait

    kind, value = COMES[by["campaign"].system]
    with trail.entry(**by, op_id=uuid.uuid4(), kind="character.edit", title="Hurt") as entry:
        entry.create(Trait(campaign=entry.campaign, character=ilse, kind=kind, name="Ink on the fingers", value=value,
                           place=90, note="Knife"))


def _wound(by: By, ilse: Any, lines: Lines) -> None:
    """What a blow leaves: damage on a line that is used, or a line of its own."""
    from campaigns import trail
    from characters.models import Trait

    game, used = by["campaign"].system, next(name for _, name, _ in lines)
    with trail.entry(**by, op_id=uuid.uuid4(), kind="character.edit", title="A blow") as entry:
        if game in WOUNDS:
            kind, value = WOUNDS[game]
            entry.create(Trait(campaign=entry.campaign, character=ilse, kind=kind, name="A cut", value=value, place=91,
                               note=used if game == "questworlds" else ""))
        else:
            entry.change(Trait.objects.get(character=ilse, name=used), damage=1)


def _pool(by: By, ilse: Any, lines: Lines) -> None:
    from campaigns import trail
    from characters.models import Pool
    from play.models import PendingModifier
    from play.services import pools

    if by["campaign"].system == "questworlds":
        pools.set_pool(**by, op_id=uuid.uuid4(), pool="story_points", value=5, reason="A good evening")
        return
    with trail.entry(**by, op_id=uuid.uuid4(), kind="character.edit", title="Paid out") as entry:
        if by["campaign"].system == "pdq":
            entry.create(PendingModifier(campaign=entry.campaign, character=ilse, kind="upshift", amount=1,
                                         reason="The rope trick"))
        else:
            unconscious = by["campaign"].system == "pnc"
            name = "unconscious" if unconscious else by["campaign"].rules.sheet.pools[0].name
            held = Pool.objects.filter(character=ilse, name=name).first()
            if held:
                entry.change(held, value=2)
            else:
                entry.create(Pool(campaign=entry.campaign, character=ilse, name=name, value=2))


def _brought_round(by: By, ilse: Any, lines: Lines) -> None:
    from play.services import scenes

    scenes.recover_again(**by, op_id=uuid.uuid4(), characters=[ilse.pk], values={})


def _character(by: By, ilse: Any, lines: Lines) -> None:
    from campaigns.models import Member
    from tests.play.conftest import character

    player = Member.objects.get(campaign=by["campaign"], role="player")
    character(by["campaign"], by["actor"], "Wren", list(lines), player=player)


def _person(by: By, ilse: Any, lines: Lines) -> None:
    from characters.models import Character
    from play.models import Presence
    from play.services import sessions
    from tests.play.conftest import character

    come = character(by["campaign"], by["actor"], "The ferryman", list(lines), npc=True)
    here = Presence.objects.filter(scene_id=by["campaign"].scene_id).values_list("character_id", flat=True)
    stay = Character.objects.filter(pk__in=list(here)).exclude(name="Old Marrow").values_list("pk", flat=True)
    sessions.set_presence(**by, op_id=uuid.uuid4(), characters=[*stay, come.pk])


def _scene(by: By, ilse: Any, lines: Lines) -> None:
    from play.services import scenes, sessions

    scenes.close_scene(**by, op_id=uuid.uuid4(), values={})
    by["campaign"].refresh_from_db()
    sessions.open_scene(**by, op_id=uuid.uuid4(), title="The far bank", characters=[ilse.pk])


def _nobody(by: By, ilse: Any, lines: Lines) -> None:
    from characters.services import lifecycle

    lifecycle.assign(**by, op_id=uuid.uuid4(), character_id=ilse.pk, player_id=by["actor"].pk)


def _damage(by: By, ilse: Any, lines: Lines) -> None:
    """Of each (character, line of their sheet, damage) of `lines`."""
    from campaigns import trail
    from characters.models import Trait

    with trail.entry(**by, op_id=uuid.uuid4(), kind="character.edit", title="Hurt") as entry:
        for who, name, damage in lines:
            trait = Trait.objects.get(campaign=by["campaign"], character__name=who, name=name)
            entry.change(trait, damage=damage)


MOVES: dict[str, Callable[[By, Any, Lines], None]] = {
    "obstacle": _obstacle, "consequence": _consequence, "wound": _wound, "pool": _pool, "brought round": _brought_round,
    "character": _character, "person": _person, "scene": _scene, "nobody": _nobody, "damage": _damage,
}


def move(address: str, what: str, lines: Sequence[Any] = ()) -> bool:
    """Something moves in the campaign at this address, in its GM’s name."""
    from campaigns.models import Campaign, Member
    from characters.models import Character

    campaign = Campaign.objects.get(slug=address.strip("/").rpartition("/")[2])
    gm = Member.objects.get(campaign=campaign, role="owner")
    ilse = Character.objects.get(campaign=campaign, name="Ilse")
    MOVES[what]({"campaign": campaign, "actor": gm}, ilse, lines)
    return True
