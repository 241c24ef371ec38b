"""The plan of a session: scenes in order, with what belongs to each. All of it sealed until it is played."""
from __future__ import annotations

import json
import uuid
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from types import MappingProxyType
from typing import Any

from django.db import transaction
from django.db.models import Max, Min, Q

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Change, Entry, Member, Role, View
from campaigns.services import undoing
from campaigns.trail.visible import payload_of
from characters.models import Character
from characters.services.common import NAME, STORY, text
from play.models import Contest, PlanLine, PlanScene, PrepItem, SessionPlan
from play.services import bank, contests, obstacles, scenes, sessions
from rules.codec import VERSION, canonical, read
from rules.values import Value

PERSON, OBSTACLE, CONTEST, TODO, FIXED = "person", "obstacle", "contest", "todo", "fixed"
TYPED = (TODO, CONTEST, FIXED)  # what a person types; people and obstacles come from the library
WORDS = 300
CHOICES = 200  # of the players, that are looked through for the one that met what was fixed

trail.declare("plan.write", "A plan is written", bank.PREPARED, story=False)
trail.declare("plan.reveal", "Something fixed beforehand is revealed", bank.PREPARED)
trail.declare("plan.open", "A planned scene is played", bank.PREPARED, story=False)


def current(campaign: Campaign) -> SessionPlan | None:
    """The plan that is not done."""
    return SessionPlan.objects.filter(campaign=campaign, done=False).first()


def id_from(campaign: Campaign, op_id: uuid.UUID) -> uuid.UUID:
    """The id of what an operation puts into a plan."""
    return uuid.uuid5(op_id, f"planned of {campaign.pk}")


@trail.answers_once
def write_plan(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, title: str, notes: str = "") -> Entry:
    """Begins a plan, or changes the title and notes of the current one."""
    with _entry(campaign, actor, op_id) as entry:
        said = {"title": text(title, NAME, "title"), "notes": text(notes, STORY, "notes")}
        plan = current(campaign)
        if plan is None:
            entry.create(SessionPlan(id=id_from(campaign, op_id), campaign=entry.campaign, **said))
        elif not entry.change(entry.locked(SessionPlan, pk=plan.pk), **said):
            raise Refused("Nothing here is different yet.")
        entry.title = f"The plan: {said['title'] or 'next session'}"
    return entry.written


@trail.answers_once
@transaction.atomic
def write_scene(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, title: str, words: str = "", notes: str = "",
    plan_scene_id: uuid.UUID | None = None, lines: Sequence[uuid.UUID | str] = (),
) -> Entry:
    """Puts a scene at the end of the plan, which it begins where there is none; or changes one.

    `lines` are what belongs to a new one: ids of the library, and words not to forget.
    """
    with _entry(campaign, actor, op_id) as entry:
        said = {"title": text(title, NAME, "title", needed="Give the scene a title."),
                "text": text(words, STORY, "text"), "notes": text(notes, STORY, "notes")}
        if plan_scene_id is not None:
            if not entry.change(entry.locked(PlanScene, pk=plan_scene_id), **said):
                raise Refused("Nothing here is different yet.")
        else:
            plan = _plan(entry)
            last = PlanScene.objects.filter(plan=plan).aggregate(last=Max("place"))["last"] or 0
            entry.create(PlanScene(
                id=id_from(campaign, op_id), campaign=entry.campaign, plan=plan, place=last + 1, **said))
        entry.title = f"Planned: {said['title']}"
    for place, line in enumerate(lines):
        of: dict[str, Any] = {"words": line} if isinstance(line, str) else {"thing_id": line}
        add_line(campaign=campaign, actor=actor, op_id=uuid.uuid5(op_id, f"with {place}"), **of,
                 plan_scene_id=plan_scene_id or id_from(campaign, op_id))
    return entry.written


@trail.answers_once
@transaction.atomic
def add_line(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, words: str = "", type: str = TODO,
    plan_scene_id: uuid.UUID | None = None, thing_id: uuid.UUID | None = None, from_seq: int | None = None,
) -> Entry:
    """Adds a line to a scene of the plan, or to the plan itself: something of the library, or words."""
    with _entry(campaign, actor, op_id) as entry:
        plan = _plan(entry)
        scene = entry.locked(PlanScene, pk=plan_scene_id) if plan_scene_id else None
        lines = _of_thing(entry.campaign, thing_id) if thing_id else [{
            "type": type if type in TYPED else TODO,
            "words": text(words, WORDS, "words", needed="Enter a few words."), "from_seq": from_seq}]
        _line(entry, plan, scene, lines[0])
    # Each has an entry of its own, so that one can be revealed without the others.
    for place, line in enumerate(lines[1:]):
        with _entry(campaign, actor, uuid.uuid5(op_id, f"line {place}")) as more:
            _line(more, plan, scene, line)
    return entry.written


