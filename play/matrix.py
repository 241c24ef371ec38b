"""Obstacles against the player characters: what each can go about them with, and its exact chance."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from django.db.models import Prefetch, Q, QuerySet

from accounts.statements import Size, compiled_once
from campaigns.access import Viewer
from campaigns.bounded import Bounded
from campaigns.models import Campaign, View
from characters.models import IN_STORY, Character, Trait
from play import queries
from play.fits import UNSAID, Allowed, Fits, Where, fits_of
from play.models import Contest, LibraryTag, MatrixLimits, PrepItem
from play.services.bank import kind_of, spec_of
from play.services.on_scene import line_name
from play.services.position import campaign_context
from play.services.tray import procedure_of_tray
from rules.approaches import Approach, BestWay, best
from rules.codec import canonical
from rules.modifiers import Modifier
from rules.opposing import opposing_lines, stands_for
from rules.prep import PreparedObstacle
from rules.registry import kind_of as move_of
from rules.sheet import Sheet
from rules.system import Opposes, WaitsOnObstacles
from rules.values import BadMove, Value

ROWS, KEPT = 30, 16384
Place = tuple[str, uuid.UUID]  # of a thing in the matrix, by name

Waits = Callable[[str], Mapping[str, Value]]  # what waits on an obstacle, by its name
# What a way depends on: game, edition and settings, the sheet, what stands in the way, what counts, which lines fit.
Key = tuple[str, str, str, Sheet, str, tuple[Modifier, ...], frozenset[str] | None]
_FOUND: Bounded[Key, tuple[BestWay | None]] = Bounded(KEPT)


@dataclass(frozen=True)
class MatrixObstacle:
    """A row: an obstacle of something in the library (and which of its obstacles), or the line of an NPC."""

    thing: uuid.UUID
    place: int
    obstacle: PreparedObstacle
    tags: tuple[str, ...]
    item: PrepItem | None = None
    whose: Character | None = None
    more: Mapping[str, Value] = field(default_factory=dict)  # what waits on it beside its own values

    def as_it_stands(self, values: Mapping[str, Value] | None = None) -> Mapping[str, Value]:
        """What somebody goes about: its values, or these in their place, and what waits on it."""
        return {**(self.obstacle.values if values is None else values), **self.more}

    @property
    def view(self) -> View:
        """How much of it players know."""
        of = self.item or self.whose
        return of.view if of else View.ALL

    @property
    def where(self) -> Where:
        """As what fits is known by."""
        return Where(self.thing, self.place, self.obstacle.name, self.tags)


@dataclass(frozen=True)
class Person:
    """A player character as a page of the matrix needs it: its sheet, and what counts on its next roll."""

    character: Character
    sheet: Sheet
    waiting: tuple[Modifier, ...] = ()

    @property
    def id(self) -> uuid.UUID:
        """Whose column it is."""
        return self.character.pk


@dataclass(frozen=True)
class Chosen:
    """What somebody goes about it with, and how one knows that it fits."""

    best: BestWay
    allowed: Allowed

    @property
    def fits(self) -> bool:
        """Whether it goes by a line that fits."""
        return bool(self.best.way.uses) and self.allowed.how != UNSAID


def best_way(
    campaign: Campaign, sheet: Sheet, values: Mapping[str, Value], waiting: tuple[Modifier, ...] = (),
    lines: frozenset[str] | None = None,
) -> BestWay | None:
    """The way with the highest chance of those that go by these `lines` alone, or of all (None); with no line, the way
    of somebody whom nothing helps. None where the rules know none, or can't read the values."""
    key = (campaign.system, campaign.edition, campaign.settings_json, sheet, canonical(dict(values)), waiting, lines)
    known = _FOUND.get(key)
    if known is None:
        approaches = ways(campaign, sheet, values, waiting)
        known = _FOUND.put(key, (best(_going_by(approaches, lines, campaign.rules.rolls.always_fits), move_of),))
    return known[0]


