"""Reads of the table. The first argument is the viewer."""
from __future__ import annotations

import json
import uuid
from typing import Any

from django.db.models import F, FilteredRelation, Prefetch, Q, QuerySet

from accounts.statements import compiled_once
from campaigns.access import Viewer, once
from campaigns.models import Change, Entry, View
from campaigns.trail.declared import offer_choices, refusing
from characters import queries as characters
from characters.cast import with_sheets
from characters.models import IN_STORY, Character, Trait
from play.models import (
    AskedRoll,
    Contest,
    Obstacle,
    PendingAllocation,
    PendingModifier,
    PrepItem,
    Presence,
    Scene,
    Session,
)
from play.services import asked_rolls as services
from play.services import scene_memory
from play.services.contests import exclusive
from play.services.follows import as_they_stand
from play.services.obstacles import InTheWay
from play.services.position import MET
from play.services.tray import obstacles_here, procedure_of_tray
from play.waiting import waits
from rules.engine import Procedure
from rules.prep import PrepItemKind

SESSIONS = 20  # a page of them


def scene(viewer: Viewer) -> Scene | None:
    """The scene that is on."""
    if not viewer.campaign.scene_id:
        return None
    return next(iter(_scene(viewer.campaign.pk, viewer.campaign.scene_id)), None)


@compiled_once
def _scene(campaign: uuid.UUID, pk: uuid.UUID) -> QuerySet[Scene]:
    return Scene.objects.select_related("session").filter(campaign=campaign, pk=pk)


def _choices(viewer: Viewer) -> list[tuple[str, str]]:
    sessions = Session.objects.filter(campaign=viewer.campaign).order_by("-number")
    return [(str(session.pk), str(session)) for session in sessions.only("number", "title")]


offer_choices("session", _choices)


def session(viewer: Viewer) -> Session | None:
    """The session that is open."""
    if not viewer.campaign.session_id:
        return None
    return Session.objects.filter(campaign=viewer.campaign, pk=viewer.campaign.session_id).first()


def sessions(viewer: Viewer, before: int = 0, *, oldest_first: bool = False) -> tuple[list[Session], int | None]:
    """Sessions with their scenes, newest or oldest first, and the number to go on from (None at the end)."""
    listed = Session.objects.filter(campaign=viewer.campaign)
    if before:
        listed = listed.filter(**{"number__gt" if oldest_first else "number__lt": before})
    scenes = Prefetch("scenes", Scene.objects.order_by("number"))
    rows = list(listed.prefetch_related(scenes).order_by("number" if oldest_first else "-number")[: SESSIONS + 1])
    return rows[:SESSIONS], rows[SESSIONS - 1].number if len(rows) > SESSIONS else None


def known(viewer: Viewer) -> QuerySet[Character]:
    """The characters of which the viewer may know all, with what a sheet needs."""
    return _with_lines(_people(viewer.campaign.pk, viewer.member.pk, viewer.runs))


def _with_lines(people: QuerySet[Character]) -> QuerySet[Character]:
    return people.prefetch_related(Prefetch("traits", Trait.objects.order_by("place")), "pools")


def faces(viewer: Viewer) -> list[Character]:
    """Those in the scene that is on of whom the viewer knows the face alone."""
    if viewer.runs or not viewer.campaign.scene_id:
        return []
    return _faces(viewer.campaign.pk, viewer.campaign.scene_id, viewer.member.pk)


@compiled_once
def _faces(campaign: uuid.UUID, scene: uuid.UUID, member: uuid.UUID) -> QuerySet[Character]:
    here = Presence.objects.filter(campaign=campaign, scene=scene).values("character_id")
    met = characters.met_by(campaign, member).filter(pk__in=here, retired=False)
    return met.exclude(pk__in=characters.known_to(campaign, member, False).values("pk")).order_by("name", "pk")