@trail.answers_once
def write_contest(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, kind: str, title: str, said: Mapping[str, Value],
    plan_scene_id: uuid.UUID | None = None, line_id: uuid.UUID | None = None,
) -> Entry:
    """Holds a contest ready in a scene of the plan, or changes one that is expected there. `said` is what the form
    that starts it opens with, by field."""
    with _entry(campaign, actor, op_id) as entry:
        words = text(title, WORDS, "title", needed="Enter a title.")
        spec = canonical({"v": VERSION, "kind": kind, "said": dict(said)})
        if line_id is None:
            scene = entry.locked(PlanScene, pk=plan_scene_id)
            _line(entry, scene.plan, scene, {"type": CONTEST, "words": words, "spec": spec})
        else:
            entry.change(entry.locked(PlanLine, pk=line_id, type=CONTEST), words=words, spec=spec)
            entry.title = f"Planned: {words}"[:bank.TITLE]
    return entry.written


def _line(entry: trail.Draft, plan: SessionPlan, scene: PlanScene | None, said: dict[str, Any]) -> None:
    entry.create(PlanLine(campaign=entry.campaign, plan=plan, plan_scene=scene, **said))
    entry.title = f"Planned: {said['words']}"[:bank.TITLE]


@trail.answers_once
def tick(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, line_id: uuid.UUID, ticked: bool = True) -> Entry:
    """Ticks a line of the plan, or takes the tick off."""
    with _entry(campaign, actor, op_id) as entry:
        line = entry.locked(PlanLine, pk=line_id)
        entry.change(line, ticked=ticked)
        entry.title = f"{'Done' if ticked else 'Not done'}: {line.words}"[:bank.TITLE]
    return entry.written


@trail.answers_once
def remove_line(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, line_id: uuid.UUID) -> Entry:
    """Takes a line out of the plan."""
    with _entry(campaign, actor, op_id) as entry:
        line = entry.locked(PlanLine, pk=line_id)
        entry.title = f"No longer planned: {line.words}"[:bank.TITLE]
        entry.remove(line)
    return entry.written


@trail.answers_once
def remove_scene(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, plan_scene_id: uuid.UUID) -> Entry:
    """Takes a scene out of the plan, with its lines."""
    with _entry(campaign, actor, op_id) as entry:
        scene = entry.locked(PlanScene, pk=plan_scene_id)
        for line in PlanLine.objects.filter(plan_scene=scene):
            entry.remove(line)
        entry.title = f"No longer planned: {scene.title}"
        entry.remove(scene)
    return entry.written


@trail.answers_once
def move_up(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, plan_scene_id: uuid.UUID) -> Entry:
    """Lets a scene and the one before it change places."""
    with _entry(campaign, actor, op_id) as entry:
        scene = entry.locked(PlanScene, pk=plan_scene_id)
        before = PlanScene.objects.filter(plan=scene.plan_id, place__lt=scene.place).order_by("-place").first()
        if before is None:
            raise Refused("No change: this is already the first scene.")
        place = scene.place
        entry.change(scene, place=before.place)
        entry.change(entry.locked(PlanScene, pk=before.pk), place=place)
        entry.title = f"Planned earlier: {scene.title}"
    return entry.written


@trail.answers_once
def carry_on(*, campaign: Campaign, actor: Member, op_id: uuid.UUID) -> Entry:
    """Ends the plan; scenes that were not played and lines without a tick go on to the next."""
    with _entry(campaign, actor, op_id) as entry:
        plan = current(campaign)
        if plan is None:
            raise Refused("There is no plan yet.")
        entry.change(entry.locked(SessionPlan, pk=plan.pk), done=True)
        after = entry.create(SessionPlan(id=id_from(campaign, op_id), campaign=entry.campaign))
        left = list(PlanScene.objects.filter(plan=plan, scene=None).order_by("place"))
        for place, scene in enumerate(left, 1):
            entry.change(scene, plan_id=after.pk, place=place)
        stay = {plan_scene.pk for plan_scene in left}
        lines = list(PlanLine.objects.filter(plan=plan, ticked=False).select_related("plan_scene"))
        played = begun(campaign, lines)
        for line in lines:
            # A line of a scene that was played goes on as one of the plan; people and obstacles were brought with it.
            if line.plan_scene_id in stay:
                entry.change(line, plan_id=after.pk)
            elif line.type in TYPED and line.thing_id is None and line.pk not in played:
                entry.change(line, plan_id=after.pk, plan_scene_id=None)
        entry.title = "The next plan"
    return entry.written


