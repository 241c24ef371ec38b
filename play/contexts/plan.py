"""A plan as a template may see it: its scenes in order, with what belongs to each."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Prefetch
from django.urls import reverse

from campaigns.access import Viewer
from characters.models import Character
from play.models import PlanLine, PlanScene
from play.planned import PlannedContest, contests_of
from play.services import plan as services
from rules.wording import join

Ready = Mapping[uuid.UUID, PlannedContest]

PLAYED, OPEN, NEXT, LATER = "played", "open", "next", "later"


@dataclass(frozen=True)
class PlanLineRow:
    """A line of a plan; `note` is how hard it is, that somebody is hidden, or who is in a contest that is `ready`."""

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
    brings: str
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
    lines_of = [*own, *(each for scene in scenes for each in scene.lines.all())]
    hidden, ready = _hidden(lines_of), contests_of(viewer, lines_of)
    following = next((each.pk for each in scenes if not each.scene_id), None)
    rows = [_scene(viewer, each, number, hidden, ready, following) for number, each in enumerate(scenes, 1)]
    return PlanContext(
        plan.title, plan.notes, tuple(rows), tuple(_line(viewer, each, hidden, ready) for each in own))


def plan_choices(viewer: Viewer) -> list[tuple[str, str]]:
    """The scenes that something can still be put into; first the plan itself."""
    scenes = PlanScene.objects.filter(plan__campaign=viewer.campaign, plan__done=False, scene=None).order_by("place")
    return [("", "The plan"), *((str(each.pk), each.title) for each in scenes)]


def _hidden(lines: Iterable[PlanLine]) -> set[uuid.UUID]:
    people = [each.thing_id for each in lines if each.type == services.PERSON]
    found = Character.objects.filter(pk__in=[each for each in people if each], hidden=True, face=False)
    return set(found.values_list("pk", flat=True))


def _scene(
    viewer: Viewer, scene: PlanScene, number: int, hidden: set[uuid.UUID], ready: Ready, following: uuid.UUID | None
) -> PlanSceneRow:
    lines = [_line(viewer, each, hidden, ready) for each in scene.lines.all()]
    of = {wanted: tuple(each for each in lines if each.type == wanted) for wanted in (
        services.PERSON, services.OBSTACLE, services.CONTEST)}
    todos = tuple(each for each in lines if each.type in (services.TODO, services.FIXED))
    state = (OPEN if scene.scene_id == viewer.campaign.scene_id else PLAYED) if scene.scene_id else (
        NEXT if scene.pk == following else LATER)
    return PlanSceneRow(
        scene.pk, number, scene.title, scene.text, scene.notes, state, of[services.PERSON], of[services.OBSTACLE],
        of[services.CONTEST], todos, _brings(
            of[services.PERSON], of[services.OBSTACLE], sum(each.ready for each in of[services.CONTEST])),
        sum(each.ticked for each in todos), len(todos),
    )


def _brings(people: tuple[PlanLineRow, ...], obstacles: tuple[PlanLineRow, ...], contests: int) -> str:
    """What opening a scene brings, in a sentence."""
    seen = [each for each in people if not each.note]
    unseen = [each.words for each in people if each.note]
    parts = [f"{len(seen)} {'person' if len(seen) == 1 else 'people'}"] if seen else []
    parts += [f"{len(obstacles)} {'obstacle' if len(obstacles) == 1 else 'obstacles'}"] if obstacles else []
    parts += [f"{contests} {'contest' if contests == 1 else 'contests'} to begin"] if contests else []
    brought = f"Brings {join(['everybody who is played', *parts])}."
    return f"{brought} {join(unseen)} {'stays' if len(unseen) == 1 else 'stay'} hidden." if unseen else brought


def _line(viewer: Viewer, line: PlanLine, hidden: set[uuid.UUID], ready: Ready) -> PlanLineRow:
    note, contest = "", ready.get(line.pk)
    if line.type == services.OBSTACLE:
        note = viewer.campaign.rules.rolls.obstacle_words(services.fixed_values(line))
    elif contest:
        note = contest.words
    elif line.thing_id in hidden:
        note = "hidden"
    url = reverse("library_thing", args=[viewer.campaign.slug, line.thing_id]) if line.thing_id else ""
    begun, scene = contest is not None and contest.begun, viewer.campaign.scene_id
    on = scene is not None and (line.plan_scene is None or line.plan_scene.scene_id == scene)
    return PlanLineRow(
        line.pk, line.type, line.words, note, line.ticked, url, line.from_seq, ready=contest is not None, begun=begun,
        may_begin=contest is not None and on and not begun)