def ways(
    campaign: Campaign, sheet: Sheet, values: Mapping[str, Value], waiting: tuple[Modifier, ...] = ()
) -> Sequence[Approach]:
    """All that somebody could go about it with; nothing where the rules can't read the values."""
    try:
        return campaign.rules.rolls.approaches(sheet, values, campaign.settings, waiting)
    except BadMove:
        return ()


def _going_by(ways: Sequence[Approach], lines: frozenset[str] | None, always: bool) -> Sequence[Approach]:
    if lines is None:
        return ways
    if fitting := [way for way in ways if way.uses and lines.issuperset(way.uses)]:
        return fitting
    return ways[:1] if always else [way for way in ways if not way.uses]


def way_of(
    viewer: Viewer, fits: Fits, person: Person, row: MatrixObstacle, values: Mapping[str, Value] | None = None
) -> Chosen | None:
    """What somebody goes about a row with, with what waits for their next roll; `values` in place of the row's own."""
    allowed = fits.allowed(person.id, person.sheet, row.where)
    held = row.as_it_stands(values)
    way = best_way(viewer.campaign, person.sheet, held, (*person.waiting, *allowed.stretch), allowed.lines)
    return Chosen(way, allowed) if way else None


def people(viewer: Viewer, boost: str = "") -> list[Person]:
    """All player characters, by name, each with what waits for the next roll; and with what could be offered (`boost`
    is the kind of it)."""
    rows = Character.objects.filter(IN_STORY, campaign=viewer.campaign, npc=False, hidden=False)
    lines = Prefetch("traits", Trait.objects.order_by("place"))
    characters = rows.select_related("player__user").prefetch_related(lines, "pools").order_by("name", "pk")
    offered = tuple(more for more in viewer.campaign.rules.rolls.boosts if more.kind == boost)
    pending: dict[uuid.UUID, list[Modifier]] = {}
    for given in queries.pending_modifiers(viewer):
        pending.setdefault(given.character_id, []).append(Modifier(given.kind, given.amount, given.reason))
    return [Person(character, character.sheet(), (*pending.get(character.pk, ()), *offered))
            for character in characters]


def known_fits(viewer: Viewer, people: Iterable[Person]) -> Fits:
    """What fits, of these people."""
    return fits_of(viewer, [person.character for person in people])


def prepared(
    viewer: Viewer, tag: str = "", after: Place | None = None, *, most: int = ROWS
) -> tuple[list[MatrixObstacle], Place | None]:
    """A page of what can stand in the way, by name: things of the library and NPCs; and the place after which there is
    more. Whoever has no line that resists has no row: so a page may be empty and not the last."""
    items = _things(viewer, tag, after, most + 1)
    npcs = _npcs(viewer, tag, after)[:most + 1] if isinstance(viewer.campaign.rules.rolls, Opposes) else ()
    things = sorted([*items, *npcs], key=lambda thing: (thing.name, thing.pk))
    page, more = things[:most], len(things) > most
    tags, waiting = _tags(viewer, page), _waiting(viewer)
    rows = [row for thing in page for row in _rows(viewer, thing, tags.get(thing.pk, ()), waiting)]
    return rows, (page[-1].name, page[-1].pk) if more else None


def of_library(viewer: Viewer, *, most: int) -> list[MatrixObstacle]:
    """What so many things of the library can put in the way, without their tags."""
    more = _waiting(viewer)
    return [row for thing in _things(viewer, "", None, most) for row in _rows(viewer, thing, (), more)]


def _waiting(viewer: Viewer) -> Waits:
    """What waits on an obstacle of some name in the scene that is on: nothing is read in a game that has no such."""
    campaign, rolls = viewer.campaign, viewer.campaign.rules.rolls
    procedure = procedure_of_tray(campaign)
    if not isinstance(rolls, WaitsOnObstacles) or procedure is None:
        return lambda name: {}
    context = campaign_context(Contest(campaign=campaign, scene_id=campaign.scene_id), procedure)
    return lambda name: rolls.as_it_stands(name, context)


def _things(viewer: Viewer, tag: str, after: Place | None, most: int) -> list[PrepItem]:
    kinds = [kind.name for kind in viewer.campaign.rules.library if kind.obstacles("", {})]
    name, pk = after or (None, None)
    return list(_items(viewer.campaign.pk, kinds, tag or None, name, pk, Size(most)))


