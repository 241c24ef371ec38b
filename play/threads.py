"""Hooks and threads: what the campaign has left open, each with the entry that it comes from. For the GM.

Facts, abilities, flaws, debts and questions are told once nobody has come back to them for three sessions.
"""
from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_

from django.db.models import Max, Min, Q

from campaigns import pages
from campaigns.access import Viewer
from campaigns.bounded import Bounded
from campaigns.models import Change, Entry
from characters.listed import listed
from characters.models import Trait
from play import queries, session_summary
from play.models import PlanLine, Session
from rules.system import TraitKind

MOST, SESSIONS, KEPT = 40, 3, 64
READ = 4000  # entries that are looked through for what was used and said
TEXTS = 200  # notes, and recaps, that are looked through for questions and debts
# What is written while nobody plays: a line that is named there was not used.
AWAY = ("character.", "bank.", "library.", "plan.", "portrait.", "entry.", "matrix.")
ID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}")
OWING = re.compile(r"\b(ow(e|es|ed|ing)|debts?|indebted)\b", re.IGNORECASE)

# From where and how far each campaign was read, and the entry that used each line last.
_READ: Bounded[uuid.UUID, tuple[int, int, Mapping[str, int]]] = Bounded(KEPT)


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
    lines: tuple[Thread, ...]


def threads(viewer: Viewer) -> tuple[Threads, ...]:
    """All kinds of threads, those without any left out."""
    kinds = viewer.campaign.rules.sheet.trait_kinds
    away, trouble = _since(viewer), {kind.name for kind in kinds if kind.trouble}
    lasting = _made(viewer, _lines(viewer, [kind for kind in kinds if kind.condition and not kind.drawn]))
    unused = _unused(viewer, [
        kind for kind in kinds if not (kind.drawn or kind.condition or kind.played)], away)
    debts = _owing(unused)
    rest = [line for line in unused if line not in debts]
    debts += _owing(_unused(viewer, [kind for kind in kinds if not kind.drawn], away, npcs=True))
    written = _written(viewer, away)
    facts = _left(viewer, [*_facts(viewer, away), *_contests(viewer, away)], away)
    said = _left(viewer, [thread for thread in written if OWING.search(thread.words)], away)
    asked = _left(viewer, [thread for thread in written if thread not in said], away)
    threadses = (
        Threads("facts", "Nobody came back to it", "What contests made true, and contests that were never finished, "
                "without a word of them for three sessions.", facts),
        Threads("questions", "Open questions", "Asked in a recap or a note three sessions ago or more.", asked),
        *(_hooks(viewer, kind) for kind in kinds if kind.listed),
        Threads("debts", "Debts", "Who owes what, on sheets and in notes, and nobody asked for it for three sessions.",
                (*_of_lines(viewer, debts), *said)),
        Threads("lasting", "Lasting effects", "Consequences, benefits and wounds that the players’ characters carry.",
                _of_lines(viewer, list(lasting))),
        Threads("trouble", "Flaws and weaknesses", "They made no trouble for three sessions.",
                _of_lines(viewer, [line for line in rest if line.kind in trouble])),
        Threads("never", "Abilities", "Nobody rolled with them for three sessions: a scene could ask for one.",
                _of_lines(viewer, [line for line in rest if line.kind not in trouble])),
    )
    return tuple(kind for kind in threadses if kind.lines)


def last_used(viewer: Viewer, away: int) -> Mapping[str, int]:
    """The last entry of play since `away` that names each line, by the line's id. Reads only what is new since last
    time: what was before counts for nobody."""
    campaign = viewer.campaign
    since, seq, known = _READ.get(campaign.pk) or (0, 0, {})
    if since > away or seq < away:
        seq, known = away - 1, {}
    if seq >= campaign.head_seq:
        return known
    lines = {str(pk) for pk in Trait.objects.filter(campaign=campaign).values_list("pk", flat=True)}
    entries = Entry.objects.filter(campaign=campaign, seq__gt=seq, payload__isnull=False).exclude(_away())
    used = dict(known)
    for number, text in entries.order_by("seq").values_list("seq", "payload__text").iterator(500):
        used.update(dict.fromkeys(lines.intersection(ID.findall(text)), number))
    return _READ.put(campaign.pk, (away, campaign.head_seq, used))[2]


def _away() -> Q:
    """Entries that were written while nobody played."""
    away = Q()
    for prefix in AWAY:
        away |= Q(kind__startswith=prefix)
    return away


def _since(viewer: Viewer) -> int:
    """The entry with which the last few sessions began; 0 where there were not so many yet.

    No evening has thousands of entries: where sessions have, the last `READ` stand for them, and no more is read.
    """
    sessions = Session.objects.filter(campaign=viewer.campaign).order_by("-number")
    last = list(sessions.values_list("pk", flat=True)[:SESSIONS])
    if len(last) < SESSIONS:
        return 0
    return max(_first(viewer, last[-1:]).get(last[-1], 0), viewer.campaign.head_seq - READ)


def _first(viewer: Viewer, ids: Iterable[uuid.UUID]) -> dict[uuid.UUID, int]:
    """The entries that rows came with."""
    marks = Change.objects.filter(campaign=viewer.campaign, object_id__in=list(ids))
    return dict(marks.values_list("object_id").annotate(first=Min("seq")))


