"""What a GM prepares, as it goes onto paper: NPCs as cards, and the plan with the abilities of those in it."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Prefetch

from campaigns.access import Viewer
from campaigns.models import View
from characters.models import Character, Trait
from play.contexts.plan import PlanContext, PlanSceneRow, plan_context
from play.models import PlanLine
from play.services import plan as services

MOST_CARDS = 160  # twenty pages
MOST_LINES = 24  # of a card; what is more is on the sheet
LONG, LONGER = 300, 560  # letters from which on a card is set smaller
LINE = 30  # letters that a line of its own takes up, at least


@dataclass(frozen=True)
class PaperLine:
    """A line of a sheet: its name, its value as the sheet shows it, and whether it stands in another one."""

    name: str
    value: str
    within: bool


@dataclass(frozen=True)
class Card:
    """An NPC on a card: what is said of them in a few words, their lines, and how many more the sheet has.

    `size` is how small it is set: "", `long` or `longer`; `hidden` says that players don't know of them.
    """

    id: uuid.UUID
    name: str
    concept: str
    lines: tuple[PaperLine, ...]
    more: int
    hidden: bool
    size: str

    @property
    def brief(self) -> str:
        """The lines in one: `Sabre 5M, Debts 17`."""
        return ", ".join(f"{line.name} {line.value}".strip() for line in self.lines)


@dataclass(frozen=True)
class PaperScene:
    """A planned scene with the cards of its people."""

    scene: PlanSceneRow
    people: tuple[Card, ...]


@dataclass(frozen=True)
class PaperPlan:
    """The plan that is not done, scene by scene."""

    plan: PlanContext
    scenes: tuple[PaperScene, ...]


def cards(viewer: Viewer, ids: Iterable[uuid.UUID] | None = None) -> tuple[Card, ...]:
    """The NPCs of the library, or those of these ids, by name: two queries."""
    rows = Character.objects.filter(campaign=viewer.campaign, npc=True, retired=False, dead=False)
    if ids is not None:
        rows = rows.filter(pk__in=list(ids))
    lines = Prefetch("traits", Trait.objects.order_by("place"))
    known = rows.prefetch_related(lines, "pools").order_by("name", "pk")[:MOST_CARDS]
    return tuple(_card(viewer, character) for character in known)


def _card(viewer: Viewer, character: Character) -> Card:
    rules, sheet = viewer.campaign.rules.sheet, character.sheet()
    drawn = {kind.name for kind in rules.trait_kinds if kind.drawn}
    lines = [PaperLine(line.name, rules.display_value(line, sheet), bool(line.parent))
             for line in sheet.traits if line.kind not in drawn]
    said = ", ".join((*rules.in_brief(sheet), *filter(None, (character.concept,))))
    letters = len(said) + len(character.name) + sum(
        max(LINE, len(line.name) + len(line.value)) for line in lines[:MOST_LINES])
    return Card(
        character.pk, character.name, said, tuple(lines[:MOST_LINES]), max(0, len(lines) - MOST_LINES),
        character.view is View.NOTHING, "longer" if letters > LONGER else "long" if letters > LONG else "")


def people_of_plan(viewer: Viewer) -> Mapping[uuid.UUID, list[uuid.UUID]]:
    """Who is in each scene of the plan that is not done: one query."""
    lines = PlanLine.objects.filter(
        campaign=viewer.campaign, type=services.PERSON, plan__done=False, plan_scene__isnull=False)
    pks: dict[uuid.UUID, list[uuid.UUID]] = {}
    for scene, person in lines.order_by("words", "pk").values_list("plan_scene_id", "thing_id"):
        if scene and person:
            pks.setdefault(scene, []).append(person)
    return pks


def paper_plan(viewer: Viewer) -> PaperPlan | None:
    """The plan with the abilities of those in it; None where there is none."""
    plan = plan_context(viewer)
    if plan is None:
        return None
    people = people_of_plan(viewer)
    known = {card.id: card for card in cards(viewer, {pk for ids in people.values() for pk in ids})}
    return PaperPlan(plan, tuple(
        PaperScene(scene, tuple(known[pk] for pk in people.get(scene.id, ()) if pk in known))
        for scene in plan.scenes))