def _tags(viewer: Viewer, things: Iterable[PrepItem | Character]) -> dict[uuid.UUID, tuple[str, ...]]:
    rows = LibraryTag.objects.filter(campaign=viewer.campaign, thing_id__in=[thing.pk for thing in things])
    tags: dict[uuid.UUID, tuple[str, ...]] = {}
    for thing, tag in rows.order_by("tag").values_list("thing_id", "tag"):
        tags[thing] = (*tags.get(thing, ()), tag)
    return tags


@compiled_once
def _items(
    campaign: uuid.UUID, kinds: list[str], tag: str | None, name: str | None, pk: uuid.UUID | None, most: Size,
) -> QuerySet[PrepItem]:
    rows = PrepItem.objects.filter(campaign=campaign, type__in=kinds)
    if tag:
        rows = rows.filter(pk__in=LibraryTag.objects.filter(campaign=campaign, tag=tag).values("thing_id"))
    if name:
        rows = rows.filter(Q(name__gt=name) | Q(name=name, pk__gt=pk))
    return rows.order_by("name", "pk")[:most]


def _npcs(viewer: Viewer, tag: str, after: Place | None) -> QuerySet[Character]:
    rows = Character.objects.filter(campaign=viewer.campaign, npc=True, retired=False, dead=False)
    if tag:
        rows = rows.filter(pk__in=LibraryTag.objects.filter(campaign=viewer.campaign, tag=tag).values("thing_id"))
    if after:
        rows = rows.filter(Q(name__gt=after[0]) | Q(name=after[0], pk__gt=after[1]))
    lines = Prefetch("traits", Trait.objects.order_by("place"))
    return rows.prefetch_related(lines, "pools").order_by("name", "pk")


def _rows(
    viewer: Viewer, thing: PrepItem | Character, tags: tuple[str, ...], more: Waits
) -> list[MatrixObstacle]:
    if isinstance(thing, Character):
        return _of_npc(viewer, thing, tags)
    obstacles = kind_of(viewer.campaign, thing.type).obstacles(thing.name, spec_of(thing))
    return [MatrixObstacle(thing.pk, place, obstacle, tags, item=thing, more=more(obstacle.name))
            for place, obstacle in enumerate(obstacles)]


def _of_npc(viewer: Viewer, npc: Character, tags: tuple[str, ...]) -> list[MatrixObstacle]:
    """What each line of an NPC stands for that can be against a roll, called as it is on a scene."""
    rules, settings, sheet = viewer.campaign.rules, viewer.campaign.settings, npc.sheet()
    rows = []
    for line in opposing_lines(rules, sheet):
        named = PreparedObstacle(line_name(npc, line), stands_for(rules, settings, sheet, line))
        rows.append(MatrixObstacle(uuid.UUID(line.id), 0, named, tags, whose=npc))
    return rows


def row_of(viewer: Viewer, thing_id: uuid.UUID, place: int) -> MatrixObstacle | None:
    """A row by its thing and place; None where it is no longer there."""
    item = PrepItem.objects.filter(campaign=viewer.campaign, pk=thing_id).first()
    thing: PrepItem | Character | None = item or _npcs(viewer, "", None).filter(traits=thing_id).first()
    if thing is None:
        return None
    rows = _rows(viewer, thing, _tags(viewer, [thing]).get(thing.pk, ()), _waiting(viewer))
    return next((row for row in rows if (row.thing, row.place) == (thing_id, place)), None)


def with_values(
    campaign: Campaign, item: PrepItem, place: int, values: Mapping[str, Value]
) -> Mapping[str, Value]:
    """The fields of something prepared once this obstacle of it has these values."""
    return kind_of(campaign, item.type).with_obstacle(spec_of(item), place, values)


def limits(campaign: Campaign) -> tuple[int, int]:
    """From which percent on something is easy, and down from which it is hard."""
    kept = MatrixLimits.objects.filter(campaign=campaign).first()
    return (kept.easy, kept.hard) if kept else (80, 15)
