"""Evenings and scenes: opening and closing them, and who is there."""
from __future__ import annotations

import uuid
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

from django.db import transaction
from django.db.models import Max, Q
from django.utils import timezone

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Change, Entry, Member, Role, View
from characters.cast import Cast, cast_where
from characters.models import IN_STORY, Character, Pool, Trait
from characters.services.common import on_arrival
from play.models import Contest, Presence, Scene, Session, SharedPool
from play.services import attendance, contests, scene_memory
from play.services.contests import exclusive
from play.services.pools import all_held, apply
from play.services.position import find_position
from rules.moves import Outcome
from rules.sheet import Sheet, SpendShared
from rules.system import SessionChange
from schedule.services.evenings import take_over

SCENES = trail.Filter("scenes", "Sessions and scenes")
trail.declare("session.open", "A session opens", SCENES)
trail.declare("session.close", "A session ends", SCENES)
trail.declare("session.recap", "A recap", SCENES)
trail.declare("scene.open", "A scene opens", SCENES)
trail.declare("scene.presence", "Who is there", SCENES)


@trail.answers_once
@transaction.atomic
def open_session(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, title: str = "") -> Entry:
    """Opens the next session; refused while one is open. On a date that was set, those who said so are there."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="session.open",
        title=title or "A session begins",
    ) as entry:
        if entry.campaign.session_id:
            raise Refused("A session is already open. End it first.")
        last = Session.objects.filter(campaign=campaign).aggregate(last=Max("number"))["last"] or 0
        session = entry.create(
            Session(campaign=entry.campaign, number=last + 1, title=title, opened=timezone.now())
        )
        entry.title = f"{session} begins"
        entry.change(entry.campaign, session_id=session.pk)
        attendance.note(entry, session, [member.pk for member in take_over(entry, session.pk)])
        _begin(entry)
    _start_what_begins_with_it(entry)
    return entry.written


def _start_what_begins_with_it(opened: trail.Draft) -> None:
    """What goes on as long as a session does begins with it, in an entry of its own."""
    campaign, settings = opened.campaign, opened.campaign.settings
    for kind in campaign.rules.procedures:
        going_on = Contest.objects.filter(campaign=campaign, kind=kind.name, over=False)
        if kind.placement.session_end and not going_on.exists():
            with suppress(trail.NotWritten):  # the session begins all the same
                contests.start(
                    campaign=campaign, actor=opened.actor, op_id=uuid.uuid5(opened.op_id, kind.name), client_seed="",
                    kind=kind.name, title=kind.default_title or kind.title, characters=(),
                    setup={**kind.of_campaign(settings), "contestants": []})


def _end_what_began_with_it(campaign: Campaign, actor: Member, op_id: uuid.UUID) -> None:
    """Ends what goes on as long as a session, where the session can be closed at all."""
    for kind in campaign.rules.procedures:
        if kind.placement.session_end:
            for contest in Contest.objects.filter(campaign=campaign, kind=kind.name, over=False):
                _may_close(Campaign.objects.get(pk=campaign.pk))
                _end(campaign, actor, uuid.uuid5(op_id, str(contest.pk)), contest.pk, kind.placement.session_end)


def _end(campaign: Campaign, actor: Member, op_id: uuid.UUID, contest_id: uuid.UUID, action: str) -> None:
    """Ends a contest by the act that its rules have for it; where they fail at that, it is called off."""
    given: dict[str, Any] = {"campaign": campaign, "actor": actor, "contest_id": contest_id}
    position = find_position(campaign, contest_id)
    if position is None or position.offer(action, "") or not position.is_broken:
        with suppress(trail.NotWritten):
            contests.act(**given, op_id=op_id, client_seed="", by="", action=action, given={})
            return
    contests.call_off(**given, op_id=uuid.uuid5(op_id, "call off"))


def unspent(campaign: Campaign) -> tuple[str, ...]:
    """Who loses something when the session ends, as the game warns of it."""
    everybody = _in_order(_everybody(campaign), campaign)
    return campaign.rules.session.unspent(everybody, all_held(campaign), campaign.settings)


def _everybody(campaign: Campaign) -> Cast:
    """Whose sheet holds something."""
    played = [trait_kind.name for trait_kind in campaign.rules.sheet.trait_kinds if trait_kind.played]
    holding = Pool.objects.filter(campaign=campaign, value__gt=0).values("character_id")
    lines = Trait.objects.filter(campaign=campaign, kind__in=played).values("character_id")
    return cast_where(campaign, Q(pk__in=holding) | Q(pk__in=lines))


def _in_order(cast: Cast, campaign: Campaign) -> list[Sheet]:
    return sorted(cast.with_provenance(campaign).values(), key=lambda sheet: (sheet.npc, sheet.name))


def _begin(entry: trail.Draft) -> None:
    """What the game deals out when a session begins, to player characters and to NPCs that the game names."""
    campaign = entry.campaign
    dealt = campaign.rules.session.dealt
    named = Trait.objects.filter(campaign=campaign, kind__in=dealt).values("character_id") if dealt else None
    to = Q(player__isnull=False) | (Q(npc=True, pk__in=named) if named is not None else Q())
    cast = cast_where(campaign, to & IN_STORY & Q(hidden=False))
    _tell(entry, campaign.rules.session.begin(_in_order(cast, campaign), campaign.settings), cast)


def _may_close(campaign: Campaign) -> None:
    if not campaign.session_id:
        raise Refused("No session is open.")
    if campaign.scene_id:
        raise Refused("A scene is in progress. End it first.")


def _tell(entry: trail.Draft, change: SessionChange, cast: Cast) -> None:
    if change.steps:
        apply(entry, change.effects, cast)
        entry.move(None, Outcome({}, change.steps))


@trail.answers_once
@transaction.atomic
def close_session(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, title: str = "", recap: str = "",
    there: Iterable[uuid.UUID] | None = None,
) -> Entry:
    """Closes the open session, with its name and recap and who was there; refused while a scene is on."""
    if not Entry.objects.filter(campaign=campaign, op_id=op_id).exists():
        _end_what_began_with_it(campaign, actor, op_id)
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="session.close") as entry:
        _may_close(entry.campaign)
        now, cast = entry.campaign, _everybody(entry.campaign)
        _tell(entry, now.rules.session.end(_in_order(cast, now), all_held(now), now.settings), cast)
        session = entry.locked(Session, pk=entry.campaign.session_id)
        entry.change(session, closed=timezone.now(), title=title, recap=recap)
        if there is not None:
            attendance.note(entry, session, there)
        entry.title = f"{session} ends"
        entry.change(entry.campaign, session_id=None)
    return entry.written


@trail.answers_once
def write_recap(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, session_id: uuid.UUID, title: str, recap: str, seen: int
) -> Entry:
    """Writes a session's title and recap; refused where somebody wrote after the entry that the form had `seen`."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="session.recap") as entry:
        session = entry.locked(Session, pk=session_id)
        if last_written(campaign, session_id) > seen:
            late = "Someone else saved a recap while you were writing. Theirs is below: combine the two, then save."
            raise Refused(late, "recap")
        entry.change(session, title=title, recap=recap)
        entry.title = f"{session}: the recap"
    return entry.written