def by_name(viewer: Viewer) -> list[Character]:
    """Everybody whom the viewer may know of, PCs first, without what is on their sheets."""
    return list(known(viewer).prefetch_related(None).order_by("npc", "name", "pk"))


@once
def present(viewer: Viewer) -> list[Character]:
    """Who is in the scene that is on, PCs first."""
    if not viewer.campaign.scene_id:
        return []
    return with_sheets(_there(viewer.campaign.pk, viewer.campaign.scene_id, viewer.member.pk, viewer.runs))


@compiled_once
def _there(campaign: uuid.UUID, scene: uuid.UUID, member: uuid.UUID, runs: bool) -> QuerySet[Character]:
    here = Presence.objects.filter(campaign=campaign, scene=scene).values("character_id")
    return _people(campaign, member, runs).filter(pk__in=here).order_by("npc", "name", "pk")


def _people(campaign: uuid.UUID, member: uuid.UUID, runs: bool) -> QuerySet[Character]:
    """The characters of which this member may know all, without what is on their sheets."""
    return characters.known_to(campaign, member, runs).filter(retired=False).select_related("player__user")


def rollable(viewer: Viewer) -> list[Character]:
    """Whom the viewer may roll for: a player's own; for the GM all that are in the scene, and all PCs. No dead ones."""
    if not viewer.plays:
        return []
    own = Q(npc=False) | Q(pk__in=_here(viewer).values("character_id")) if viewer.runs else Q(player=viewer.member)
    return list(known(viewer).filter(own, dead=False).order_by("npc", "name", "pk")[:200])


def rollable_and_present(viewer: Viewer) -> tuple[list[Character], list[Character]]:
    """Whom the viewer may roll for, and who is in the scene: read together."""
    rows: list[Any] = with_sheets(_at_hand(viewer.campaign.pk, viewer.campaign.scene_id, viewer.member.pk, viewer.runs))
    here: list[Character] = [row for row in rows if row.here]
    viewer.held[present.__name__] = here
    alive = [row for row in rows if not row.dead]
    return [row for row in alive if viewer.runs or (viewer.plays and row.player_id == viewer.member.pk)], here


@compiled_once
def _at_hand(campaign: uuid.UUID, scene: uuid.UUID | None, member: uuid.UUID, runs: bool) -> QuerySet[Any]:
    own = Q(npc=False) if runs else Q(player=member)
    seat = FilteredRelation("presences", condition=Q(presences__scene=scene))
    characters = _people(campaign, member, runs).annotate(seat=seat, here=F("seat__pk"))
    return characters.filter(own | Q(here__isnull=False)).order_by("npc", "name", "pk")[:300]


def likely_roller(viewer: Viewer, rollable: list[Character]) -> Character | None:
    """Whose roll a tray opens with: a player's own; for the GM an NPC who is here, then any without another player.
    Whoever can't act now comes last.

    None where all are other people's: then it has to be said.
    """
    own = [character for character in rollable if character.player_id in (None, viewer.member.pk)]
    unable = viewer.campaign.rules.sheet.unable
    return min(own, default=None, key=lambda character: (
        bool(unable(character.sheet())), *((not character.npc, character.view is View.NOTHING) if viewer.runs else ())))


def _here(viewer: Viewer) -> QuerySet[Presence]:
    return Presence.objects.filter(campaign=viewer.campaign, scene=viewer.campaign.scene_id)


@once
def obstacles(viewer: Viewer) -> list[Obstacle]:
    """Obstacle in the scene that is on, the newest last."""
    return obstacles_here(viewer.campaign) if waits(viewer, Obstacle) else []


def asked_of(viewer: Viewer, character: Character) -> list[InTheWay]:
    """What this character is asked for in the scene that is on, oldest first."""
    return services.asked_of(viewer.campaign, character, runs=viewer.runs) if waits(viewer, AskedRoll) else []


