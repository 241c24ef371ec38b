"""An entry as one viewer may see it: an allow-list, built before any template."""
from __future__ import annotations

import json
import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.formats import date_format

from campaigns.dials import in_words
from campaigns.trail.models import Change, Entry
from campaigns.trail.visible import may_read, payload_of

if TYPE_CHECKING:
    from campaigns.access import Viewer


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
    rolled: dict[str, Any] | None = None  # where the faces came from: commitment, secret, share
    reason: str = ""
    edition: str = ""  # the rules by which it was written


@dataclass(frozen=True)
class ChangeContext:
    """What one entry did to one thing, in words."""

    name: str
    lines: tuple[tuple[str, str, str], ...]  # field, was, became
    made: bool
    gone: bool
    silent: bool = False  # something changed that a line can't say: which person, how a text reads


@dataclass(frozen=True)
class Known:
    """What the tables say of the things that entries change, by id."""

    names: dict[str, str]
    kinds: dict[str, str]


def entries(viewer: Viewer, found: Sequence[Entry]) -> list[EntryContext]:
    """The rows for these entries. Select `payload`, `revelation` and `actor__user`; two queries, however many."""
    undone = _undone(viewer, found)
    known = _known(found, viewer)
    return [_context(viewer, entry, undone.get(entry.pk), known) for entry in found]


def _undone(viewer: Viewer, found: Iterable[Entry]) -> dict[uuid.UUID, int]:
    marks = Change.objects.filter(
        campaign=viewer.campaign, object_id__in=[entry.pk for entry in found], field="", entry__kind="undo"
    ).order_by("seq")
    by: dict[uuid.UUID, list[int]] = {}
    for object_id, seq in marks.values_list("object_id", "seq"):
        by.setdefault(object_id, []).append(seq)
    return {object_id: seqs[-1] for object_id, seqs in by.items() if len(seqs) % 2}


def _context(viewer: Viewer, entry: Entry, undone_by: int | None, known: Known) -> EntryContext:
    at = timezone.localtime(entry.at)
    readable, payload = may_read(viewer, entry), payload_of(entry)
    common: dict[str, Any] = {
        "seq": entry.seq, "day": _day(at), "clock": at.strftime("%H:%M"), "exact": at.strftime("%Y-%m-%d %H:%M:%S %Z"),
        "who": str(entry.actor) if entry.actor else "the house", "undone_by": undone_by,
        "sealed": not readable, "kept_by_gm": entry.audience == "gm", "erased": payload is None,
        "secret": readable and entry.audience != "all" and not hasattr(entry, "revelation"),
    }
    if not readable or payload is None:
        return EntryContext(**common)
    outcome = payload["outcome"] or {}
    return EntryContext(
        **common, kind=payload["kind"], title=payload["title"], undoes=payload.get("undoes"),
        reveals=payload.get("reveals"), result=outcome.get("result", {}), steps=outcome.get("steps", []),
        dice=outcome.get("dice", []), move=payload["move"] or {}, rolled=payload["dice"],
        reason=payload.get("reason", ""), edition=payload["edition"],
        changes=_changes(viewer, payload["changes"], known),
        templates=_templates(viewer.campaign.system, payload["kind"]),
    )


def _templates(system: str, kind: str) -> tuple[str, ...]:
    """Where the words of an entry may be, the closest first: the kind's own, those of its family, the plain ones."""
    family = kind.split(".")[0]
    own = f"systems/{system}/entries"
    return f"{own}/{kind}.html", f"{own}/{family}.html", "campaigns/trail/plain.html"


def _known(found: Iterable[Entry], viewer: Viewer) -> Known:
    """What the things are that these entries change: from what the tables say of them."""
    from campaigns.trail.tracked import TRACKED

    wanted: dict[str, set[str]] = {}
    for entry in found:
        if may_read(viewer, entry):
            for change in (payload_of(entry) or {}).get("changes", ()):
                wanted.setdefault(change["of"], set()).add(change["id"])
    names: dict[str, str] = {}
    kinds: dict[str, str] = {}
    for of in ("character", "trait", "pool", "shared_pool", "scene", "contest"):
        if of in TRACKED:
            column = "title" if "title" in TRACKED[of].fields else "name"
            sort = "kind" if "kind" in TRACKED[of].fields else column
            for pk, name, kind in TRACKED[of].rows(viewer.campaign.pk).filter(
                pk__in=wanted.get(of, ())
            ).values_list("pk", column, sort):
                names[str(pk)], kinds[str(pk)] = name, kind
    kinds |= _once(viewer, wanted.get("trait", set()) - set(kinds))
    members = viewer.campaign.members.select_related("user").filter(pk__in=wanted.get("member", ()))
    return Known(names | {str(member.pk): member.user.shown_name for member in members}, kinds)