def _owing(lines: Iterable[Trait]) -> list[Trait]:
    """Those of these that say that something is owed."""
    return [line for line in lines if OWING.search(f"{line.name} {line.note}")]


def _lines(viewer: Viewer, kinds: Iterable[TraitKind], *, npcs: bool = False) -> list[Trait]:
    """The lines of the players' characters, by whose they are; of `npcs` what may say that something is owed."""
    rows = Trait.objects.filter(
        campaign=viewer.campaign, kind__in=[kind.name for kind in kinds], character__npc=npcs,
        character__retired=False)
    words = [Q(**{f"{field}__icontains": word}) for field in ("name", "note") for word in ("debt", "ow")]
    rows = rows.filter(reduce(or_, words), character__dead=False) if npcs else rows.filter(character__hidden=False)
    return list(rows.select_related("character").order_by("character__name", "place", "pk")[:500])


def _made(viewer: Viewer, lines: list[Trait]) -> dict[Trait, int]:
    """The entry that each of these lines came with."""
    first = _first(viewer, [line.pk for line in lines])
    return {line: first.get(line.pk, 0) for line in lines}


def _unused(viewer: Viewer, kinds: list[TraitKind], away: int, *, npcs: bool = False) -> list[Trait]:
    """The lines that were there before the last few sessions and that nobody used in them."""
    used = last_used(viewer, away) if away else {}
    return [line for line, made in _made(viewer, _lines(viewer, kinds, npcs=npcs)).items()
            if made < away and used.get(str(line.pk), 0) < away] if away else []


def _of_lines(viewer: Viewer, lines: list[Trait]) -> tuple[Thread, ...]:
    notation = viewer.campaign.rules.sheet.notation
    return tuple(
        Thread(f"{line.name} {notation(line.kind, line.value)}".strip(), line.character.name, made)
        for line, made in _made(viewer, lines[:MOST]).items())


def _facts(viewer: Viewer, away: int) -> list[Thread]:
    rows = session_summary.facts(viewer, away)[0] if away else []
    names = session_summary.names(viewer, rows)
    return [Thread(row.fact.fact, names.get(row.fact.who, ""), row.seq) for row in rows]


def _contests(viewer: Viewer, away: int) -> list[Thread]:
    """The contests that stand unfinished since before the last few sessions."""
    left = queries.left_open(viewer) if away else []
    first = _first(viewer, [contest.pk for contest in left])
    return [Thread(contest.title, "", seq) for contest in left if 0 < (seq := first.get(contest.pk, 0)) < away]


def _written(viewer: Viewer, away: int) -> list[Thread]:
    """Lines of old recaps and notes that ask something or speak of what is owed."""
    if not away:
        return []
    recaps = Session.objects.filter(campaign=viewer.campaign).exclude(recap="").order_by("-number")
    notes = pages.open_to(viewer).exclude(private=True).order_by("title", "pk")
    texts = [(row.pk, str(row), row.recap) for row in recaps[:TEXTS]]
    texts += [(row.pk, row.title, row.text) for row in notes[:TEXTS]]
    last = Change.objects.filter(campaign=viewer.campaign, object_id__in=[pk for pk, _, _ in texts])
    changed = dict(last.values_list("object_id").annotate(last=Max("seq")))
    return [Thread(words, name, changed.get(pk, 0)) for pk, name, text in texts if changed.get(pk, 0) < away
            for words in _open_in(text)][:MOST]


def _open_in(text: str) -> list[str]:
    """The sentences of a text that are questions, or say that something is owed."""
    sentences = re.split(r"(?<=[.?!])\s+|\n+", text)
    plain = [" ".join(sentence.strip("#*_->[] \t").split()) for sentence in sentences]
    return [sentence for sentence in plain if sentence.endswith("?") or OWING.search(sentence)]


def _left(viewer: Viewer, threads: list[Thread], away: int) -> tuple[Thread, ...]:
    """Those of these that no entry of the last few sessions repeats and no plan has ticked off."""
    if not threads:
        return ()
    done = set(PlanLine.objects.filter(campaign=viewer.campaign, ticked=True).values_list("words", flat=True))
    wanted = {thread.words: json.dumps(thread.words, ensure_ascii=False)[1:-1] for thread in threads}
    entries = Entry.objects.filter(campaign=viewer.campaign, seq__gte=away, payload__isnull=False).exclude(_away())
    for text in entries.values_list("payload__text", flat=True).iterator(500):
        wanted = {words: written for words, written in wanted.items() if written not in text}
    return tuple(thread for thread in threads if thread.words in wanted and thread.planned not in done)[:MOST]


def _hooks(viewer: Viewer, kind: TraitKind) -> Threads:
    """What is still open of a kind that has a list: as it was when it came."""
    label, lines = listed(viewer, kind.name)
    fresh = viewer.campaign.rules.sheet.notation(kind.name, kind.default)
    return Threads(kind.name, label.label, label.help, tuple(
        Thread(f"{line.name} {line.stands}".strip(), line.who, line.seq)
        for line in lines if line.stands == fresh)[:MOST])
