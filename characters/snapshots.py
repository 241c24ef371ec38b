"""A character as of any entry, without reading all that was ever written about it.

What it was then is what the entries about it add up to; of years of them few still count, as later ones have overtaken
the others. A snapshot says which do, for whoever may read them: numbers of entries and nothing of what they say. There
is one at the end of each `STEP` entries of a campaign, for the characters that these are about. They are written with
the last entry of a step, and follow from the trail alone: `rebuild`, an import and `migrate` lay them out anew.
"""
from __future__ import annotations

import uuid
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet

from campaigns.access import Viewer
from campaigns.models import Campaign, Change, Entry, Revelation
from campaigns.trail import rebuild
from campaigns.trail.draft import ALL, FOLLOW, Draft
from campaigns.trail.visible import about, readable
from characters.models import Character, Snapshot
from rules.codec import read

STEP = 256
VERSION = 1  # of what is taken to count: snapshots of another one are made anew
PARTS = ("trait", "pool", "portrait")
EVERYTHING = ("", "")

Row = tuple[str, str]  # name in the trail, and id


@dataclass(frozen=True, slots=True)
class Said:
    """What an entry says of a character: the fields that it sets, the rows that it removes; `whole`, if it says all."""

    seq: int
    audience: str  # "all" for one that was shown to all since
    fields: frozenset[tuple[Row, str]]
    gone: frozenset[Row]
    whole: bool


def texts(viewer: Viewer, character_id: uuid.UUID, seq: int) -> Iterator[str]:
    """What the viewer may read of the entries that a character as of `seq` follows from, oldest first."""
    snapshot = _newest(viewer.campaign.pk, character_id, seq)
    since = 0
    if snapshot is not None:
        since = snapshot.seq
        numbers = {*snapshot.entries, *_shown_since(viewer.campaign.pk, character_id, since)}
        kept = Entry.objects.filter(readable(viewer), campaign=viewer.campaign, seq__in=numbers)
        yield from _texts(kept.order_by("seq"))
    yield from _texts(about(viewer, character_id, after=since, until=seq).order_by("index__seq"))


def _texts(entries: QuerySet[Entry]) -> Iterator[str]:
    return (text for text in entries.values_list("payload__text", flat=True) if text is not None)


def _shown_since(campaign_id: uuid.UUID, character_id: uuid.UUID, seq: int) -> set[int]:
    """Entries until `seq` that were revealed after it: a snapshot was laid out while they were sealed.

    With them come all that made or removed the rows which they speak of: no row is there for having been revealed that
    was removed since, by an entry that seemed to count no more.
    """
    about_it = Change.objects.filter(entry=OuterRef("entry"), object_id=character_id, field="")
    shown = Revelation.objects.filter(Exists(about_it), campaign=campaign_id, by__seq__gt=seq, entry__seq__lte=seq)
    known: set[int] = set()
    new = set(shown.values_list("entry__seq", flat=True))
    while new:
        known |= new
        texts = Entry.objects.filter(campaign=campaign_id, seq__in=new).exclude(payload=None)
        said = [read(text) for text in texts.values_list("payload__text", flat=True)]
        rows = {change["id"] for entry in said for change in (*entry["changes"], *(entry.get("present") or ()))
                if change["of"] in PARTS}
        marks = Change.objects.filter(
            campaign=campaign_id, object_id__in=rows, field="character_id", seq__lte=seq)
        new = set(marks.values_list("seq", flat=True)) - known
    return known


def _newest(campaign_id: uuid.UUID, character_id: uuid.UUID, seq: int) -> Snapshot | None:
    known = Snapshot.objects.filter(campaign=campaign_id, character=character_id, version=VERSION, seq__lte=seq)
    return known.order_by("-seq").first()


@transaction.atomic
def lay_out(campaign_id: uuid.UUID, say: Any = None) -> None:
    """Makes all snapshots of a campaign anew."""
    campaign = Campaign.objects.select_for_update().get(pk=campaign_id)
    Snapshot.objects.filter(campaign=campaign).delete()
    _lay_out(campaign_id, Character.objects.filter(campaign=campaign), 0, campaign.head_seq)


def lay_out_missing() -> None:
    """Makes those of campaigns that earlier versions have written."""
    known = Snapshot.objects.filter(campaign=OuterRef("pk"), version=VERSION)
    long = Campaign.objects.filter(~Exists(known), head_seq__gte=STEP)
    for pk in list(long.values_list("pk", flat=True)):
        lay_out(pk)