def begun(campaign: Campaign, lines: Iterable[PlanLine]) -> set[uuid.UUID]:
    """The lines that held a contest ready which is there by now: one that was begun of it, or in its scene one of its
    kind and title. A query where there are any."""
    held = [line for line in lines if line.type == CONTEST and line.spec]
    if not held:
        return set()
    scenes = {line.pk: line.plan_scene.scene_id for line in held if line.plan_scene}
    here = Q(scene_id__in=[scene for scene in scenes.values() if scene], title__in=[line.words for line in held])
    contests = Contest.objects.filter(here | Q(pk__in=[line.contest_id for line in held]), campaign=campaign)
    there = list(contests.values_list("pk", "scene_id", "kind", "title"))
    ids, alike = {pk for pk, *_ in there}, {tuple(what) for _, *what in there}
    return {line.pk for line in held if line.contest_id in ids or (
        scenes.get(line.pk), read(line.spec)["kind"], line.words) in alike}


@trail.answers_once
def begin_contest(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, line_id: uuid.UUID, **start: Any) -> Entry:
    """Starts a contest that the plan held ready, with what `contests.start` asks for: the plan's line knows it by id,
    whatever it is called by now."""
    with trail.together(campaign) as whole:
        started = contests.start(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, part_of=whole, **start)
        with _entry(campaign, actor, uuid.uuid5(op_id, "planned")) as entry:
            line = entry.locked(PlanLine, pk=line_id)
            entry.change(line, contest_id=contests.id_from(campaign, op_id))
            entry.title = f"Begun as planned: {line.words}"[:bank.TITLE]
    return started


@trail.answers_once
@transaction.atomic
def open_scene(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, plan_scene_id: uuid.UUID, values: Mapping[str, Any],
    anyway: bool = False, views: Mapping[uuid.UUID, View] = MappingProxyType({}),
    current: Collection[uuid.UUID] = (),
) -> Entry:
    """Opens a planned scene with all that belongs to it: closes the one that is on (`values` are asked then), begins
    a session where none is open, brings all player characters and the people, and puts the obstacles in the way.

    Who and what is hidden stays hidden. `views` say by line how much players see of an obstacle from now on, where that
    is more than before; the lines of `current` are as hard as the library says by now, the others as they were planned.
    """
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="plan.open", audience=trail.GM
    ) as entry:
        planned = entry.locked(PlanScene, pk=plan_scene_id)
        if planned.scene_id:
            raise Refused("This scene was played already.")
        entry.title = f"Played as planned: {planned.title}"
        by: dict[str, Any] = {"campaign": campaign, "actor": actor}
    if entry.campaign.scene_id:
        scenes.close_scene(**by, op_id=uuid.uuid5(op_id, "close"), values=values, anyway=anyway)
    if not entry.campaign.session_id:
        sessions.open_session(**by, op_id=uuid.uuid5(op_id, "session"))
    lines = list(PlanLine.objects.filter(plan_scene=planned).order_by("pk"))
    people = [*sessions.who_comes(campaign), *(line.thing_id for line in lines if line.type == PERSON)]
    sessions.open_scene(
        **by, op_id=uuid.uuid5(op_id, "scene"), title=planned.title, text=planned.text,
        characters=[person for person in people if person])
    for line in lines:
        if line.type == OBSTACLE:
            obstacles.put(
                **by, op_id=uuid.uuid5(op_id, str(line.pk)), name=line.words, view=views.get(line.pk, View.NOTHING),
                values=values_now(campaign, line, line.pk in current), thing_id=line.thing_id)
    with _entry(campaign, actor, uuid.uuid5(op_id, "played"), "plan.open") as done:
        done.change(done.locked(PlanScene, pk=planned.pk), scene_id=done.campaign.scene_id)
        for ticked in (line for line in lines if line.type in (PERSON, OBSTACLE)):
            done.change(done.locked(PlanLine, pk=ticked.pk), ticked=True)
        done.title = f"On the scene as planned: {planned.title}"
    return entry.written