def requested_for(viewer: Viewer, roller_id: str) -> uuid.UUID | None:
    """The id of what was asked of the GM for this character, and has no answer yet."""
    if not roller_id or not viewer.campaign.scene_id or not waits(viewer, AskedRoll):
        return None
    requests = AskedRoll.objects.filter(campaign=viewer.campaign, scene_id=viewer.campaign.scene_id, spec="")
    return requests.filter(character_id=uuid.UUID(roller_id)).values_list("pk", flat=True).first()


def asks_already(viewer: Viewer, roller_id: str) -> bool:
    """Whether what the tray asked the GM for this character goes on still, where that is a contest."""
    name = getattr(procedure_of_tray(viewer.campaign), "name", None)
    return waits(viewer, Contest) and any(contest.kind == name and roller_id in contest.setup
                                          for contest in contests(viewer))


def asked_rolls(viewer: Viewer) -> list[AskedRoll]:
    """What the GM has asked for in the scene that is on and not everybody rolled, with those that are done, oldest
    first; nothing for whoever does not run the game. Nobody waits for who has died or left."""
    if not viewer.runs or not viewer.campaign.scene_id or not waits(viewer, AskedRoll):
        return []
    requests = AskedRoll.objects.filter(campaign=viewer.campaign, scene_id=viewer.campaign.scene_id)
    requests = requests.exclude(Q(character__dead=True) | Q(character__retired=True), rolled=None)
    rows = list(requests.select_related("character").order_by("asked", "character__name", "pk")[:200])
    as_they_stand(viewer.campaign, [row for row in rows if row.rolled is None])
    return rows


def newcomer(viewer: Viewer) -> bool:
    """Whether the viewer plays here and has nobody to play yet."""
    return viewer.plays and not viewer.runs and not _own(viewer.campaign.pk, viewer.member.pk)


@compiled_once
def _own(campaign: uuid.UUID, member: uuid.UUID) -> QuerySet[Character, uuid.UUID]:
    return Character.objects.filter(IN_STORY, campaign=campaign, player=member).values_list("pk", flat=True)[:1]


def personal(viewer: Viewer) -> set[str]:
    """The ids of the characters that the viewer alone speaks for: one's own; for the GM also all without a player."""
    mine = Q(player=viewer.member) | (Q(player=None) if viewer.runs else Q(pk=None))
    return {str(pk) for pk in Character.objects.filter(mine, campaign=viewer.campaign).values_list("pk", flat=True)}


def may_take_part(viewer: Viewer, kind: Procedure[Any]) -> tuple[list[Character], list[Character]]:
    """Who can be put into a contest of this kind by the viewer: who is in the scene, or a player's own.

    Where there are sides or many, a GM may put in somebody hidden as well: players see the face then. The second are
    those who can be in it beside somebody who is alone in it: whoever everybody has met, if only by the face.
    """
    if kind.casting.who == "one":
        own = [character for character in rollable(viewer) if character.view is not View.NOTHING]
        met = Character.objects.filter(MET, campaign=viewer.campaign, dead=False, retired=False)
        rows = _with_lines(met.select_related("player__user")).order_by("npc", "name", "pk")[:200]
        return own, list(rows) if kind.casting.second_role else []
    if kind.casting.who == "everyone":
        among = Q(player__isnull=False) | Q(pk__in=[carrier.pk for carrier in carriers(viewer, kind)])
        return list(known(viewer).filter(among, hidden=False, dead=False).order_by("npc", "name", "pk")[:200]), []
    alive = [character for character in present(viewer) if not character.dead]
    return [character for character in alive if viewer.runs or character.player_id == viewer.member.pk], []


@once
def pending_modifiers(viewer: Viewer) -> list[PendingModifier]:
    """Modifiers that wait for a roll, of characters that the viewer may know of."""
    if not waits(viewer, PendingModifier):
        return []
    pendings = PendingModifier.objects.filter(campaign=viewer.campaign, used=False, character__in=known(viewer))
    return list(pendings.select_related("character").order_by("pk"))


