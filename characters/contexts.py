"""What the templates of characters may see: built for one viewer, field by field, so that nothing else gets in."""
from __future__ import annotations

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet
from django.urls import reverse

from accounts.statements import compiled_once
from campaigns.access import Viewer, once
from campaigns.models import Entry
from campaigns.sight import ViewChoice, choices
from campaigns.trail.visible import payload_of
from characters.cards import portrait_url
from characters.models import Character
from characters.provenance import BUILT, Provenances, marked
from characters.services.common import free, may_edit
from rules.sheet import Budget, Sheet, Trait, TraitDraft
from rules.system import System, TraitKind

NUMBERS = ("value", "damage")  # what can be asked why
MOST_MADE = 20  # characters to take


@dataclass(frozen=True)
class SheetLink:
    """A character as a page names it that is about one thing of it."""

    pk: uuid.UUID
    name: str


@dataclass(frozen=True)
class SwitchLink:
    """One of several characters of the viewer: where one goes on with them, and what is fetched there in its place."""

    pk: uuid.UUID
    name: str
    url: str
    current: bool
    fetched: str = ""


@dataclass(frozen=True)
class State:
    """A character at one moment, whether read from the tables or added up from the trail."""

    sheet: Sheet
    concept: str = ""
    story: str = ""
    player_id: str = ""
    npc: bool = False
    hidden: bool = False
    retired: bool = False
    pool_ids: tuple[tuple[str, str], ...] = ()
    digest: str = ""


@dataclass(frozen=True)
class TraitRow:
    """A line of a sheet as it is drawn."""

    id: str
    name: str
    note: str
    notation: str  # as it counts now
    whole: str  # as it is unhurt; "" where that is the same
    damage: int
    below: bool  # damage took it under the lowest value that the game writes
    why: str
    within: bool = False  # belongs to the line above
    harm: str = ""  # what the damage is, where the game tells kinds apart


@dataclass(frozen=True)
class Group:
    """The lines of one kind."""

    label: str
    help: str
    rows: tuple[TraitRow, ...]
    room: range = range(1)  # so many more lines are to write on, on paper


@dataclass(frozen=True)
class PoolRow:
    """A pool as it is drawn."""

    label: str
    help: str
    value: int | None  # None on a sheet to fill in by hand
    why: str


@dataclass(frozen=True)
class BudgetRow:
    """One thing that the builder counts."""

    label: str
    spent: int
    whole: int
    left: int
    words: str
    for_gm: bool = False  # whether more than the whole waits for the GM, and refuses nothing


@dataclass(frozen=True)
class BudgetContext:
    """Left to choose, in words."""

    rows: tuple[BudgetRow, ...]
    remarks: tuple[str, ...]
    settled: bool
    over: bool
    notes: tuple[str, ...] = ()

    @property
    def open(self) -> bool:
        """Whether something may still be placed."""
        return any(row.left > 0 or (row.for_gm and row.left < 0) for row in self.rows)

    @property
    def excess(self) -> tuple[BudgetRow, ...]:
        """Where there is more than the budget allows."""
        return tuple(row for row in self.rows if row.left < 0 and not row.for_gm)


@dataclass(frozen=True)
class SheetContext:
    """A sheet for one viewer. `note` is None for whoever may not read it."""

    id: uuid.UUID
    name: str
    concept: str
    story: str
    player: str
    mine: bool
    npc: bool
    hidden: bool
    views: tuple[ViewChoice, ...]
    looks: str
    retired: bool
    dead: bool
    unable: str
    portrait: str
    groups: tuple[Group, ...]
    pools: tuple[PoolRow, ...]
    below: tuple[TraitRow, ...]
    detail: Any
    open: BudgetContext | None
    note: str | None
    may_edit: bool
    may_grow: bool
    why: bool = True  # whether its numbers lead to the entries that made them


@dataclass(frozen=True)
class Reason:
    """One entry that made a number what it is."""

    seq: int
    at: datetime
    who: str
    title: str
    changes: tuple[tuple[str, str], ...]  # was and became, in words
    reason: str


def state_of(character: Character) -> State:
    """A character as the tables have it. Prefetch `traits` and `pools`; select `portrait`."""
    return State(
        character.sheet(), character.concept, character.story, str(character.player_id or ""), character.npc,
        character.hidden, character.retired, tuple((pool.name, str(pool.pk)) for pool in character.pools.all()),
        character.portrait.digest if hasattr(character, "portrait") else "",
    )


