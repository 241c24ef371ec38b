"""Makes a campaign of a file, in one transaction: all of it, checked as the Ledger's own check does, or nothing.

Nothing in the file is believed. Entries are written as they come; what they add up to is kept on the disk meanwhile,
so that memory does not grow with the campaign. Rows of tables are made from that alone.
"""
from __future__ import annotations

import base64
import hashlib
import json
import sqlite3
import uuid
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from typing import IO, Any

from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db import DatabaseError, OperationalError, transaction
from django.db.models import Model
from django.utils import timezone

from accounts.models import User
from accounts.troubles import trouble_of
from campaigns.carrying import seats
from campaigns.carrying.lines import CUT, IS, NO_FILE, VERSION, BadFile, unpacked
from campaigns.carrying.pictures import PICTURES
from campaigns.models import (
    Campaign,
    Change,
    Commitment,
    Entry,
    Invitation,
    Member,
    Payload,
    Revelation,
    Role,
    SharedLink,
)
from campaigns.rows import insert_as_they_are, insert_values
from campaigns.services.founding import free_slug
from campaigns.trail import chain, rebuild
from campaigns.trail.beside import marks_of
from campaigns.trail.rebuild import restore
from campaigns.trail.retiring import LOST
from campaigns.trail.tracked import TRACKED
from campaigns.trail.verifying import Progress, check
from rules.codec import Unreadable, read
from rules.registry import SYSTEMS

BATCH = 500
SAID = 5000  # entries between two words of how far it is
MOST_PICTURE = 2_000_000  # bytes

LATER = "This file was written by a later version than this server runs. Update the server first."
SHAPE = "Something in this file does not have the shape that it should have. Download the file again."


@dataclass(frozen=True)
class Bounds:
    """How much a file may hold: entries, people, bytes once it is unpacked; 0 is for as many as any file may."""

    entries: int = 0
    people: int = 1000
    unpacked: int = 0


ANY = Bounds()
Say = Callable[[str], object]
# How far it is: what is done with entries ("read", "checked"), with how many so far, of how many. It may raise.
Step = Callable[[str, int, int], object]
Row = tuple[Any, ...]
COLUMNS: dict[type[Model], tuple[str, ...]] = {  # of what an entry becomes, in the order of their rows' values
    Entry: ("id", "campaign_id", "seq", "op_id", "actor_id", "at", "audience", "kind", "session_id", "scene_id", "prev",
            "hash", "envelope"),
    Payload: ("entry_id", "campaign_id", "salt", "text"),
    Change: ("campaign_id", "entry_id", "seq", "object_id", "field"),
    Revelation: ("entry_id", "campaign_id", "by_id"),
}


UNSEARCHED = "{} The campaign is there, and the search does not find all of it yet. To finish: manage.py search_index"


def bring_in(
    file: IO[bytes], *, owner: User, people: Mapping[str, User], say: Say = lambda said: None,
) -> Campaign:
    """`place`, then what follows from it, as words for the search: where that breaks off, it is there all the same."""
    campaign = place(file, owner=owner, people=people, say=say)
    try:
        for follow in rebuild.FOLLOW:
            follow(campaign.pk, say)
    except KeyboardInterrupt:
        say(UNSEARCHED.format("Stopped."))
    except DatabaseError as error:
        if (trouble := trouble_of(error)) is None:
            raise
        say(UNSEARCHED.format(trouble.what))
    return campaign


def place(
    file: IO[bytes], *, owner: User, people: Mapping[str, User], say: Say = lambda said: None,
    step: Step = lambda doing, seq, last: None, bounds: Bounds = ANY,
) -> Campaign:
    """The campaign of a file; raises `BadFile`, and then nothing of it is there.

    `owner` gets the owner's place in it. `people` has the accounts here of others, by the names in the file; whoever
    is not named there has a place that waits for them. A file that is beyond `bounds` is refused. `step` is told of
    every few hundred entries: what it raises ends it.
    """
    with in_words(), transaction.atomic(), closing(
        _Placing(unpacked(file, bounds.unpacked), owner, people, say, step, bounds)
    ) as placing:
        return placing.done()