def pending_allocations(viewer: Viewer, *, also_dead: bool = False) -> list[PendingAllocation]:
    """What the viewer has to place: a player for their own characters, the GM for all. For the dead nobody does."""
    if not waits(viewer, PendingAllocation):
        return []
    pending = PendingAllocation.objects.filter(campaign=viewer.campaign, settled=False).select_related("character")
    pending = pending if also_dead else pending.filter(character__dead=False)
    if not viewer.runs:
        pending = pending.filter(character__player=viewer.member)
    return list(pending.prefetch_related(Prefetch("character__traits", Trait.objects.order_by("place"))).order_by("pk"))


def next_to_place(viewer: Viewer, character_id: uuid.UUID) -> uuid.UUID | None:
    """What has to be placed next for a character."""
    allocations = PendingAllocation.objects.filter(campaign=viewer.campaign, character=character_id, settled=False)
    return allocations.order_by("pk").values_list("pk", flat=True).first()


def allocation(viewer: Viewer, allocation_id: uuid.UUID) -> PendingAllocation | None:
    """One of them, or one of the dead."""
    return next((row for row in pending_allocations(viewer, also_dead=True) if row.pk == allocation_id), None)


def hurt(viewer: Viewer) -> list[Character]:
    """Who lives and has damage, or is out of it until the scene ends, of those that the viewer may know of."""
    return list(known(viewer).filter(scene_memory.hurt(viewer.campaign), dead=False).order_by("npc", "name", "pk"))


def anybody_hurt(viewer: Viewer) -> bool:
    """Whether the GM could let somebody recover."""
    return viewer.runs and bool(_hurt(viewer.campaign.pk, scene_memory.says_out(viewer.campaign)))


@compiled_once
def _hurt(campaign: uuid.UUID, out: list[str]) -> QuerySet[Character, uuid.UUID]:
    alive = Character.objects.filter(scene_memory.hurt_in(campaign, out), campaign=campaign, dead=False, retired=False)
    return alive.values_list("pk", flat=True)[:1]


@once
def contests(viewer: Viewer) -> list[Contest]:
    """The contests that are going on: in the scene, or in none."""
    return _going_on(viewer.campaign.pk, viewer.campaign.scene_id)


@compiled_once
def _going_on(campaign: uuid.UUID, scene: uuid.UUID | None) -> QuerySet[Contest]:
    here = Contest.objects.filter(Q(scene=None) | Q(scene=scene), campaign=campaign, over=False)
    return here.order_by("title", "pk")[:50]


def setups_of_scene(viewer: Viewer) -> list[dict[str, Any]]:
    """What the contests of the scene that is on were set up with."""
    if not viewer.campaign.scene_id:
        return []
    contests = Contest.objects.filter(campaign=viewer.campaign, scene_id=viewer.campaign.scene_id)
    return [json.loads(contest) for contest in contests.values_list("setup", flat=True)]


def ongoing(viewer: Viewer, slug: str) -> uuid.UUID | None:
    """The id of the contest of this kind that is going on, the latest of them."""
    names = [procedure.name for procedure in viewer.campaign.rules.procedures if procedure.slug == slug]
    contests = Contest.objects.filter(campaign=viewer.campaign, kind__in=names, over=False)
    return contests.values_list("pk", flat=True).first()


def left_open(viewer: Viewer) -> list[Contest]:
    """The contests that are not over while the scene that they are from is, the latest scene first."""
    if not waits(viewer, Contest):
        return []
    return _left_open(viewer.campaign.pk, viewer.campaign.scene_id)


@compiled_once
def _left_open(campaign: uuid.UUID, scene: uuid.UUID | None) -> QuerySet[Contest]:
    contests = Contest.objects.filter(campaign=campaign, over=False, scene__isnull=False).exclude(scene=scene)
    return contests.select_related("scene").order_by("-scene__opened", "title", "pk")[:50]