def sheet_context(
    viewer: Viewer, character: Character, state: State, *, note: str | None = None, now: bool = True,
    known: Provenances | None = None, why: bool = True,
) -> SheetContext:
    """The sheet as `viewer` may see it; `now` is whether it is today's, that can be changed.

    `why` is whether its numbers lead to the entries that made them.
    """
    rules, edits = viewer.campaign.rules, now and may_edit(viewer.member, character)
    sheet = marked(state.sheet, known or {})
    rows = {trait.id: _row(viewer, rules, character, trait, sheet) for trait in sheet.traits}
    pools = _pools(viewer, rules, character, state)
    if not why:
        rows = {pk: replace(row, why="") for pk, row in rows.items()}
        pools = tuple(replace(row, why="") for row in pools)
    player = character.player
    mine = bool(state.player_id) and state.player_id == str(viewer.member.pk)
    drafts = _drafts(sheet, known or {})
    budget = budget_context(rules.sheet.budget(drafts, viewer.campaign.settings)) if edits and not state.npc else None
    return SheetContext(
        id=character.pk, name=sheet.name, concept=state.concept, story=state.story,
        player=str(player) if player and str(player.pk) == state.player_id else "", mine=mine, npc=state.npc,
        hidden=state.hidden, views=choices(character.view) if viewer.runs and now and state.npc else (),
        looks=character.looks if now else "", retired=state.retired, dead=sheet.dead, unable=rules.sheet.unable(sheet),
        portrait=portrait_url(viewer, character.pk, _digest_in_use(character, state.digest)),
        groups=_groups(rules, sheet, rows),
        detail=rules.sheet.detail(sheet, viewer.campaign.settings),
        pools=pools, below=tuple(row for row in rows.values() if row.below),
        open=budget if budget and budget.open else None,
        note=note if viewer.runs and now else None, may_edit=edits,
        may_grow=edits and bool(rules.growth.purchases(sheet, viewer.campaign.settings)), why=why,
    )


@dataclass(frozen=True)
class ReadyRow:
    """A character that the game has ready, by the number that the builder begins with."""

    number: int
    name: str
    concept: str


def ready_made(viewer: Viewer) -> tuple[ReadyRow, ...]:
    """Those that can be taken as they are, or begun from."""
    made = enumerate(viewer.campaign.rules.sheet.ready_made, 1)
    return tuple(ReadyRow(number, ready_made.name, ready_made.concept) for number, ready_made in made)


@dataclass(frozen=True)
class Castings:
    """Characters to take with one tap: those that the game has ready, and to a player those that the GM has made."""

    ready: tuple[ReadyRow, ...]
    made: tuple[SheetLink, ...]


@once
def played(viewer: Viewer) -> list[str]:
    """The names of the characters that are played, or can be."""
    return _played(viewer.campaign.pk)


@compiled_once
def _played(campaign: uuid.UUID) -> QuerySet[Character, str]:
    characters = Character.objects.filter(campaign=campaign, npc=False, retired=False)
    return characters.order_by("name").values_list("name", flat=True)


def castings(viewer: Viewer) -> Castings:
    """Who can be taken: of those that are ready, those who are not in the campaign yet."""
    known = set(played(viewer))
    characters = Character.objects.filter(campaign=viewer.campaign, npc=False, retired=False)
    made = [] if viewer.runs else characters.filter(free()).order_by("name", "pk")[:MOST_MADE]
    return Castings(tuple(row for row in ready_made(viewer) if row.name not in known),
                    tuple(SheetLink(character.pk, character.name) for character in made))


def budget_context(budget: Budget) -> BudgetContext:
    """The budget, counted and in words."""
    rows = tuple(
        BudgetRow(line.label, line.spent, line.whole, line.left, line.todo or _left(line.left), line.for_gm)
        for line in budget.lines
    )
    over = any(row.left < 0 and not row.for_gm for row in rows)
    return BudgetContext(rows, budget.remarks, budget.settled, over, budget.notes)


def reasons(viewer: Viewer, entries: Sequence[Entry], object_id: uuid.UUID, kind: str) -> list[Reason]:
    """What each entry did to the numbers of a row. One that was erased keeps its own number and says nothing."""
    told = []
    opened = [(entry, payload_of(entry) or {}) for entry in entries]
    for entry, payload in opened:
        change = _change(payload, str(object_id))
        kind = kind or str((change.get("became") or change.get("was") or {}).get("kind", ""))
        words = tuple(
            (_words(viewer, change["was"], field, kind), _words(viewer, change["became"], field, kind))
            for field in NUMBERS if _tells(change, field)
        )
        who, title = str(entry.actor) if entry.actor else "the site", payload.get("title", "This text was erased.")
        if words:  # they follow after a colon
            title = title.removesuffix(".")
        told.append(Reason(entry.seq, entry.at, who, title, words, str(payload.get("reason", ""))))
    return told


