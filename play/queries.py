"""Reads of the table. The first argument is the viewer."""
from __future__ import annotations

import uuid
from typing import Any

from django.db.models import Prefetch, Q, QuerySet

from campaigns.access import Viewer
from characters.models import Character, Trait
from play.models import Boon, Contest, Due, Prepared, Presence, Scene, Session, SharedPool
from play.services.pools import start_of
from rules.contests import ContestKind
from rules.system import BankKind, PoolKind

SESSIONS = 20  # a page of them


def scene(viewer: Viewer) -> Scene | None:
    """The scene that is on."""
    if not viewer.campaign.scene_id:
        return None
    found = Scene.objects.select_related("session")
    return found.filter(campaign=viewer.campaign, pk=viewer.campaign.scene_id).first()


def session(viewer: Viewer) -> Session | None:
    """The session that is open."""
    if not viewer.campaign.session_id:
        return None
    return Session.objects.filter(campaign=viewer.campaign, pk=viewer.campaign.session_id).first()


def sessions(viewer: Viewer, before: int = 0) -> tuple[list[Session], int | None]:
    """Sessions with their scenes, newest first, and the number to go on before (None at the end)."""
    found = Session.objects.filter(campaign=viewer.campaign)
    if before:
        found = found.filter(number__lt=before)
    scenes = Prefetch("scenes", Scene.objects.order_by("number"))
    rows = list(found.prefetch_related(scenes).order_by("-number")[: SESSIONS + 1])
    return rows[:SESSIONS], rows[SESSIONS - 1].number if len(rows) > SESSIONS else None


def known(viewer: Viewer) -> QuerySet[Character]:
    """The characters that the viewer may know of, with what a sheet needs."""
    found = Character.objects.filter(campaign=viewer.campaign, retired=False)
    if not viewer.runs:
        found = found.filter(hidden=False)
    return found.select_related("player__user").prefetch_related(
        Prefetch("traits", Trait.objects.order_by("place")), "pools"
    )


def present(viewer: Viewer) -> list[Character]:
    """Who is in the scene that is on, PCs first."""
    if not viewer.campaign.scene_id:
        return []
    here = Presence.objects.filter(campaign=viewer.campaign, scene_id=viewer.campaign.scene_id)
    return list(known(viewer).filter(pk__in=here.values("character_id")).order_by("npc", "name", "pk"))


def rollable(viewer: Viewer) -> list[Character]:
    """Whom the viewer may roll for: a player's own; for the GM all that are in the scene, and all PCs."""
    if viewer.runs:
        here = Presence.objects.filter(campaign=viewer.campaign, scene_id=viewer.campaign.scene_id)
        mine = Q(pk__in=here.values("character_id")) | Q(npc=False)
        return list(known(viewer).filter(mine).order_by("npc", "name", "pk")[:200])
    return list(known(viewer).filter(player=viewer.member).order_by("name", "pk"))


def playable(viewer: Viewer) -> set[str]:
    """The ids of the characters that the viewer may act for: a player's own; for the GM all."""
    found = Character.objects.filter(campaign=viewer.campaign)
    if not viewer.runs:
        found = found.filter(player=viewer.member) if viewer.plays else found.none()
    return {str(pk) for pk in found.values_list("pk", flat=True)}


def seatable(viewer: Viewer, kind: ContestKind[Any, Any]) -> list[Character]:
    """Who can be put into a contest of this kind by the viewer: who is in the scene, or a player's own."""
    if kind.seats == "one":
        return [each for each in rollable(viewer) if not each.hidden]
    found = [each for each in present(viewer) if not each.hidden]
    return found if viewer.runs else [each for each in found if each.player_id == viewer.member.pk]


def beside(viewer: Viewer, kind: ContestKind[Any, Any]) -> list[Character]:
    """Who can be in a contest beside the one who is alone in it: whoever everybody knows of."""
    if kind.seats != "one" or not kind.beside:
        return []
    return list(known(viewer).filter(hidden=False).order_by("npc", "name", "pk")[:200])


def boons(viewer: Viewer) -> list[Boon]:
    """Modifiers that wait for a roll, of characters that the viewer may know of."""
    found = Boon.objects.filter(campaign=viewer.campaign, used=False, character__in=known(viewer))
    return list(found.select_related("character").order_by("pk"))


def dues(viewer: Viewer) -> list[Due]:
    """What the viewer has to place: a player for their own characters, the GM for all."""
    found = Due.objects.filter(campaign=viewer.campaign, settled=False).select_related("character")
    if not viewer.runs:
        found = found.filter(character__player=viewer.member)
    return list(found.prefetch_related(Prefetch("character__traits", Trait.objects.order_by("place"))).order_by("pk"))


def due(viewer: Viewer, due_id: uuid.UUID) -> Due | None:
    """One of them."""
    return next((each for each in dues(viewer) if each.pk == due_id), None)


def hurt(viewer: Viewer) -> list[Character]:
    """Who has damage, of those that the viewer may know of."""
    damaged = Trait.objects.filter(campaign=viewer.campaign, damage__gt=0).values("character_id")
    return list(known(viewer).filter(pk__in=damaged).order_by("npc", "name", "pk"))


def contests(viewer: Viewer) -> list[Contest]:
    """The contests that are going on: in the scene, or in none."""
    here = Q(scene=None) | Q(scene_id=viewer.campaign.scene_id) if viewer.campaign.scene_id else Q(scene=None)
    return list(Contest.objects.filter(here, campaign=viewer.campaign, over=False).order_by("title", "pk")[:50])


def shared(viewer: Viewer) -> list[tuple[PoolKind, int]]:
    """What the campaign holds together, and how much of it."""
    kinds = viewer.campaign.rules.shared_pools
    rows = dict(SharedPool.objects.filter(campaign=viewer.campaign).values_list("name", "value")) if kinds else {}
    return [(kind, rows[kind.name] if kind.name in rows else start_of(viewer.campaign, kind.name)) for kind in kinds]


def prepared(viewer: Viewer) -> list[Prepared]:
    """The GM's bank, by name; nothing for whoever does not run the game."""
    if not viewer.runs:
        return []
    return list(Prepared.objects.filter(campaign=viewer.campaign).order_by("name", "pk")[:500])


def filled_by(viewer: Viewer, bank: BankKind) -> list[ContestKind[Any, Any]]:
    """The kinds of contest that something of this kind can be used for now."""
    names = {field.name for field in bank.fields}
    return [kind for kind in startable(viewer) if names & {field.name for field in kind.fields}]


def fillings(viewer: Viewer, kind: ContestKind[Any, Any]) -> list[Prepared]:
    """What of the bank can fill the setup of a contest of this kind."""
    names = {field.name for field in kind.fields}
    sorts = {bank.name for bank in viewer.campaign.rules.bank if names & {field.name for field in bank.fields}}
    return [each for each in prepared(viewer) if each.sort in sorts] if sorts else []


def startable(viewer: Viewer, going_on: list[Contest] | None = None) -> list[ContestKind[Any, Any]]:
    """The kinds of contest that the viewer may start now, beside those that are `going_on`."""
    on = bool(viewer.campaign.scene_id)
    busy = {each.kind for each in (contests(viewer) if going_on is None else going_on)}
    return [
        kind for kind in viewer.campaign.rules.contests
        if not (kind.exclusive and kind.name in busy)
        and (viewer.runs or (viewer.plays and kind.open_to_players))
        and (on or not kind.needs_scene)
    ]