def _once(viewer: Viewer, gone: set[str]) -> dict[str, str]:
    """Of what kind lines were that no sheet has any more: as the entry says that wrote them."""
    marks = Change.objects.filter(campaign=viewer.campaign, object_id__in=gone, field="kind")
    written = Entry.objects.filter(pk__in=marks.values("entry")).select_related("payload") if gone else ()
    return {
        change["id"]: state["kind"] for entry in written for change in (payload_of(entry) or {}).get("changes", ())
        for state in (change["became"], change["was"]) if change["id"] in gone and state and "kind" in state
    }


WORDS = {
    "character": "Character", "trait": "Line of a sheet", "pool": "Pool", "note": "GM's note", "campaign": "Campaign",
    "member": "Member", "invitation": "Invitation", "session": "Session", "scene": "Scene", "presence": "Presence",
    "contest": "Contest", "contest_event": "Move in a contest", "boon": "Boon", "due": "To be placed",
    "portrait": "Portrait", "shared_pool": "Pool of the campaign", "prepared": "Something prepared",
}


# Fields that say nothing to a person: ids, positions, and what only the rules read.
UNSAID = ("place", "text", "setup", "spec", "events", "digest")


def _changes(viewer: Viewer, told: Iterable[dict[str, Any]], known: Known) -> tuple[ChangeContext, ...]:
    """What an entry changed, without what says nothing to a person."""
    found = [_change(viewer, each, known) for each in told if each["of"] != "contest_event"]
    return tuple(each for each in found if each.lines or each.made or each.gone or each.silent)


def _change(viewer: Viewer, change: dict[str, Any], known: Known) -> ChangeContext:
    was, became = change["was"], change["became"]
    state = became or was or {}
    name = known.names.get(change["id"]) or state.get("name") or state.get("title") or ""
    if change["of"] in ("pool", "shared_pool"):
        name = _pool(viewer, name)
    kind = state.get("kind") or known.kinds.get(change["id"], "")
    lines = []
    for column in state:
        # Ids mean nothing to a person, and the name of what came or went stands above the lines.
        heading = column in ("name", "title") and (was is None or became is None)
        if column.endswith("_id") or column in UNSAID or heading:
            continue
        if change["of"] == "campaign" and column == "dials":
            lines += _dials(viewer, (was or {}).get(column), (became or {}).get(column))
            continue
        said = [_said(viewer, change["of"], column, each, kind) for each in (was, became)]
        bare = (was is None or became is None) and not state[column] and (change["of"], column) != ("trait", "value")
        if any(said) and not bare:
            lines.append((column.replace("_", " "), *(each or "nothing" for each in said)))
    word = WORDS.get(change["of"], change["of"])
    # A row that only moved to another place or text is named, with nothing below it.
    silent = any(column in ("text", "spec", "digest", "place") or column.endswith("_id") for column in state)
    return ChangeContext(f"{word} “{name}”" if name else word, tuple(lines), was is None, became is None, silent)


def _said(viewer: Viewer, of: str, field: str, state: dict[str, Any] | None, kind: str) -> str:
    """A value as a person reads it, "" for nothing."""
    value, rules = (state or {}).get(field), viewer.campaign.rules
    if value is None or value == "":
        return ""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if of == "trait" and field == "value" and kind:
        return rules.notation(kind, int(value))
    if field == "kind" and of in ("trait", "contest"):
        lines, contests = ({each.name: each.label for each in rules.trait_kinds}, {
            each.name: each.title for each in rules.contests})
        return {**lines, **contests}.get(str(value), "")
    if field in ("opened", "closed", "expires"):
        return date_format(timezone.localtime(datetime.fromisoformat(str(value))), "j F Y, H:i")
    return str(value)


def _pool(viewer: Viewer, name: str) -> str:
    rules = viewer.campaign.rules
    return next((each.label for each in (*rules.pools, *rules.shared_pools) if each.name == name), name)


def _dials(viewer: Viewer, was: str | None, became: str | None) -> list[tuple[str, str, str]]:
    """Each dial that was moved, by its label; a new campaign's where they are not as every campaign begins."""
    before, after = (in_words(viewer.campaign.rules, json.loads(text or "{}")) for text in (was, became))
    return [(label, old, new) for (label, old), (_, new) in zip(before, after, strict=True) if old != new]


def _day(at: datetime) -> str:
    today = timezone.localdate()
    if at.date() == today:
        return "today"
    if (today - at.date()).days == 1:
        return "yesterday"
    return date_format(at, "j F Y" if at.year != today.year else "j F")
