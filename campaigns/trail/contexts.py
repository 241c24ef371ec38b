"""An entry as one viewer may see it: an allow-list, built before any template."""
from __future__ import annotations

import uuid
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.utils import timezone
from django.utils.formats import date_format

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


def entries(viewer: Viewer, found: Sequence[Entry]) -> list[EntryContext]:
    """The rows for these entries. Select `payload`, `revelation` and `actor__user`; two queries, however many."""
    undone = _undone(viewer, found)
    names = _names(found, viewer)
    return [_context(viewer, entry, undone.get(entry.pk), names) for entry in found]


def _undone(viewer: Viewer, found: Iterable[Entry]) -> dict[uuid.UUID, int]:
    marks = Change.objects.filter(
        campaign=viewer.campaign, object_id__in=[entry.pk for entry in found], field="", entry__kind="undo"
    ).order_by("seq")
    by: dict[uuid.UUID, list[int]] = {}
    for object_id, seq in marks.values_list("object_id", "seq"):
        by.setdefault(object_id, []).append(seq)
    return {object_id: seqs[-1] for object_id, seqs in by.items() if len(seqs) % 2}


def _context(viewer: Viewer, entry: Entry, undone_by: int | None, names: dict[str, str]) -> EntryContext:
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
        changes=tuple(_change(viewer, change, names) for change in payload["changes"]),
        templates=_templates(viewer.campaign.system, payload["kind"]),
    )


def _templates(system: str, kind: str) -> tuple[str, ...]:
    """Where the words of an entry may be, the closest first: the kind's own, those of its family, the plain ones."""
    family = kind.split(".")[0]
    own = f"systems/{system}/entries"
    return f"{own}/{kind}.html", f"{own}/{family}.html", "campaigns/trail/plain.html"


def _names(found: Iterable[Entry], viewer: Viewer) -> dict[str, str]:
    """Names of the things that these entries change: from what they say themselves, and from the tables."""
    from campaigns.trail.tracked import TRACKED

    wanted: dict[str, set[str]] = {}
    for entry in found:
        if may_read(viewer, entry):
            for change in (payload_of(entry) or {}).get("changes", ()):
                wanted.setdefault(change["of"], set()).add(change["id"])
    names: dict[str, str] = {}
    for of in ("character", "trait", "scene", "contest"):
        if of in TRACKED:
            column = "title" if "title" in TRACKED[of].fields else "name"
            rows = TRACKED[of].rows(viewer.campaign.pk).filter(pk__in=wanted.get(of, ()))
            names |= {str(pk): name for pk, name in rows.values_list("pk", column)}
    members = viewer.campaign.members.select_related("user").filter(pk__in=wanted.get("member", ()))
    return names | {str(member.pk): member.user.shown_name for member in members}


WORDS = {
    "character": "Character", "trait": "Line of a sheet", "pool": "Pool", "note": "GM's note", "campaign": "Campaign",
    "member": "Member", "invitation": "Invitation", "session": "Session", "scene": "Scene", "presence": "Presence",
    "contest": "Contest", "contest_event": "Move in a contest", "boon": "Boon", "due": "To be placed",
    "portrait": "Portrait", "shared_pool": "Pool of the campaign", "prepared": "Something prepared",
}


def _change(viewer: Viewer, change: dict[str, Any], names: dict[str, str]) -> ChangeContext:
    was, became = change["was"], change["became"]
    own = (became or {}).get("name") or (was or {}).get("name") or (became or {}).get("title") or ""
    known = names.get(change["id"], own)
    lines = []
    for name in became or was or {}:
        # Ids mean nothing to a person.
        if not name.endswith("_id") and name not in ("place", "text", "setup", "spec"):
            said = tuple(_said(viewer, name, state, kind=(became or was)) for state in (was, became))
            lines.append((name.replace("_", " "), *said))
    word = WORDS.get(change["of"], change["of"])
    return ChangeContext(f"{word} “{known}”" if known else word, tuple(lines), was is None, became is None)


def _said(viewer: Viewer, name: str, state: dict[str, Any] | None, kind: Any) -> str:
    value = (state or {}).get(name)
    if value is None or value == "":
        return "nothing"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if name == "value" and isinstance(value, int) and isinstance(kind, dict) and "kind" in kind:
        return viewer.campaign.rules.notation(kind["kind"], value)
    return str(value)


def _day(at: datetime) -> str:
    today = timezone.localdate()
    if at.date() == today:
        return "today"
    if (today - at.date()).days == 1:
        return "yesterday"
    return date_format(at, "j F Y" if at.year != today.year else "j F")
