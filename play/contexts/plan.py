"""A plan as a template may see it: its scenes in order, with what belongs to each."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Prefetch, Q
from django.urls import reverse

from campaigns.access import Viewer
from campaigns.models import View
from characters.models import Character
from play.models import PlanLine, PlanScene, PrepItem, SessionPlan
from play.planned import PlannedContest, contests_of
from play.services import plan as services
from play.waiting import waits
from rules.wording import join

Ready = Mapping[uuid.UUID, PlannedContest]

MOST_TODOS = 50  # of a plan, at the table
PLAYED, OPEN, NEXT, LATER = "played", "open", "next", "later"


@dataclass(frozen=True)
class PlanLineRow:
    """A line of a plan; `note` is how hard it is, that somebody is hidden, or who is in a contest that is `ready`.

    `now` is how hard the library says it is, where that is another by now. `view` is how much players know of an
    obstacle.
    """

    id: uuid.UUID
    type: str
    words: str
    note: str
    ticked: bool
    url: str
    seq: int | None
    ready: bool = False
    begun: bool = False
    may_begin: bool = False  # its scene is on, or it is of no scene and any is
    now: str = ""
    view: View = View.ALL


@dataclass(frozen=True)
class PlanSceneRow:
    """A planned scene: where it stands, what belongs to it, and what opening it would do."""

    id: uuid.UUID
    number: int
    title: str
    text: str
    notes: str
    state: str
    people: tuple[PlanLineRow, ...]
    obstacles: tuple[PlanLineRow, ...]
    contests: tuple[PlanLineRow, ...]
    todos: tuple[PlanLineRow, ...]
    things: tuple[PlanLineRow, ...]  # of the library: places, factions, notes
    brings: str
    players_see: str
    ticked: int
    of: int


@dataclass(frozen=True)
class PlanContext:
    """The current plan: its own lines are what is still open."""

    title: str
    notes: str
    scenes: tuple[PlanSceneRow, ...]
    lines: tuple[PlanLineRow, ...]


def plan_context(viewer: Viewer) -> PlanContext | None:
    """The plan that is not done; None where there is none. Five queries, two more with contests that are ready."""
    plan = services.current(viewer.campaign)
    if plan is None:
        return None
    lines = Prefetch("lines", PlanLine.objects.order_by("type", "words", "pk"))
    scenes = list(PlanScene.objects.filter(plan=plan).order_by("place").prefetch_related(lines))
    own = list(PlanLine.objects.filter(plan=plan, plan_scene=None).order_by("ticked", "words", "pk"))
    lines_of = [*own, *(line for scene in scenes for line in scene.lines.all())]
    known = _known(viewer, lines_of)
    following = next((scene.pk for scene in scenes if not scene.scene_id), None)
    rows = [_scene(viewer, scene, number, known, following) for number, scene in enumerate(scenes, 1)]
    return PlanContext(
        plan.title, plan.notes, tuple(rows), tuple(_line(viewer, line, known) for line in own))


@dataclass(frozen=True)
class PlanHere:
    """What the GM's table shows of the plan: notes of the evening and of the scene that is on, and what to tick off."""

    title: str
    notes: str
    scene_notes: str
    todos: tuple[PlanLineRow, ...]


def plan_here(viewer: Viewer) -> PlanHere | None:
    """The plan's notes and ticks for the scene that is on; None for players, and where the plan has none."""
    if not (viewer.runs and viewer.campaign.scene_id and waits(viewer, SessionPlan)):
        return None
    plan = services.current(viewer.campaign)
    scene = PlanScene.objects.filter(campaign=viewer.campaign, scene=viewer.campaign.scene_id).first()
    if not plan and not scene:
        return None
    # One or both of them, and nothing else: a database that may also look for nothing reads all lines that there are.
    wanted = [Q(plan_scene=scene)] * bool(scene) + [Q(plan=plan, plan_scene=None)] * bool(plan)
    lines = PlanLine.objects.filter(reduce(or_, wanted), type__in=[services.TODO, services.FIXED], thing_id=None)
    known = _Known(set(), {}, {})
    todos = tuple(_line(viewer, line, known) for line in lines.order_by("plan_scene_id", "words", "pk")[:MOST_TODOS])
    notes = (plan.notes if plan else "", scene.notes if scene else "")
    return PlanHere(plan.title if plan else "", *notes, todos) if any(notes) or todos else None


def plan_choices(viewer: Viewer) -> list[tuple[str, str]]:
    """The scenes that something can still be put into; first the plan itself."""
    scenes = PlanScene.objects.filter(plan__campaign=viewer.campaign, plan__done=False, scene=None).order_by("place")
    return [("", "The plan"), *((str(scene.pk), scene.title) for scene in scenes)]