def unfinished(viewer: Viewer) -> tuple[list[Contest], list[Contest]]:
    """The contests of the scene that is on: those that it can't close before, and those that it leaves open."""
    waits, here = exclusive(viewer.campaign), [contest for contest in contests(viewer) if contest.scene_id]
    return ([contest for contest in here if contest.kind in waits],
            [contest for contest in here if contest.kind not in waits])


def begins_with(viewer: Viewer, kinds: list[Procedure[Any]]) -> list[tuple[Procedure[Any], list[str]]]:
    """Which of these kinds of contest a session that has just begun goes on with, and the names of who carries what."""
    campaign = viewer.campaign
    kinds = [kind for kind in kinds if kind.casting.carrying]
    if not kinds or campaign.scene_id or not campaign.session_id:
        return []
    if Scene.objects.filter(session_id=campaign.session_id).exists():
        return []
    done = Entry.objects.filter(campaign=campaign, session_id=campaign.session_id, kind="contest.start")
    ids = Change.objects.filter(campaign=campaign, entry__in=done, field="").values("object_id")
    over = set(Contest.objects.filter(campaign=campaign, pk__in=ids).values_list("kind", flat=True))
    kinds = [kind for kind in kinds if kind.name not in over]
    names = {kind: [carrier.name for carrier in carriers(viewer, kind)] for kind in kinds}
    return [(kind, names[kind]) for kind in kinds if names[kind]]


def carriers(viewer: Viewer, kind: Procedure[Any]) -> list[Character]:
    """Who has a line of those that a contest of this kind is about."""
    carrying = Trait.objects.filter(campaign=viewer.campaign, kind__in=kind.casting.carrying).values("character_id")
    characters = Character.objects.filter(campaign=viewer.campaign, retired=False, hidden=False, pk__in=carrying)
    return list(characters.order_by("npc", "name", "pk")[:200])


def prepared(viewer: Viewer) -> list[PrepItem]:
    """The GM's bank, by name; nothing for whoever does not run the game."""
    if not viewer.runs:
        return []
    return list(PrepItem.objects.filter(campaign=viewer.campaign).order_by("name", "pk")[:500])


def filled_by(viewer: Viewer, bank: PrepItemKind) -> list[Procedure[Any]]:
    """The kinds of contest that something of this kind can be used for now."""
    return [kind for kind in startable(viewer) if bank.filled & {field.name for field in kind.fields}]


def fillings(viewer: Viewer, kind: Procedure[Any]) -> list[PrepItem]:
    """What of the bank can fill the setup of a contest of this kind."""
    names = {field.name for field in kind.fields}
    types = {item.name for item in viewer.campaign.rules.prep_items if item.filled & names}
    return [item for item in prepared(viewer) if item.type in types] if types else []


def startable(viewer: Viewer, going_on: list[Contest] | None = None) -> list[Procedure[Any]]:
    """The kinds of contest that the viewer may start now, beside those that are `going_on`."""
    on = bool(viewer.campaign.scene_id)
    busy = {contest.kind for contest in (contests(viewer) if going_on is None else going_on)}
    return [
        kind for kind in viewer.campaign.rules.procedures
        if kind.placement.offered
        and not ((kind.placement.exclusive or kind.casting.who == "everyone") and kind.name in busy)
        and (viewer.runs or (viewer.plays and kind.placement.open_to_players))
        and (on or not kind.placement.needs_scene) and kind.allowed_by(viewer.campaign.settings)
    ]


def already_done(viewer: Viewer, op_id: str) -> Entry | None:
    """The entry that this operation of the viewer's has: what comes again is answered by what came of it first."""
    try:
        wanted = uuid.UUID(op_id)
    except ValueError:
        return None
    return Entry.objects.filter(~refusing(), campaign=viewer.campaign, actor=viewer.member, op_id=wanted).first()


def ever_had(viewer: Viewer, contest_id: uuid.UUID) -> bool:
    """Whether a contest is or was of the viewer's campaign: one is gone where its beginning is undone."""
    return Change.objects.filter(campaign=viewer.campaign, object_id=contest_id).exists()