@trail.answers_once
@transaction.atomic
def reveal(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, line_id: uuid.UUID) -> Entry:
    """Shows the entry in which a line of the plan was fixed, and tells which choice of a player came after it."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="plan.reveal") as entry:
        line = entry.locked(PlanLine, pk=line_id)
        if line.type not in (OBSTACLE, FIXED):
            raise Refused("Only an obstacle or an outcome is fixed beforehand.")
        marks = Change.objects.filter(campaign=campaign, object_id=line.pk, field="")
        fixed = marks.aggregate(first=Min("seq"))["first"]
        hard = entry.campaign.rules.rolls.obstacle_words(fixed_values(line)) if line.spec else ""
        entry.title = f"Fixed beforehand: {line.words}{f', {hard}' if hard else ''}"
        entry.move({"fixed": {"entry": fixed, "chosen": _chosen(campaign, line, fixed)}})
        entry.index(line.pk)
    undoing.reveal(campaign=campaign, actor=actor, op_id=uuid.uuid5(op_id, "fixed"), seq=fixed)
    return entry.written


def _chosen(campaign: Campaign, line: PlanLine, fixed: int) -> int:
    """The entry in which a player last chose how to meet what was fixed, by its name; 0 where none says so."""
    players = Member.objects.filter(campaign=campaign, role=Role.PLAYER)
    entries = Entry.objects.filter(campaign=campaign, seq__gt=fixed, actor__in=players, audience=trail.ALL)
    chosen = list(entries.select_related("payload").order_by("-seq")[:CHOICES])
    moves = {entry.seq: (payload_of(entry) or {}).get("move") or {} for entry in chosen}
    met = Contest.objects.filter(pk__in=[move["contest"] for move in moves.values() if "contest" in move])
    here = {str(contest.pk) for contest in met
            if line.words in (contest.title, json.loads(contest.setup).get("obstacle"))}
    return next((seq for seq, move in moves.items() if move.get("contest") in here or line.words in (
        move.get("met"), move.get("asked", {}).get("what"))), 0)


def fixed_values(line: PlanLine) -> dict[str, Any]:
    """The fields of an obstacle as the plan fixed them."""
    fields: dict[str, Any] = read(line.spec)["fields"]
    return fields


def values_now(campaign: Campaign, line: PlanLine, current: bool) -> dict[str, Any]:
    """The fields of a planned obstacle as the library has them by now, where those are wanted and there; else as they
    were fixed."""
    item = PrepItem.objects.filter(campaign=campaign, pk=line.thing_id).first() if current and line.thing_id else None
    return values_of_item(campaign, line, item) or fixed_values(line)


def values_of_item(campaign: Campaign, line: PlanLine, item: PrepItem | None) -> dict[str, Any] | None:
    """The fields of a planned obstacle as this thing, of which it came, has them."""
    rows = bank.kind_of(campaign, item.type).obstacles(item.name, bank.spec_of(item)) if item else ()
    of_name = [row for row in rows if row.name == line.words] or (rows if len(rows) == 1 else ())
    return dict(of_name[0].values) if of_name else None


def _entry(
    campaign: Campaign, actor: Member, op_id: uuid.UUID, kind: str = "plan.write"
) -> AbstractContextManager[trail.Draft]:
    return trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind=kind, audience=trail.GM)


def _plan(entry: trail.Draft) -> SessionPlan:
    return current(entry.campaign) or entry.create(SessionPlan(campaign=entry.campaign))


def _of_thing(campaign: Campaign, thing_id: uuid.UUID) -> list[dict[str, Any]]:
    """The lines of something in the library: a person, its obstacles as they are now, or a word not to forget."""
    person = Character.objects.filter(campaign=campaign, pk=thing_id, npc=True).first()
    if person:
        return [{"type": PERSON, "thing_id": person.pk, "words": person.name}]
    item = PrepItem.objects.filter(campaign=campaign, pk=thing_id).first()
    if item is None:
        raise Refused("This is no longer in the library.")
    obstacles = bank.kind_of(campaign, item.type).obstacles(item.name, bank.spec_of(item))
    return [{"type": OBSTACLE, "thing_id": item.pk, "words": obstacle.name, "spec": canonical(
        {"v": VERSION, "fields": dict(obstacle.values)})} for obstacle in obstacles] or [
        {"type": TODO, "thing_id": item.pk, "words": item.name}]