@dataclass(frozen=True)
class _Known:
    """What the lines of a plan stand for: who is hidden, the contests that are ready, and the things."""

    hidden: set[uuid.UUID]
    ready: Ready
    items: Mapping[uuid.UUID, PrepItem]


def _known(viewer: Viewer, lines: Iterable[PlanLine]) -> _Known:
    lines = list(lines)
    ids = [line.thing_id for line in lines if line.thing_id]
    hidden = Character.objects.filter(campaign=viewer.campaign, pk__in=ids, hidden=True, face=False)
    items = PrepItem.objects.filter(campaign=viewer.campaign).in_bulk(ids)
    return _Known(set(hidden.values_list("pk", flat=True)), contests_of(viewer, lines), items)


def _scene(
    viewer: Viewer, scene: PlanScene, number: int, known: _Known, following: uuid.UUID | None
) -> PlanSceneRow:
    lines = [_line(viewer, line, known) for line in scene.lines.all()]
    of = {wanted: tuple(line for line in lines if line.type == wanted) for wanted in (
        services.PERSON, services.OBSTACLE, services.CONTEST)}
    typed = [line for line in lines if line.type in (services.TODO, services.FIXED)]
    todos, things = (tuple(row for row in typed if bool(row.url) is of_library) for of_library in (False, True))
    state = (OPEN if scene.scene_id == viewer.campaign.scene_id else PLAYED) if scene.scene_id else (
        NEXT if scene.pk == following else LATER)
    return PlanSceneRow(
        scene.pk, number, scene.title, scene.text, scene.notes, state, of[services.PERSON], of[services.OBSTACLE],
        of[services.CONTEST], todos, things, _brings(
            of[services.PERSON], of[services.OBSTACLE], sum(row.ready for row in of[services.CONTEST])),
        _players_see(of[services.OBSTACLE]),
        sum(todo.ticked for todo in todos), len(todos),
    )


def _brings(people: tuple[PlanLineRow, ...], obstacles: tuple[PlanLineRow, ...], contests: int) -> str:
    """What opening a scene brings, in a sentence."""
    seen = [person for person in people if not person.note]
    unseen = [person.words for person in people if person.note]
    parts = [f"{len(seen)} {'person' if len(seen) == 1 else 'people'}"] if seen else []
    parts += [f"{len(obstacles)} {'obstacle' if len(obstacles) == 1 else 'obstacles'}"] if obstacles else []
    parts += [f"{contests} {'contest' if contests == 1 else 'contests'} to begin"] if contests else []
    brought = f"Brings {join(['all player characters', *parts])}."
    return f"{brought} {join(unseen)} {'stays' if len(unseen) == 1 else 'stay'} hidden." if unseen else brought


def _players_see(obstacles: tuple[PlanLineRow, ...]) -> str:
    """What players see of the obstacles, unless it is chosen otherwise; in a sentence for each kind."""
    named = {view: join([line.words for line in obstacles if line.view is view], "") for view in View}
    said = {View.ALL: "Players will see the difficulty: {}.", View.FACE: "Players will see only the name: {}.",
            View.NOTHING: "Players will see only that something is there: {}."}
    parts = [said[view].format(named[view]) for view in said if named[view]]
    if named[View.FACE] or named[View.NOTHING]:
        parts.append("They see a number once someone rolls against it.")
    return " ".join(parts)


def _line(viewer: Viewer, line: PlanLine, known: _Known) -> PlanLineRow:
    item = known.items.get(line.thing_id) if line.thing_id and line.type == services.OBSTACLE else None
    note, now, contest, words = "", "", known.ready.get(line.pk), viewer.campaign.rules.rolls.obstacle_words
    if line.type == services.OBSTACLE:
        note = words(services.fixed_values(line))
        held = services.values_of_item(viewer.campaign, line, item)
        now = words(held) if held and words(held) != note else ""
    elif contest:
        note = contest.words
    elif line.thing_id in known.hidden:
        note = "hidden"
    url = reverse("library_thing", args=[viewer.campaign.slug, line.thing_id]) if line.thing_id else ""
    begun, scene = contest is not None and contest.begun, viewer.campaign.scene_id
    on = scene is not None and (line.plan_scene is None or line.plan_scene.scene_id == scene)
    return PlanLineRow(
        line.pk, line.type, line.words, note, line.ticked, url, line.from_seq, ready=contest is not None, begun=begun,
        may_begin=contest is not None and on and not begun, now=now,
        view=item.view if item else View.ALL)