def last_written(campaign: Campaign, session_id: uuid.UUID) -> int:
    """The number of the entry that last wrote a session's title or recap; 0 where none did."""
    marks = Change.objects.filter(campaign=campaign, object_id=session_id, field__in=("title", "recap"))
    return marks.aggregate(last=Max("seq"))["last"] or 0


@trail.answers_once
@transaction.atomic
def open_scene(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, title: str, text: str = "",
    characters: Iterable[uuid.UUID] = (),
) -> Entry:
    """Opens a scene in the open session (which it opens too where none is), with those who are there."""
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="scene.open", title=f"Scene: {title}"
    ) as entry:
        if entry.campaign.scene_id:
            raise Refused("A scene is already in progress. End it first.")
        session_id = entry.campaign.session_id
        if not session_id:
            raise Refused("Open a session first.")
        number = Scene.objects.filter(campaign=campaign, session=session_id).count() + 1
        scene = entry.create(Scene(
            campaign=entry.campaign, session_id=session_id, number=number, title=title, text=text,
            opened=timezone.now(),
        ))
        shown, unseen = _apart(_here(entry.campaign, characters))
        _bring_in(entry, scene, shown)
        scene_memory.end(entry, hidden=False)  # what was noted between two scenes
        entry.change(entry.campaign, scene_id=scene.pk)
    _behind_the_screen(entry, come=unseen, anew=scene_memory.is_over_unseen(entry.campaign))
    return entry.written


@trail.answers_once
@transaction.atomic
def open_first_scene(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, title: str) -> Entry:
    """Opens the next session where none is open, and its first scene with all player characters, in one step."""
    if not Campaign.objects.filter(pk=campaign.pk, session_id__isnull=False).exists():
        open_session(campaign=campaign, actor=actor, op_id=uuid.uuid5(op_id, "session"))
    return open_scene(campaign=campaign, actor=actor, op_id=op_id, title=title, characters=who_comes(campaign))


def who_comes(campaign: Campaign) -> list[uuid.UUID]:
    """The ids of those with whom a scene opens, where nobody says who is in it: the player characters."""
    played = Character.objects.filter(IN_STORY, campaign=campaign, npc=False, hidden=False)
    return list(played.values_list("pk", flat=True))


@trail.answers_once
@transaction.atomic
def set_presence(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, characters: Iterable[uuid.UUID]
) -> Entry:
    """Says who is in the scene that is on: those named come in, the others leave."""
    wanted = list(characters)
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="scene.presence") as entry:
        scene = _scene(entry)
        here = list(Presence.objects.filter(scene=scene).select_related("character"))
        gone = [presence for presence in here if presence.character_id not in set(wanted)]
        busy = Contest.objects.filter(scene=scene, over=False, kind__in=exclusive(campaign))
        if gone and busy.exists():
            raise Refused("A contest is in progress: nobody can leave the scene until it is over.", "characters")
        there = {presence.character_id for presence in here}
        coming = [character for character in _here(campaign, wanted) if character.pk not in there]
        shown, unseen = _apart(coming)
        leaving = [presence for presence in gone if presence.character.view is not View.NOTHING]
        going = [presence for presence in gone if presence.character.view is View.NOTHING]
        if (unseen or going) and not shown and not leaving:
            # Where only the hidden move, players see nothing move.
            entry.audience = trail.GM
            shown, leaving, unseen, going = unseen, going, [], []
        _bring_in(entry, scene, shown)
        entry.trust(*gone)
        entry.remove(*leaving)
        entry.title = _came_and_went(shown, [presence.character for presence in leaving])
    _behind_the_screen(entry, come=unseen, go=going)
    return entry.written


