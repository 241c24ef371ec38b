"""Hooks and threads: what the campaign has left open, each with the entry that it comes from. For the GM."""
from __future__ import annotations

import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.db.models import Min, Q

from campaigns.access import Viewer
from campaigns.bounded import Bounded
from campaigns.models import Change, Entry
from characters.listed import listed
from characters.models import Trait
from play import session_summary
from play.models import Session
from rules.system import TraitKind

MOST, SESSIONS, KEPT = 40, 3, 64
# What is written while nobody plays: a line that is named there was not used.
AWAY = ("character.", "bank.", "library.", "plan.", "portrait.", "entry.", "matrix.")
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")

# How far each campaign was read, and the entry that used each line last.
_READ: Bounded[uuid.UUID, tuple[int, Mapping[str, int]]] = Bounded(KEPT)


@dataclass(frozen=True)
class Thread:
    """Something that is left open: its words, whose it is, and the entry that it comes from (0 for none)."""

    words: str
    who: str
    seq: int

    @property
    def planned(self) -> str:
        """What a plan calls it."""
        return (f"{self.who}: {self.words}" if self.who else self.words)[:300]


@dataclass(frozen=True)
class Threads:
    """Threads of one kind, and what the kind is."""

    name: str
    label: str
    help: str
    found: tuple[Thread, ...]


def threads(viewer: Viewer) -> tuple[Threads, ...]:
    """All kinds of threads, those without any left out."""
    kinds = viewer.campaign.rules.sheet.trait_kinds
    used = last_used(viewer)
    lines = _lines(viewer, [each for each in kinds if not each.drawn and (each.condition or not each.played)])
    trouble, passing = {each.name for each in kinds if each.trouble}, {each.name for each in kinds if each.condition}
    away = _since(viewer)
    found = (
        Threads("facts", "Facts", "What contests made true.", _facts(viewer)),
        *(_hooks(viewer, kind) for kind in kinds if kind.listed),
        Threads("lasting", "What lasts", "Consequences, benefits and wounds that the players’ characters carry.",
                _of_lines(viewer, [each for each in lines if each.kind in passing])),
        Threads("trouble", "Not used for three sessions", "Flaws, foibles and weaknesses that made no trouble lately.",
                _of_lines(viewer, [
                    each for each in lines if each.kind in trouble and used.get(str(each.pk), 0) < away])),
        Threads("never", "Never rolled", "Abilities that nobody has rolled with yet: a scene could ask for one.",
                _of_lines(viewer, [
                    each for each in lines if each.kind not in trouble | passing and str(each.pk) not in used])),
    )
    return tuple(each for each in found if each.found)


def last_used(viewer: Viewer) -> Mapping[str, int]:
    """The last entry of play that names each line, by the line's id. Reads only what is new since last time."""
    campaign = viewer.campaign
    seq, known = _READ.get(campaign.pk) or (0, {})
    if seq >= campaign.head_seq:
        return known
    lines = {str(pk) for pk in Trait.objects.filter(campaign=campaign).values_list("pk", flat=True)}
    away = Q()
    for each in AWAY:
        away |= Q(kind__startswith=each)
    entries = Entry.objects.filter(campaign=campaign, seq__gt=seq, payload__isnull=False).exclude(away).order_by("seq")
    used = dict(known)
    for number, text in entries.values_list("seq", "payload__text").iterator(500):
        used.update(dict.fromkeys(lines.intersection(ID.findall(text)), number))
    return _READ.put(campaign.pk, (campaign.head_seq, used))[1]


def _since(viewer: Viewer) -> int:
    """The entry with which the last few sessions began; 0 where there were not so many yet."""
    sessions = Session.objects.filter(campaign=viewer.campaign).order_by("-number")
    found = list(sessions.values_list("pk", flat=True)[:SESSIONS])
    if len(found) < SESSIONS:
        return 0
    marks = Change.objects.filter(campaign=viewer.campaign, object_id=found[-1])
    return int(marks.aggregate(first=Min("seq"))["first"] or 0)


def _lines(viewer: Viewer, kinds: Iterable[TraitKind]) -> list[Trait]:
    """The lines of the players' characters, by whose they are."""
    found = Trait.objects.filter(
        campaign=viewer.campaign, kind__in=[each.name for each in kinds], character__npc=False,
        character__retired=False, character__hidden=False)
    return list(found.select_related("character").order_by("character__name", "place", "pk")[:500])


def _of_lines(viewer: Viewer, lines: list[Trait]) -> tuple[Thread, ...]:
    lines = lines[:MOST]
    marks = Change.objects.filter(campaign=viewer.campaign, object_id__in=[each.pk for each in lines])
    made = dict(marks.values_list("object_id").annotate(first=Min("seq")))
    notation = viewer.campaign.rules.sheet.notation
    return tuple(
        Thread(f"{each.name} {notation(each.kind, each.value)}".strip(), each.character.name, made.get(each.pk, 0))
        for each in lines
    )


def _facts(viewer: Viewer) -> tuple[Thread, ...]:
    found, _ = session_summary.facts(viewer)
    names = session_summary.names(viewer, found)
    return tuple(Thread(each.fact.fact, names.get(each.fact.who, ""), each.seq) for each in found[:MOST])


def _hooks(viewer: Viewer, kind: TraitKind) -> Threads:
    label, lines = listed(viewer, kind.name)
    return Threads(kind.name, label.label, label.help, tuple(
        Thread(f"{each.name} {each.stands}".strip(), each.who, each.seq) for each in lines[:MOST]))