def _follow(draft: Draft, entry: Entry) -> None:
    """With the last entry of a step come its snapshots."""
    campaign = draft.campaign.pk
    if entry.seq % STEP == 0:
        marks = Change.objects.filter(
            entry__campaign=campaign, entry__seq__gt=entry.seq - STEP, entry__seq__lte=entry.seq, field="")
        _lay_out(campaign, _marked(campaign, marks), entry.seq - STEP, entry.seq)


FOLLOW.append(_follow)
rebuild.FOLLOW.append(lay_out)


def _marked(campaign_id: uuid.UUID, marks: QuerySet[Change]) -> QuerySet[Character]:
    ids = set(marks.values_list("object_id", flat=True))
    return Character.objects.filter(campaign=campaign_id, pk__in=ids)


def _lay_out(campaign_id: uuid.UUID, characters: QuerySet[Character], after: int, until: int) -> None:
    """Makes the snapshots of these characters after an entry anew, up to the last whole step."""
    made: list[Snapshot] = []
    for character_id in list(characters.values_list("pk", flat=True)):
        last = _newest(campaign_id, character_id, after)
        Snapshot.objects.filter(campaign=campaign_id, character=character_id, seq__gt=last.seq if last else 0).delete()
        made += _snapshots(campaign_id, character_id, last, until - until % STEP)
    Snapshot.objects.bulk_create(made, batch_size=500)


def _snapshots(
    campaign_id: uuid.UUID, character_id: uuid.UUID, last: Snapshot | None, until: int
) -> Iterator[Snapshot]:
    own: set[str] = set()
    counts: list[Said] = []
    if last:
        kept = Entry.objects.filter(campaign=campaign_id, seq__in=last.entries).order_by("seq")
        counts = list(_said(str(character_id), own, kept))
    since = last.seq if last else 0
    entries = Entry.objects.filter(
        index__campaign=campaign_id, index__object_id=character_id, index__field="", index__seq__gt=since,
        index__seq__lte=until).order_by("index__seq")
    for step, said in groupby(_said(str(character_id), own, entries), lambda one: -(-one.seq // STEP)):
        counts = still_counting([*counts, *said])
        yield Snapshot(campaign_id=campaign_id, character_id=character_id, seq=step * STEP, version=VERSION,
                       entries=[statement.seq for statement in counts])


def _said(character_id: str, own: set[str], entries: QuerySet[Entry]) -> Iterator[Said]:
    """What these entries say of a character; `own` are the ids of its lines, pools and pictures known so far."""
    rows = entries.exclude(payload=None).values_list("seq", "audience", "revelation", "payload__text")
    for seq, audience, shown, text in rows.iterator(chunk_size=500):
        yield said_by(read(text), character_id, own, seq, ALL if shown else audience)


def said_by(payload: dict[str, Any], character_id: str, own: set[str], seq: int, audience: str) -> Said:
    """What an entry says of a character. What becomes of other things, and of others, is left out."""
    fields: set[tuple[Row, str]] = set()
    gone: set[Row] = set()
    present = payload.get("present") or ()
    for change in (*payload["changes"], *present):
        of, pk, became = change["of"], change["id"], change["became"]
        if of in PARTS and (became or {}).get("character_id") == character_id:
            own.add(pk)
        if pk != character_id and (of not in PARTS or pk not in own):
            continue
        if became is None:
            gone.add((of, pk))
        else:
            fields |= {((of, pk), name) for name in became}
    return Said(seq, audience, frozenset(fields), frozenset(gone), bool(present))


def still_counting(said: Iterable[Said]) -> list[Said]:
    """Those of some entries, oldest first, without which somebody would see another character.

    What is for all overtakes whatever was said before it; what is for some only what was for the same ones.
    """
    overtaken: dict[str, set[Any]] = defaultdict(set)
    left: list[tuple[Said, bool]] = []
    for word in reversed(list(said)):
        over = overtaken[word.audience] | overtaken[ALL]
        if EVERYTHING in over:
            continue
        says = word.whole or any(not {field, field[0]} & over for field in word.fields)
        if says or word.gone:
            left.append((word, says))
            overtaken[word.audience] |= word.fields | word.gone | ({EVERYTHING} if word.whole else set())
    counting: list[Said] = []
    there: set[Row] = set()  # a row is removed only where something that still counts has it
    for word, says in reversed(left):
        if says or word.gone & there:
            counting.append(word)
            there |= {row for row, _ in word.fields}
    return counting