def _tells(change: Mapping[str, Any], field: str) -> bool:
    """Whether a change says something of a number; that a new line is unhurt goes without saying."""
    states = [state for state in (change.get("was"), change.get("became")) if state]
    if field == "damage" and len(states) == 1 and not states[0].get("damage"):
        return False
    return any(field in state for state in states)


def _digest_in_use(character: Character, digest: str) -> str:
    """The digest while its picture is up: one that was taken down is gone from old sheets too."""
    return digest if digest == getattr(getattr(character, "portrait", None), "digest", None) else ""


def _change(payload: Mapping[str, Any], object_id: str) -> Mapping[str, Any]:
    """The change of this row in an entry; in one that showed a hidden character, the state that it shows."""
    for change in (*payload.get("changes", ()), *payload.get("present", ())):
        if change["id"] == object_id:
            return change  # type: ignore[no-any-return]
    return {}


def _words(viewer: Viewer, state: Mapping[str, Any] | None, field: str, kind: str) -> str:
    if state is None or field not in state:
        return ""
    value = state[field]
    if field == "value" and kind and isinstance(value, int):
        return viewer.campaign.rules.sheet.notation(kind, value)
    if field == "damage":
        return f"{value} damage" if value else "unhurt"
    return str(value)


def _groups(rules: System, sheet: Sheet, rows: Mapping[str, TraitRow]) -> tuple[Group, ...]:
    """The lines by kind, in the game's order; kinds that share a heading stand under the first of them."""
    groups: dict[str, Group] = {}
    for kind in rules.sheet.trait_kinds:
        lines = _lines(rules, sheet, kind, rows)
        if kind.drawn or (not lines and (kind.within or kind.condition or kind.lines == 0)):
            continue
        heading = kind.under or kind.plural
        before = groups[heading].rows if heading in groups else ()
        groups[heading] = Group(heading, kind.help, (*before, *lines))
    return tuple(groups.values())


def _lines(rules: System, sheet: Sheet, kind: TraitKind, rows: Mapping[str, TraitRow]) -> tuple[TraitRow, ...]:
    """The lines of a kind, each followed by those that stand in it; each says what it is where others stand by."""
    shown: list[TraitRow] = []
    of_kind = False
    for trait, within in sheet.nested:
        of_kind = of_kind if within else trait.kind == kind.name
        if of_kind and within:
            shown.append(_telling(rules.sheet.trait_kind(trait.kind), replace(rows[trait.id], within=True)))
        elif of_kind:
            shown.append(_telling(kind, rows[trait.id]) if kind.plural != kind.under else rows[trait.id])
    return tuple(shown)


def _telling(kind: TraitKind, row: TraitRow) -> TraitRow:
    """A line of a kind that shares its heading, with its kind in front of its note."""
    return replace(row, note=": ".join(filter(None, (kind.label, row.note)))) if kind.under else row


def _row(viewer: Viewer, rules: System, character: Character, trait: Trait, sheet: Sheet) -> TraitRow:
    lowest = min((value for kind in rules.sheet.trait_kinds for value, _ in kind.values), default=trait.now)
    return TraitRow(
        trait.id, trait.name, trait.note, rules.sheet.display_value(trait, sheet),
        rules.sheet.notation(trait.kind, trait.value) if trait.damage else "", trait.damage,
        bool(trait.damage) and trait.now < lowest,
        reverse("why", args=[viewer.campaign.slug, character.pk, trait.id]), harm=rules.sheet.harm_in_words(trait),
    )


def _pools(viewer: Viewer, rules: System, character: Character, state: State) -> tuple[PoolRow, ...]:
    ids = dict(state.pool_ids)
    return tuple(
        PoolRow(
            kind.label, kind.help, state.sheet.pool(kind.name),
            reverse("why", args=[viewer.campaign.slug, character.pk, ids[kind.name]])
            if kind.name in ids else "",
        )
        for kind in rules.sheet.pools if kind.sheets == "all" or (kind.sheets == "played" and not state.sheet.npc)
    )


def _drafts(sheet: Sheet, known: Provenances) -> list[TraitDraft]:
    names = {trait.id: trait.name for trait in sheet.traits}
    return [
        known.get(trait.id, BUILT).annotate(
            TraitDraft(trait.kind, trait.name, trait.value, trait.note, names.get(trait.parent, "")))
        for trait in sheet.traits
    ]


def _left(left: int) -> str:
    if left > 0:
        return f"{left} left."
    return f"{-left} too many." if left < 0 else "All assigned."
