"""An entry as one viewer may see it: an allow-list, built before any template."""
from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import groupby
from typing import TYPE_CHECKING, Any

from django.conf import settings
from django.db.models import QuerySet
from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.safestring import SafeString

from accounts.statements import compiled_once
from campaigns.bounded import Bounded
from campaigns.trail.cards import ShownCard, shown_card
from campaigns.trail.changes import ChangeContext, changes_of
from campaigns.trail.declared import declared
from campaigns.trail.dice import TYPED
from campaigns.trail.models import Change, Entry
from campaigns.trail.visible import may_read, payload_of

if TYPE_CHECKING:
    from campaigns.access import Viewer

MOST_DRAWN = 4000  # rows that are kept


@dataclass(frozen=True)
class RolledContext:
    """Where faces came from. `number` is the secret's in the list of whoever rolled, 0 in the earlier form.

    Those that were `typed` fell at the table: of them there are the faces alone.
    """

    commitment: str
    number: int
    secret: str
    seed: str  # the browser's, "" for an unwitnessed roll
    faces: tuple[int, ...]
    typed: bool = False


@dataclass(frozen=True)
class EntryContext:
    """One row of the ledger. `sealed` entries show their envelope and nothing else."""

    seq: int
    day: str
    clock: str
    exact: str
    who: str
    sealed: bool
    secret: bool  # readable by this viewer, but not by all
    erased: bool
    kept_by_gm: bool
    undone_by: int | None
    mine: bool = False  # the viewer's own doing
    kind: str = ""
    title: str = ""
    undoes: int | None = None
    reveals: int | None = None
    result: dict[str, Any] = field(default_factory=dict)
    move: dict[str, Any] = field(default_factory=dict)
    steps: list[dict[str, str]] = field(default_factory=list)
    dice: list[dict[str, Any]] = field(default_factory=list)
    changes: tuple[ChangeContext, ...] = ()
    templates: tuple[str, ...] = ()
    rolled: RolledContext | None = None
    reason: str = ""
    edition: str = ""  # the rules by which it was written
    label: str = ""  # what entries of its kind are called
    card: ShownCard | None = None  # what it puts in front of people

    @property
    def rule(self) -> str:
        """The id of the rule that what it says first goes by; "" for none."""
        return self.steps[0].get("rule", "") if self.steps else ""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A row of the Ledger, drawn. `kind` is "" where the viewer may not read it."""

    seq: int
    kind: str
    sealed: bool
    erased: bool
    html: SafeString
    undone: bool = False

    @property
    def again(self) -> SafeString:
        """It as it stands on a page beside the row itself: without the id, which leads to that one."""
        return SafeString(self.html.replace(f' id="entry-{self.seq}"', "", 1))


@dataclass(frozen=True, slots=True)
class SealedRun:
    """Sealed entries in a row, which the Ledger says in one line."""

    first: int
    last: int
    count: int


def folded(rows: Sequence[EntryRow], beyond: tuple[int, int] = (0, 0)) -> list[EntryRow | SealedRun]:
    """The rows of a Ledger's page, newest first, with those that are sealed, and stand side by side, as one.

    `beyond` are sealed ones that go on after the last row: how many, and the number of the first.
    """
    lines: list[EntryRow | SealedRun] = []
    for sealed, group in groupby(rows, key=lambda row: row.sealed and not row.erased):
        run = list(group)
        many, first = beyond if run[-1] is rows[-1] and beyond[0] else (0, run[-1].seq)
        lines += [SealedRun(first, run[0].seq, len(run) + many)] if sealed and len(run) + many > 1 else run
    return lines


def entries(viewer: Viewer, listed: Sequence[Entry]) -> list[EntryContext]:
    """These entries as the viewer may see them; one query. Select `payload`, `revelation` and `actor__user`."""
    gone = undone(viewer, [entry.pk for entry in listed])
    return [_opened(viewer, entry, _outside(viewer, entry, gone.get(entry.pk))) for entry in listed]


_DRAWN: Bounded[tuple[Any, ...], SafeString] = Bounded(MOST_DRAWN)


def rows(viewer: Viewer, listed: Sequence[Entry]) -> list[EntryRow]:
    """The same as rows of the Ledger, each drawn once and kept.

    What an entry says never changes. All else that its row depends on is its outside: whether this viewer may read it,
    whether it is theirs, undone, revealed or erased, what its author is called, the day. So that is the key, and the
    template gets nothing beside the entry and the campaign's address.
    """
    gone, drawn = undone(viewer, [entry.pk for entry in listed]), []
    for entry in listed:
        outside = _outside(viewer, entry, gone.get(entry.pk))
        key = (entry.pk, viewer.campaign.slug, *outside.values())
        if (html := None if settings.DEBUG else _DRAWN.get(key)) is None:
            only = {"entry": _opened(viewer, entry, outside), "viewer": {"campaign": {"slug": viewer.campaign.slug}}}
            html = _DRAWN.put(key, render_to_string("campaigns/trail/row.html", only))
        kind = "" if outside["sealed"] else entry.kind
        drawn.append(EntryRow(
            entry.seq, kind, outside["sealed"], outside["erased"], html, outside["undone_by"] is not None))
    return drawn


def title_of(viewer: Viewer, entry: Entry) -> str:
    """What an entry is called, "" where the viewer may not read that; select its `payload` and `revelation`."""
    payload = payload_of(entry) if may_read(viewer, entry) else None
    return payload["title"] if payload else ""


def opened(viewer: Viewer, entry: Entry) -> EntryContext:
    """One entry with what it changed."""
    (row,) = entries(viewer, [entry])
    payload = payload_of(entry)
    return row if row.sealed or payload is None else replace(row, changes=changes_of(viewer, payload))


def undone(viewer: Viewer, entries: list[uuid.UUID]) -> dict[uuid.UUID, int]:
    """Of the entries of these ids those that were undone, and not done again since, each with the number of what undid
    it."""
    by: dict[uuid.UUID, list[int]] = {}
    for object_id, seq in _undoings(viewer.campaign.pk, entries):
        by.setdefault(object_id, []).append(seq)
    return {object_id: seqs[-1] for object_id, seqs in by.items() if len(seqs) % 2}


@compiled_once
def _undoings(campaign: uuid.UUID, entries: list[uuid.UUID]) -> QuerySet[Change, tuple[uuid.UUID, int]]:
    marks = Change.objects.filter(campaign=campaign, object_id__in=entries, field="", entry__kind="undo")
    return marks.order_by("seq").values_list("object_id", "seq")


def _outside(viewer: Viewer, entry: Entry, undone_by: int | None) -> dict[str, Any]:
    """What can be said of an entry without opening it."""
    at, readable = timezone.localtime(entry.at), may_read(viewer, entry)
    return {
        "seq": entry.seq, "day": _day(at), "clock": at.strftime("%H:%M"), "exact": at.strftime("%Y-%m-%d %H:%M:%S %Z"),
        "who": str(entry.actor) if entry.actor else "the site", "undone_by": undone_by,
        "mine": entry.actor_id == viewer.member.pk,
        "sealed": not readable, "kept_by_gm": entry.audience == "gm", "erased": not hasattr(entry, "payload"),
        "secret": readable and entry.audience != "all" and not hasattr(entry, "revelation"),
    }


def _opened(viewer: Viewer, entry: Entry, outside: dict[str, Any]) -> EntryContext:
    """The entry with what it says, where the viewer may read that."""
    payload = None if outside["sealed"] else payload_of(entry)
    if payload is None:
        return EntryContext(**outside)
    outcome = payload["outcome"] or {}
    return EntryContext(
        **outside, kind=payload["kind"], title=payload["title"], undoes=payload.get("undoes"),
        reveals=payload.get("reveals"), result=outcome.get("result", {}), steps=outcome.get("steps", []),
        dice=outcome.get("dice", []), move=payload["move"] or {}, rolled=_rolled(payload["dice"]),
        reason=payload.get("reason", ""), edition=payload["edition"],
        label=_label(payload["kind"]), card=shown_card(viewer.campaign.slug, payload),
        templates=_templates(viewer.campaign.system, payload["kind"]),
    )


def _rolled(dice: dict[str, Any] | None) -> RolledContext | None:
    if dice is None:
        return None
    if dice.get("v") == TYPED:
        return RolledContext("", 0, "", "", tuple(dice["faces"]), typed=True)
    seed = dice["client_seed"] if "v" in dice else dice["share"]
    return RolledContext(dice["commitment"], dice.get("number", 0), dice["secret"], seed, tuple(dice["faces"]))


def _label(kind: str) -> str:
    kind_of_entry = declared(kind)
    return kind_of_entry.label if kind_of_entry else ""


def _templates(system: str, kind: str) -> tuple[str, ...]:
    """Where the words of an entry may be, the closest first: a game's own of its kind, of its family, those of its kind
    in all games, the plain ones."""
    family = kind.split(".")[0]
    own = f"systems/{system}/entries"
    trail = "campaigns/trail"
    return f"{own}/{kind}.html", f"{own}/{family}.html", f"{trail}/entries/{kind}.html", f"{trail}/plain.html"


def _day(at: datetime) -> str:
    today = timezone.localdate()
    if at.date() == today:
        return "today"
    if (today - at.date()).days == 1:
        return "yesterday"
    return date_format(at, "j F Y" if at.year != today.year else "j F")
