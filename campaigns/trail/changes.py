"""What an entry changed, in words for one viewer: names and values as the tables declare that they are said."""
from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format

from campaigns.setting_fields import in_words
from campaigns.trail.models import Change, Entry
from campaigns.trail.tracked import TRACKED, Tracked
from campaigns.trail.visible import payload_of

if TYPE_CHECKING:
    from campaigns.access import Viewer


@dataclass(frozen=True)
class ChangeContext:
    """What one entry did to one thing, in words."""

    name: str
    lines: tuple[tuple[str, str, str], ...]  # field, was, became
    made: bool
    gone: bool
    silent: bool = False  # something changed that a line can't say: which person, how a text reads


@dataclass(frozen=True)
class _Known:
    """What the tables say of the things that entries change, by id."""

    names: dict[str, str]
    kinds: dict[str, str]


def changes_of(viewer: Viewer, payload: dict[str, Any]) -> tuple[ChangeContext, ...]:
    """What an entry changed, without what says nothing to a person; a query for each table that it touched."""
    known = _known(viewer, payload["changes"])
    shown = (change for change in payload["changes"] if change["of"] in TRACKED and TRACKED[change["of"]].word)
    changes = [_change(viewer, change, known) for change in shown]
    return tuple(change for change in changes if change.lines or change.made or change.gone or change.silent)


def _known(viewer: Viewer, changes: Iterable[dict[str, Any]]) -> _Known:
    """What the changed things are, by what their tables say of them."""
    wanted: dict[str, set[str]] = {}
    for change in changes:
        wanted.setdefault(change["of"], set()).add(change["id"])
    names: dict[str, str] = {}
    kinds: dict[str, str] = {}
    gone: set[str] = set()
    for table, ids in ((TRACKED[of], ids) for of, ids in wanted.items() if of in TRACKED):
        if column := table.name_field():
            shown = "kind" if "kind" in table.fields else column
            # What a thing is called by now may be secret, though this entry is not.
            rows = table.rows(viewer.campaign.pk).filter(Q() if viewer.runs else table.players_see, pk__in=ids)
            for pk, name, kind in rows.values_list("pk", column, shown):
                names[str(pk)], kinds[str(pk)] = name, kind
            gone |= ids - set(kinds) if "kind" in table.fields else set()
    kinds |= _once(viewer, gone)
    members = viewer.campaign.members.select_related("user").filter(pk__in=wanted.get("member", ()))
    return _Known(names | {str(member.pk): member.user.shown_name for member in members}, kinds)


def _once(viewer: Viewer, gone: set[str]) -> dict[str, str]:
    """Of what kind things were that are gone by now: as the entry says that wrote them."""
    marks = Change.objects.filter(campaign=viewer.campaign, object_id__in=gone, field="kind")
    written = Entry.objects.filter(pk__in=marks.values("entry")).select_related("payload") if gone else ()
    return {
        change["id"]: state["kind"] for entry in written for change in (payload_of(entry) or {}).get("changes", ())
        for state in (change["became"], change["was"]) if change["id"] in gone and state and "kind" in state
    }


def _change(viewer: Viewer, change: dict[str, Any], known: _Known) -> ChangeContext:
    was, became, table = change["was"], change["became"], TRACKED[change["of"]]
    state = became or was or {}
    name = known.names.get(change["id"]) or state.get("name") or state.get("title") or ""
    if name and (own := table.said(viewer.campaign.rules, table.name_field(), name)):
        name = own
    kind = state.get("kind") or known.kinds.get(change["id"], "")
    lines = []
    for stored in state:
        column = table.field_name(stored)
        # Ids mean nothing to a person, and the name of what came or went stands above the lines.
        heading = column in ("name", "title") and (was is None or became is None)
        if column.endswith("_id") or column in (*table.unsaid, *table.unseen) or heading:
            continue
        if change["of"] == "campaign" and column == "settings_json":
            lines += _settings(viewer, (was or {}).get(stored), (became or {}).get(stored))
            continue
        old, new = (_said(viewer, table, column, (held or {}).get(stored), kind) for held in (was, became))
        worded = table.said(viewer.campaign.rules, column, state[stored], kind) is not None
        bare = (was is None or became is None) and not state[stored] and not worded
        if (old or new) and not bare:
            lines.append((column.replace("_", " "), old or "nothing", new or "nothing"))
    # A row that only moved to another place or text is named, with nothing below it.
    silent = any(table.field_name(stored) in table.unsaid or stored.endswith("_id") for stored in state)
    called = f"{table.word} “{name}”" if name else table.word
    return ChangeContext(called, tuple(lines), was is None, became is None, silent)


def _said(viewer: Viewer, table: Tracked, field: str, value: Any, kind: str) -> str:
    """A value as a person reads it, "" for nothing."""
    if value is None or value == "":
        return ""
    if (words := table.said(viewer.campaign.rules, field, value, kind)) is not None:
        return words
    if isinstance(value, bool):
        return "yes" if value else "no"
    if field in table.times():
        return date_format(timezone.localtime(datetime.fromisoformat(str(value))), "j F Y, H:i")
    return str(value)


def _settings(viewer: Viewer, was: str | None, became: str | None) -> list[tuple[str, str, str]]:
    """Each setting that was moved, by its label; a new campaign's where they are not as every campaign begins."""
    before, after = (in_words(viewer.campaign.rules, json.loads(text or "{}")) for text in (was, became))
    return [(label, old, new) for (label, old), (_, new) in zip(before, after, strict=True) if old != new]
