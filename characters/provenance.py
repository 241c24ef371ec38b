"""Where the lines of a sheet come from, as the trail tells it: what actions gave beside what a builder counts."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet, Subquery

from accounts.statements import compiled_once
from campaigns.models import Campaign, Entry
from campaigns.trail.looking import kinds_in
from campaigns.trail.models import Change
from rules.codec import read
from rules.sheet import Sheet, Trait, TraitDraft

FAMILY = "deed."
GROWN = "character.grow"  # what was bought with what a character earned


@dataclass(frozen=True, slots=True)
class Provenance:
    """How much actions gave a line, whether it came with one, and the kind that it was before one turned it."""

    grown: int = 0
    later: bool = False
    began: str = ""

    def mark(self, trait: Trait) -> Trait:
        """The line of a sheet, with where it comes from as far as play asks for it."""
        return replace(trait, later=self.later, began=self.began)

    def annotate(self, draft: TraitDraft) -> TraitDraft:
        """The draft of a line, with where it comes from."""
        return replace(draft, grown=self.grown, later=self.later, began=self.began)


Provenances = Mapping[str, Provenance]
BUILT = Provenance()


def with_provenance(campaign: Campaign, sheets: Mapping[str, Sheet]) -> dict[str, Sheet]:
    """These sheets, with where their lines come from; two queries in a game that tells making and growth apart."""
    if not campaign.rules.growth.creation_actions or not sheets:
        return dict(sheets)
    known = provenance(campaign, *sheets)
    return {pk: marked(sheet, known) for pk, sheet in sheets.items()}


def marked(sheet: Sheet, known: Provenances) -> Sheet:
    """A sheet with where its lines come from."""
    return replace(sheet, traits=tuple(known.get(trait.id, BUILT).mark(trait) for trait in sheet.traits))


def provenance(campaign: Campaign, *characters: uuid.UUID | str) -> dict[str, Provenance]:
    """Of each line of these that an action touched, by its id; two queries. Actions that are undone gave nothing."""
    by_line: dict[str, Provenance] = {}
    completes = campaign.rules.growth.creation_actions
    kinds = [kind for kind in kinds_in(campaign.pk) if kind.startswith(FAMILY) or kind == GROWN]
    ids = [uuid.UUID(str(character)) for character in characters]
    for kind, undone, text in _actions(campaign.pk, kinds, ids) if kinds else ():
        if text is not None and not (undone or 0) % 2:
            _take_in(by_line, read(text)["changes"], kind.removeprefix(FAMILY) in completes)
    return by_line


@compiled_once
def _actions(
    campaign: uuid.UUID, kinds: list[str], characters: list[uuid.UUID]
) -> QuerySet[Entry, tuple[Any, ...]]:
    """The entries of actions on these, oldest first: their kind, how often they are undone, what they say.

    They are found by their kinds: what was written about a character is much more than what it was given.
    """
    marks = Change.objects.filter(entry=OuterRef("pk"), object_id__in=characters, field="")
    # An undoing is about the entry that it undoes, and so is what undoes an undoing: an odd number of them counts.
    undoings = Change.objects.filter(
        campaign=campaign, object_id=OuterRef("pk"), field="", entry__kind="undo").order_by()
    many = undoings.values("object_id").annotate(many=Count("pk")).values("many")
    entries = Entry.objects.filter(Exists(marks), campaign=campaign, kind__in=kinds).order_by("seq")
    return entries.annotate(undone=Subquery(many)).values_list("kind", "undone", "payload__text")


def _take_in(by_line: dict[str, Provenance], changes: Iterable[Mapping[str, Any]], completes: bool) -> None:
    """What one action did to lines. What it added in the making of a sheet came later, and is counted."""
    for change in changes:
        was, became, pk = change["was"], change["became"], change["id"]
        if change["of"] != "trait" or became is None:
            continue
        so_far = by_line.get(pk, BUILT)
        if was is None:
            by_line[pk] = Provenance(0 if completes else became["value"], later=True)
            continue
        began = so_far.began or ("" if so_far.later else was.get("kind", ""))
        by_line[pk] = Provenance(so_far.grown + became.get("value", 0) - was.get("value", 0), so_far.later, began)