def look(file: IO[bytes], bounds: Bounds) -> int:
    """How many entries a file has, by its first line alone; raises `BadFile` where that line is reason enough."""
    with in_words():
        line = checked(next(unpacked(file, bounds.unpacked), None), bounds)
        refuse_known(uuid.UUID(line["campaign"]))
        return int(line["head"]["seq"])


def checked(line: dict[str, Any] | None, bounds: Bounds) -> dict[str, Any]:
    """The first line of a file; raises where it is none of a campaign, or of one that can't be taken."""
    if line is None or line["is"] != IS:
        raise BadFile(NO_FILE)
    if line["v"] != VERSION or line["system"] not in SYSTEMS:
        raise BadFile(LATER)
    head = line["head"]["seq"]
    if type(head) is not int or not 1 <= head < 2**31:
        raise BadFile(SHAPE)
    if 0 < bounds.entries < head:
        raise BadFile(f"This campaign has {head:,} entries, too many for a page. The person who runs "
                      "this server can import it, by manage.py import_campaign.")
    return line


def refuse_known(pk: uuid.UUID) -> None:
    """Raises where the campaign of this id is here, or was."""
    if known := Campaign.objects.filter(pk=pk).first():
        raise BadFile(
            "This campaign was deleted here. The texts of its entries are gone for good on this server."
            if known.name == "Deleted" and known.archived else
            f"This campaign is on this server already: {known.name}.")


@contextmanager
def in_words() -> Iterator[None]:
    """Inside, whatever a file brings about that is no campaign's is raised as `BadFile`."""
    try:
        yield
    except BadFile:
        raise
    except Unreadable as error:
        raise BadFile(LATER) from error
    except (KeyError, TypeError, ValueError, AttributeError, LookupError, RecursionError, ValidationError,
            OverflowError) as error:
        raise BadFile(SHAPE) from error
    except sqlite3.OperationalError as error:  # of what is kept on the way: as the site's own database would say it
        raise OperationalError(str(error)) from error
    except DatabaseError as error:
        if trouble_of(error):
            raise
        raise BadFile(SHAPE) from error


