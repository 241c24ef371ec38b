"""The end of a scene: everybody recovers, as the game has it."""
from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

from django.db import transaction
from django.utils import timezone

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from characters.cast import cast_of
from characters.models import Character
from characters.services.common import GROWTH
from play.models import AskedRecovery, Contest, PendingAllocation, Presence, Scene
from play.services import scene_memory, sessions
from play.services.contests import exclusive, open_in
from play.services.pools import allocation_of, apply
from play.services.sessions import SCENES
from rules.moves import Outcome
from rules.sheet import Damage, Effect, Sheet
from rules.system import SessionChange
from rules.wording import join

trail.declare("scene.close", "A scene ends", SCENES)
trail.declare("scene.recover", "Recovery, once more", GROWTH, SCENES)


@trail.answers_once
@transaction.atomic
def close_scene(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, values: Mapping[str, Any], anyway: bool = False,
) -> Entry:
    """Closes the scene that is on and runs the system's recovery; what is tied to it is over with it, for all. Refused
    while a contest goes on, and unless it closes `anyway` while something is open that its game asks about."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="scene.close") as entry:
        if not entry.campaign.scene_id:
            raise Refused("No scene is on.")
        scene = entry.locked(Scene, pk=entry.campaign.scene_id)
        entry.title = f"{scene.title}: the scene ends"
        if Contest.objects.filter(scene=scene, over=False, kind__in=exclusive(entry.campaign)).exists():
            raise Refused("A contest is in progress. Finish it first.")
        if not anyway and (still := open_in(scene.pk, entry.campaign)):
            names = join([contest.title for contest in still])
            raise Refused(f"Unfinished: {names}. Finish it first, or say that the scene ends all the same.", "anyway")
        # Whoever something of the scene is noted of was in it, and has left before it ends.
        there = {**scene_memory.noted(entry.campaign), **_there(scene)}
        _recover(entry, [pk for pk, hidden in there.items() if not hidden], values)
        scene_memory.end(entry, hidden=False)
        entry.change(scene, closed=timezone.now(), danger=str(values.get("danger", "")))
        entry.change(entry.campaign, scene_id=None)
    unseen = [pk for pk, hidden in there.items() if hidden]
    apart = bool(unseen) or scene_memory.is_over_unseen(entry.campaign)
    if apart:
        with trail.entry(
            campaign=campaign, actor=actor, op_id=uuid.uuid5(op_id, "hidden"), needs=Role.GM, kind="scene.close",
            audience=trail.GM, title=f"{scene.title}: who was hidden recovers",
        ) as entry:
            _recover(entry, unseen, values)
            scene_memory.end(entry, hidden=True)
    return entry.written if not apart else Entry.objects.get(campaign=campaign, op_id=op_id)


@trail.answers_once
@transaction.atomic
def end_session(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, values: Mapping[str, Any], anyway: bool = False,
    title: str = "", recap: str = "", there: Iterable[uuid.UUID] | None = None,
) -> Entry:
    """Closes the scene that is on, if one is, and the session with it: both, in entries of their own, or neither."""
    if Campaign.objects.filter(pk=campaign.pk, scene_id__isnull=False).exists():
        close_scene(campaign=campaign, actor=actor, op_id=uuid.uuid5(op_id, "scene"), values=values, anyway=anyway)
    return sessions.close_session(
        campaign=campaign, actor=actor, op_id=op_id, title=title, recap=recap, there=there)


@trail.answers_once
def recover_again(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, characters: Iterable[uuid.UUID], values: Mapping[str, Any]
) -> Entry:
    """Lets some recover once more, at the GM's word."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="scene.recover") as entry:
        recovering = list(Character.objects.filter(campaign=campaign, pk__in=list(characters)))
        if not recovering:
            raise Refused("Choose at least one character.", "characters")
        not_in_a_fight(entry.campaign, recovering)
        entry.audience = trail.GM if any(character.hidden for character in recovering) else trail.ALL
        entry.title = "Recovery, once more: " + ", ".join(character.name for character in recovering)
        _recover(entry, [character.pk for character in recovering], values, again=True)
    return entry.written


def not_in_a_fight(campaign: Campaign, characters: Iterable[Character]) -> None:
    """Refuses for whoever a contest that goes on has put out of it: it is there that they come back."""
    for name, title in in_a_fight(campaign, characters).values():
        raise Refused(f"{name} is in “{title}”. Bring them back there.", "characters")


def in_a_fight(campaign: Campaign, characters: Iterable[Character]) -> dict[uuid.UUID, tuple[str, str]]:
    """Whom of these a contest that goes on has put out of it: the name, and its title."""
    out = {*scene_memory.out_of_it(campaign).values_list("character_id", flat=True)}
    names = {str(character.pk): character.name for character in characters if character.pk in out}
    kinds = {kind.name: kind for kind in campaign.rules.procedures if kind.placement.exclusive}
    return {
        uuid.UUID(pk): (names[pk], contest.title)
        for contest in (Contest.objects.filter(campaign=campaign, over=False, kind__in=kinds) if names else ())
        for pk in sorted(names.keys() & set(kinds[contest.kind].taking_part(json.loads(contest.setup))))}


def _there(scene: Scene) -> dict[uuid.UUID, bool]:
    """Who is in a scene, and whether they are hidden."""
    return dict(Presence.objects.filter(scene=scene).values_list("character_id", "character__hidden"))


def _recover(
    entry: trail.Draft, ids: Iterable[uuid.UUID], values: Mapping[str, Any], *, again: bool = False
) -> None:
    cast = cast_of(entry.campaign, ids)
    sheets: list[Sheet] = sorted(cast.with_provenance(entry.campaign).values(), key=lambda sheet: sheet.name)
    # Damage that was never placed is over with the scene, or is placed first.
    session = entry.campaign.rules.session
    end: SessionChange = (session.recover_again if again else session.close_scene)(sheets, values)
    apply(entry, end.effects, cast)
    open_ = PendingAllocation.objects.filter(character__in=[sheet.id for sheet in sheets], settled=False)
    waiting = list(open_.exclude(type=PendingAllocation.Type.DAMAGE))
    entry.create_all(
        allocation_of(entry.campaign, new_allocation) for new_allocation in end.pending
        if uuid.UUID(new_allocation.sheet) not in {row.character_id for row in waiting})
    whole = {uuid.UUID(sheet.id) for sheet in sheets if not _damage_left(sheet, end.effects)}
    needless = [row for row in waiting if row.character_id in whole]
    entry.trust(*needless)
    entry.change_all({row: {"settled": True} for row in needless})
    for request in AskedRecovery.objects.filter(campaign=entry.campaign, character__in=[sheet.id for sheet in sheets]):
        entry.remove(request)
    entry.index(*(sheet.id for sheet in sheets))
    entry.move(dict(values), Outcome({}, end.steps))


def _damage_left(sheet: Sheet, effects: Iterable[Effect]) -> int:
    """How much damage is on a sheet once these have happened."""
    lines = {trait.id: trait.damage for trait in sheet.traits}
    healed = sum(effect.by for effect in effects if isinstance(effect, Damage) and effect.trait in lines)
    return sum(lines.values()) + healed