def _behind_the_screen(
    done: trail.Draft, *, come: list[Character], go: Iterable[Presence] = (), anew: bool = False
) -> None:
    """What hidden characters do is an entry of its own, which only the GM can read; `anew`: as a scene opens."""
    going = list(go)
    if not (come or going or anew):
        return
    names = "The hidden begin afresh"
    if come or going:
        names = _came_and_went(come, [presence.character for presence in going])
    with trail.entry(
        campaign=done.campaign, actor=done.actor, op_id=uuid.uuid5(done.op_id, "hidden"), needs=Role.GM,
        kind="scene.presence", title=names, audience=trail.GM,
    ) as entry:
        _bring_in(entry, _scene(entry), come)
        entry.remove(*going)
        if anew:
            scene_memory.end(entry, hidden=True)


def _came_and_went(came: list[Character], gone: list[Character]) -> str:
    parts = []
    if came:
        parts.append(f"{_names(came)} {'comes' if len(came) == 1 else 'come'} in")
    if gone:
        parts.append(f"{_names(gone)} {'leaves' if len(gone) == 1 else 'leave'}")
    return "; ".join(parts) or "Nobody came or went"


def _names(characters: list[Character]) -> str:
    names = [character.name for character in characters]
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _here(campaign: Campaign, ids: Iterable[uuid.UUID]) -> list[Character]:
    wanted = list(ids)
    characters = Character.objects.filter(campaign=campaign, pk__in=wanted, retired=False).order_by("name", "pk")
    return list(characters) if wanted else []


def _apart(characters: Iterable[Character]) -> tuple[list[Character], list[Character]]:
    """Those of whom players may know something, and those who are hidden."""
    known = list(characters)
    return ([character for character in known if character.view is not View.NOTHING],
            [character for character in known if character.view is View.NOTHING])


def _bring_in(entry: trail.Draft, scene: Scene, characters: Iterable[Character]) -> None:
    entry.create_all(Presence(campaign=entry.campaign, scene=scene, character=character) for character in characters)


def _come(entry: trail.Draft, character: Character) -> None:
    """What a character who comes to a player finds: what the session deals, and the scene that is on."""
    _deal_in(entry, character)
    _come_in(entry, character)


def _deal_in(entry: trail.Draft, character: Character) -> None:
    """Who comes while a session is open has what the others were dealt as it began, once a session: the session may be
    opened before the players are there. What nobody has touched is reckoned by who plays, and needs nothing."""
    campaign = entry.campaign
    given = Change.objects.filter(campaign=campaign, object_id=character.pk, entry__kind="character.assign")
    if not campaign.session_id or given.filter(entry__session_id=campaign.session_id).exists():
        return
    plays = character.player is not None and character.player.role == Role.PLAYER
    first = plays and not _has_another(campaign, character)
    dealt = campaign.rules.session.join(character.sheet(), campaign.settings, first=first)
    held = set(SharedPool.objects.filter(campaign=campaign).values_list("name", flat=True))
    apply(entry, [effect for effect in dealt.effects if not isinstance(effect, SpendShared) or effect.pool in held])
    if dealt.steps:
        entry.move(None, Outcome({}, dealt.steps))


def _has_another(campaign: Campaign, character: Character) -> bool:
    """Whether the player has one in this session beside this character: one who left the story in it counts, too, as
    what was dealt for them is still there."""
    others = Character.objects.filter(campaign=campaign, player=character.player_id, hidden=False).exclude(
        pk=character.pk)
    left = Change.objects.filter(
        Q(entry__kind="character.retire") | Q(field="dead"), campaign=campaign, object_id__in=others.values("pk"),
        entry__session_id=campaign.session_id)
    return others.filter(IN_STORY | Q(pk__in=left.values("object_id"))).exists()


def _come_in(entry: trail.Draft, character: Character) -> None:
    """A player's character who comes while a scene is on is in it, where nobody of that player's who lives is yet."""
    if not entry.campaign.scene_id:
        return
    here = Presence.objects.filter(scene_id=entry.campaign.scene_id)
    theirs = Q(character__player=character.player_id, character__dead=False)
    if not here.filter(Q(character=character) | theirs).exists():
        _bring_in(entry, _scene(entry), [character])


on_arrival(_come)


def _scene(entry: trail.Draft) -> Scene:
    if not entry.campaign.scene_id:
        raise Refused("No scene is on. Open one first.")
    return entry.locked(Scene, pk=entry.campaign.scene_id)