class _Placing:
    """One file on its way in."""

    def __init__(self, lines: Iterator[dict[str, Any]], owner: User, people: Mapping[str, User], say: Say,
                 step: Step, bounds: Bounds) -> None:
        self._lines, self._owner, self._people, self._bounds = lines, owner, people, bounds
        self._say, self._step = say, step
        self._count, self._ended, self._bytes = 0, False, 0
        self._next: dict[str, Any] | None = None
        # What the entries add up to. No name: SQLite keeps it in memory as long as it is small, then in a file.
        self._state = sqlite3.connect("", isolation_level=None)
        self._state.execute("CREATE TABLE held (sort TEXT, id TEXT, state TEXT, PRIMARY KEY (sort, id))")
        self._state.execute("BEGIN")

    def close(self) -> None:
        """Nothing is left of what was kept on the way."""
        self._state.close()

    def done(self) -> Campaign:
        """The whole campaign."""
        self._campaign = self._header()
        self._seats()
        self._entries()
        self._secrets()
        self._pictures()
        if self._line() is None or not self._ended or self._line() is not None:
            raise BadFile(CUT)
        self._tables()
        self._check()
        return self._campaign

    def _line(self) -> dict[str, Any] | None:
        """The next line; None after the last one."""
        line, self._next = self._next or next(self._lines, None), None
        if line is not None:
            if line["is"] == "end":
                self._ended = line["lines"] == self._count
            self._count += 1
        return line

    def _all(self, kind: str) -> Iterator[dict[str, Any]]:
        """The lines of a kind that follow; the first of another kind waits."""
        while True:
            line, self._next = self._next or next(self._lines, None), None
            if line is None:
                raise BadFile(CUT)
            if line["is"] != kind:
                self._next = line
                return
            self._count += 1
            yield line

    def _header(self) -> Campaign:
        line = checked(self._line(), self._bounds)
        self._head, pk = line["head"]["seq"], uuid.UUID(line["campaign"])
        refuse_known(pk)
        campaign = Campaign(
            pk=pk, slug=free_slug(str(line["slug"])), name="", system=line["system"],
            edition=line["edition"], sample=line["sample"] is True, created=_moment(line["created"]),
            head_seq=self._head, head_hash=line["head"]["hash"])
        insert_as_they_are([campaign])
        return campaign

    def _seats(self) -> None:
        """A place for each who is or was in the campaign. Roles come from the entries."""
        self._members: dict[str, Member] = {}
        for line in self._all("person"):
            known = len(self._members) >= self._bounds.people or str(uuid.UUID(line["member"])) in self._members
            if known or not isinstance(line["name"], str | None):
                raise BadFile(SHAPE)
            member = Member(
                pk=uuid.UUID(line["member"]), campaign=self._campaign, role=Role.OBSERVER, active=False,
                joined=_moment(line["joined"]), seen_seq=_whole(line["seen"]))
            self._members[str(member.pk)] = member
            member.user = self._people.get(line["name"] or "") or seats.empty(line["name"])
        insert_as_they_are(list(self._members.values()))

    def _entries(self) -> None:
        lines, seq = self._all("entry"), 0
        while some := list(islice(lines, BATCH)):
            rows: dict[type[Model], list[Row]] = {model: [] for model in COLUMNS}
            for line in some:
                seq += 1
                self._entry(line, seq, rows)
            for model, names in COLUMNS.items():
                insert_values(model, names, rows[model])
            self._bytes += sum(chain.size(line["envelope"], line["payload"]) for line in some)
            self._step("read", seq, self._head)
            if seq % SAID == 0:
                self._say(f"{seq:,} of {self._head:,} entries read …")
        Campaign.objects.filter(pk=self._campaign.pk).update(ledger_bytes=self._bytes)
        if seq != self._head:
            raise BadFile(CUT)

    def _entry(self, line: dict[str, Any], seq: int, rows: dict[type[Model], list[Row]]) -> None:
        campaign, pk = self._campaign.pk, self._id(seq)
        envelope, payload = json.loads(line["envelope"]), read(line["payload"])
        if envelope["seq"] != seq or envelope["campaign"] != str(campaign):
            raise BadFile("The entries in this file are not in their order, or not all of this campaign.")
        rows[Entry].append((
            pk, campaign, seq, uuid.UUID(envelope["op_id"]),
            self._members[envelope["actor"]].pk if envelope["actor"] is not None else None, _moment(envelope["at"]),
            line["audience"], payload["kind"], _id_or_none(payload["session"]), _id_or_none(payload["scene"]),
            envelope["prev"], line["hash"], line["envelope"]))
        rows[Payload].append((pk, campaign, line["salt"], line["payload"]))
        rows[Change] += ((campaign, pk, seq, uuid.UUID(of), name) for of, name in sorted(marks_of(payload)))
        if line["shown"] is not None:
            rows[Revelation].append((pk, campaign, self._id(_whole(line["shown"]))))
        for change in payload["changes"]:
            self._changed(change)

    def _id(self, seq: int) -> uuid.UUID:
        """The row of an entry; it may come later in the file."""
        return uuid.uuid5(self._campaign.pk, f"entry {seq}")

    def _changed(self, change: dict[str, Any]) -> None:
        of, pk, became = change["of"], str(uuid.UUID(change["id"])), change["became"]
        if of not in TRACKED:
            raise BadFile(LATER)
        if became is None:
            self._state.execute("DELETE FROM held WHERE sort = ? AND id = ?", (of, pk))
            return
        before = self._state.execute("SELECT state FROM held WHERE sort = ? AND id = ?", (of, pk)).fetchone()
        state = json.dumps({**(json.loads(before[0]) if before else {}), **became}, ensure_ascii=False)
        self._state.execute("INSERT OR REPLACE INTO held VALUES (?, ?, ?)", (of, pk, state))

    def _secrets(self) -> None:
        lines, place = self._all("secret"), 0
        while some := list(islice(lines, BATCH)):
            rows = []
            for line in some:
                if line["place"] != place or (line["secret"] is None) != (line["used"] is None):
                    raise BadFile(SHAPE)
                place += 1
                published, used, retired = (
                    None if line[column] is None else self._id(_whole(line[column]))
                    for column in ("published", "used", "retired"))
                rows.append(Commitment(
                    campaign=self._campaign, place=line["place"], digest=line["digest"], number=line["number"],
                    owner=self._members[line["owner"]] if line["owner"] else None, pinned=line["pinned"],
                    secret=line["secret"] or LOST, published_id=published, used_by_id=used, retired_by_id=retired))
            insert_as_they_are(rows, without=("id",))

    def _pictures(self) -> None:
        for line in self._all("picture"):
            webp = base64.b64decode(line["webp"], validate=True)
            one = webp[:4] == b"RIFF" and webp[8:12] == b"WEBP" and len(webp) <= MOST_PICTURE
            if not one or hashlib.sha256(webp).hexdigest() != line["digest"]:
                raise BadFile("A picture in this file is damaged. Download the file again.")
            model = PICTURES.get(line["of"])
            if model is None:
                raise BadFile(LATER)
            made = model(campaign=self._campaign, digest=line["digest"], webp=webp)
            insert_as_they_are([made], without=("id",))

    def _tables(self) -> None:
        """What the entries add up to, parents first."""
        self._say("Building sheets, scenes and notes …")
        for kind in TRACKED.values():
            cursor = self._state.execute("SELECT id, state FROM held WHERE sort = ? ORDER BY id", (kind.name,))
            while some := cursor.fetchmany(BATCH):
                rows = []
                for pk, text in some:
                    state = {**kind.defaults(), **json.loads(text)}
                    try:
                        rows.append(self._row(kind, pk, state))
                    except FieldDoesNotExist as error:
                        raise BadFile(LATER) from error
                insert_as_they_are([row for row in rows if row is not None])

    def _row(self, kind: Any, pk: str, state: dict[str, Any]) -> Any:
        """A row to be written; None for one that is there, and only changes."""
        if kind.model in (Campaign, Member):
            there = self._campaign if kind.model is Campaign else self._members[pk]
            if str(there.pk) != pk:
                raise BadFile(SHAPE)
            kind.model._base_manager.filter(pk=there.pk).update(**kind.read_state(state))
            return None
        row = restore(kind, self._campaign.pk, pk, state)
        try:
            row.clean()
        except ValidationError as error:
            raise BadFile(f"This file can’t be used. {' '.join(error.messages)}") from error
        if isinstance(row, (Invitation, SharedLink)):
            # The link led to another server, or to what was here before: it leads nowhere now.
            row.token_hash, row.created = f"none-{row.pk}", timezone.now()
        return row

    def _check(self) -> None:
        progress = Progress()
        self._campaign.refresh_from_db()
        while not progress.over:
            progress = check(self._campaign, progress)
            self._step("checked", progress.seq, progress.last)
            if progress.seq % SAID == 0 and progress.seq:
                self._say(f"{progress.seq:,} of {progress.last:,} entries checked …")
        if progress.fault:
            raise BadFile(f"The Ledger in this file is broken. {progress.fault}")
        seats.give_owner(self._campaign, self._owner)


def _id_or_none(text: str | None) -> uuid.UUID | None:
    return uuid.UUID(text) if text is not None else None


def _moment(text: str) -> datetime:
    moment = datetime.fromisoformat(text)
    if moment.utcoffset() is None:
        raise ValueError("A moment without a zone.")
    return moment


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value < 2**31:
        raise ValueError("No number of an entry.")
    return value
