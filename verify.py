#!/usr/bin/env python3
"""Checks an exported trail, with nothing but Python's own library: `python3 verify.py EXPORT.jsonl`.

What is checked: that every line is written as the site writes it, byte by byte; that the entries form one unbroken
chain; that what can be read is what the chain was made with, and that nothing is missing or open that no entry erased
or revealed; that each roll used the next secret that its roller's list had committed to before, and that its faces
follow from it; that each outcome follows from its move and faces (with the site's `rules` folder beside this file, or
named by --rules); and that each change sets out from what the one before left.

What is not: that these are all the entries. Whoever holds the whole trail could have written another one from the
start, or cut off its end. Keep the head hash that is printed here; `--head HASH` then says whether a later export
still stands on it. Keep your receipts (the Ledger's page *My receipts*); `--receipts FILE`, once for each of your
devices, then says whether your rolls are the ones that your browsers sent, and whether there are others in your name.

Exit status: 0 sound, 1 wrongly called, 2 broken, 3 sound in itself but not what was kept (head or receipts).
"""
from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import re
import sys
from array import array
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, NoReturn

SOUND, MISUSED, BROKEN, DEPARTED = 0, 1, 2, 3

ENVELOPE_DOMAIN = b"campaign-trail-envelope-v1\n"
PAYLOAD_DOMAIN = b"campaign-trail-payload-v1\n"
DICE_DOMAIN = b"campaign-dice-v2"
EARLIER_DICE_DOMAIN = b"campaign-dice-v1"
GENESIS = "0" * 64

HEADER_KEYS = {"v", "export", "campaign", "head"}
LINE_KEYS = {"envelope", "hash", "salt", "payload"}
ENVELOPE_KEYS = {"v", "campaign", "seq", "prev", "op_id", "at", "actor", "dice", "payload_commit"}
HEX = re.compile(r"[0-9a-f]{64}\Z")

# Limits, so that no file takes more than 64 MB of memory: what goes past them is refused in a sentence.
MOST_LINE = 1_000_000  # bytes
MOST_PARTS = 40_000  # commas and brackets of a document
MOST_DIGITS = 18
MOST_ENTRIES = 1_000_000
MOST_SECRETS = 1_500_000  # committed to, all in all
MOST_WAITING = 10_000  # committed to and not used
MOST_RECEIPTS = 10_000
MOST_DEPARTED = 100
MOST_CONTESTS, MOST_UNRESOLVED = 5_000, 50
MOST_HELD = 120_000  # values that are followed; from there on changes are not followed any more

# Answers the result of a move (kind, edition, given, faces), or None where these rules do not know it.
Rules = Callable[[str, str, Any, list[int]], Any]


# What may be so of an entry in this file: for all to read and not there, kept by the GM, and what entries say of it.
SEALED, OPEN, MISSING, GMS, REVEALED, ERASED = 1, 2, 4, 8, 16, 32


class Broken(Exception):
    """What is wrong, in a sentence."""


@dataclass
class Report:
    """What a check went through."""

    name: str = ""
    entries: int = 0
    sealed: int = 0
    erased: int = 0
    rolls: int = 0
    earlier: int = 0  # rolls of the earlier form
    sealed_rolls: int = 0
    unwitnessed: int = 0
    typed: int = 0  # with dice of the table's own
    retired: int = 0  # secrets that were given up unused
    outcomes: int = 0
    unknown_outcomes: int = 0
    followed: int = 0  # up to this entry changes were followed: none before it is sealed
    clock_went_back: list[int] = field(default_factory=list)
    head: str = GENESIS
    kept_found: bool = False
    departs: list[str] = field(default_factory=list)  # where the trail is not what receipts say


@dataclass(frozen=True)
class Receipt:
    """What a browser kept of a roll that it sent: which secret the page showed, and its own seed."""

    number: int
    commitment: str | None
    seed: str


class Receipts:
    """The receipts of one member, of one device or of several."""

    def __init__(self) -> None:
        self.campaign, self.member = "", ""
        self.heads: dict[str, int] = {}  # hashes of entries that a browser saw as the last, with their numbers
        self.found: set[str] = set()  # those of them that are in the trail
        self.answered = 0
        self._by_operation: dict[str, Receipt] = {}
        self._first = 0

    def read(self, lines: Iterable[bytes]) -> None:
        """One more file; raises `Broken`."""
        for number, line in enumerate(lines):
            said = _document(line.decode().rstrip("\r\n"))
            if number:
                self._receipt(said)
                continue
            if not _is(said.get("v"), 1) or said.get("export") != "campaign-receipts":
                raise Broken("this is no file of receipts of a version that is known here")
            if self.campaign and (self.campaign, self.member) != (said["campaign"], said["member"]):
                raise Broken("these are receipts of someone else, or of another campaign, than those before")
            self.campaign, self.member = said["campaign"], said["member"]
            if said["head"] is not None:
                self.heads[said["head"]["hash"]] = said["head"]["seq"]
        if not self.campaign:
            raise Broken("there is nothing in it")

    def _receipt(self, said: dict[str, Any]) -> None:
        if type(said["number"]) is not int or not HEX.match(said["client_seed"]):
            raise Broken("a receipt has no number or no seed")
        one = Receipt(said["number"], said["commitment"], said["client_seed"])
        self._first = min(self._first or one.number, one.number)
        for operation in said["operations"]:
            self._by_operation[operation] = one
        if len(self._by_operation) > MOST_RECEIPTS:
            raise Broken(f"there are more than {MOST_RECEIPTS} receipts")

    def compare(self, envelope: dict[str, Any], number: int, seed: str | None) -> Iterator[str]:
        """Where a roll of this member is not what a receipt says; `seed` is None for a sealed one."""
        kept = self._by_operation.get(envelope["op_id"])
        place = f"Entry {envelope['seq']}"
        if kept is None:
            if self._first and number >= self._first:
                yield f"{place}: no receipt knows of this roll. If you made it on another device, give its receipts too"
            return
        self.answered += 1
        if seed is not None and seed != kept.seed:
            yield f"{place}: its dice came from another seed than your browser sent"
        if number < kept.number:
            yield f"{place}: its dice came from secret {number}; before it sent, your browser was shown {kept.number}"
        if number == kept.number and kept.commitment not in (None, envelope["dice"]):
            yield f"{place}: the secret of its dice is not the one that your browser was shown before it sent"

    def unanswered(self) -> int:
        """How many operations were sent that made no roll: refused, lost on the way, or not about dice."""
        return len(self._by_operation) - self.answered


class Check:
    """Goes through an export line by line: `header`, then `entry` for each, then `close`."""

    def __init__(
        self, *, rules: Rules | None = None, kept: str | None = None, receipts: Receipts | None = None
    ) -> None:
        self.report = Report()
        self._rules, self._kept, self._receipts = rules, kept, receipts
        self._header: dict[str, Any] = {}
        self._at, self._version = "", 1
        self._operations, self._published = Hashes(), Hashes()
        # Secrets that no roll has used yet, by whose they are; "" is the one list of the earlier form.
        self._waiting: dict[str, deque[bytes]] = {}
        self._used: Counter[str] = Counter()
        self._told = False  # each seed that a secret keeps has an entry: none is an earlier version's any more
        self._seeds: dict[str, str] = {}  # seeds that unused secrets keep, by the secret's digest
        self._held: dict[int, int] = {}  # what each field of each object is now, both as hashes
        self._fallen: dict[int, Counter[int]] = {}  # the faces that fell in each contest
        self._unresolved: dict[int, list[Counter[int]]] = {}  # those that no roll has told of yet, by act
        self._follows = True
        self._marks = bytearray(1)  # what is so of each entry, by its number; the first is 1
        self._is_missing = False  # whether there is one of those so far

    def header(self, line: bytes) -> None:
        """The first line: which campaign this is, and where its Ledger ends."""
        header = exact(line)
        keys(header, HEADER_KEYS)
        if not _is(header["v"], 1) or header["export"] != "campaign-trail":
            raise Broken("this is not a trail of a version that is known here")
        keys(header["head"], {"seq", "hash"})
        if self._receipts and self._receipts.campaign != header["campaign"]:
            raise Broken("the receipts are of another campaign")
        self._header = header

    def entry(self, line: bytes) -> None:
        """The next entry: its place in the chain, and, where it can be read, all that it says."""
        row = exact(line)
        keys(row, LINE_KEYS)
        envelope = document(row["envelope"])
        self._chained(envelope, row)
        payload = None
        if row["payload"] is None and row["salt"] is None:
            self.report.sealed += 1
        else:
            payload = opened(envelope, row)
        self._readers(envelope, payload)
        self._dice(envelope, payload)
        if payload is not None:
            self._said(envelope, payload)

    def close(self) -> Report:
        """The end: the last entry is the one that the header names, and what is missing was erased."""
        self.report.unknown_outcomes += sum(map(len, self._unresolved.values()))
        named = self._header["head"]
        if not self.report.entries:
            raise Broken("there is no entry")
        if not _is(named["seq"], self.report.entries) or named["hash"] != self.report.head:
            raise Broken(f"the header says that entry {named['seq']} is the last, with the hash {named['hash']}")
        if gone := self._marked(MISSING, ERASED):
            raise Broken(f"the text of entry {gone} is missing, and no entry says that it was erased")
        if shut := self._marked(REVEALED | SEALED, ERASED):
            raise Broken(f"entry {shut} was revealed, and is sealed in this file")
        if self._marked(GMS | SEALED, ERASED) and (leaked := self._marked(GMS | OPEN, REVEALED)):
            raise Broken(f"entry {leaked} is kept by the GM; it is open in this file, and no entry reveals it")
        self.report.erased = sum(bool(marks & ERASED) for marks in self._marks)
        self._held_against_receipts()
        return self.report

    def _marked(self, marks: int, without: int) -> int:
        """The first entry of which all of these are so, and this is not; 0 for none."""
        return next((seq for seq, its in enumerate(self._marks) if its & (marks | without) == marks), 0)

    def _held_against_receipts(self) -> None:
        if self._receipts:
            self.report.departs += [
                f"No entry has the hash {head}, which your browser saw as that of entry {seq}."
                for head, seq in self._receipts.heads.items() if head not in self._receipts.found
            ]

    def _chained(self, envelope: dict[str, Any], row: dict[str, Any]) -> None:
        version = envelope.get("v")
        if type(version) is not int or version not in (1, 2):
            raise Broken("it was written by a version that is not known here")
        if version < self._version:
            raise Broken("it is written as an earlier version did, after entries of a later one")
        keys(envelope, ENVELOPE_KEYS | ({"audience"} if version > 1 else set()))
        if envelope["campaign"] != self._header["campaign"]:
            raise Broken("it belongs to another campaign than the header says")
        if not _is(envelope["seq"], self.report.entries + 1):
            raise Broken(f"its number is {envelope['seq']}: entries are missing, doubled or out of order")
        if envelope["seq"] > MOST_ENTRIES:
            raise Broken(f"this program checks {MOST_ENTRIES} entries at most")
        if envelope["prev"] != self.report.head:
            raise Broken("it does not follow from the entry before")
        if hashlib.sha256(ENVELOPE_DOMAIN + row["envelope"].encode()).hexdigest() != row["hash"]:
            raise Broken("its envelope does not have the hash that is written beside it")
        if not self._operations.add(_short(envelope["op_id"])):
            raise Broken("its operation was already done by an entry before")
        if envelope["at"] < self._at:
            self.report.clock_went_back.append(envelope["seq"])
        self._at, self._version = envelope["at"], version
        self.report.entries, self.report.head = envelope["seq"], row["hash"]
        self.report.kept_found |= row["hash"] == self._kept
        if self._receipts and row["hash"] in self._receipts.heads:
            self._receipts.found.add(row["hash"])

    def _readers(self, envelope: dict[str, Any], payload: dict[str, Any] | None) -> None:
        """Whether the entry may be sealed, or open, in this file."""
        audience, marks = envelope.get("audience"), OPEN if payload is not None else SEALED
        if payload is None:
            marks |= MISSING if audience == "all" else 0
        elif audience is not None:
            said = payload["audience"]
            if audience != (said if said in ("all", "gm") else "member"):
                raise Broken("its envelope and its payload disagree on who may read it")
        self._marks.append(marks | (GMS if audience == "gm" else 0))
        self._is_missing |= bool(marks & MISSING)

    def _dice(self, envelope: dict[str, Any], payload: dict[str, Any] | None) -> None:
        """Secrets are used one by one, in the order of whoever rolled; faces follow from them."""
        used = envelope["dice"]
        if payload is not None and payload["dice"] and _is(payload["dice"].get("v"), 3):
            record = payload["dice"]
            keys(record, {"v", "sides", "faces"})
            thrown = list(zip(record["sides"], record["faces"], strict=True))
            if used or not thrown or any(not (type(s) is type(f) is int and 1 <= f <= s) for s, f in thrown):
                raise Broken("its typed dice can't have fallen so")
            self.report.typed += 1
        elif payload is not None and (payload["dice"] is None) != (used is None):
            raise Broken("its envelope and its payload disagree on whether dice were rolled")
        if used is None:
            return
        owner = str(envelope["actor"]) if any(self._waiting) else ""
        waiting = self._waiting.get(owner)
        if not waiting or waiting[0].hex() != used:
            raise Broken("its dice do not come from the next secret that was committed to before")
        waiting.popleft()
        kept = self._seeds.pop(used, None)
        if payload is not None and kept not in (None, payload["dice"].get("client_seed")):
            raise Broken("its dice do not fall from the seed that their secret keeps")
        self._used[owner] += 1
        number = self._used[owner] if owner else 0
        seed = None
        if payload is None:
            self.report.sealed_rolls += 1
        else:
            seed = self._thrown(envelope, payload["dice"], number)
        if self._receipts and number and owner == self._receipts.member:
            said = [f"{difference}." for difference in self._receipts.compare(envelope, number, seed)]
            self.report.departs += said if len(self.report.departs) < MOST_DEPARTED else []

    def _thrown(self, envelope: dict[str, Any], record: dict[str, Any], number: int) -> str:
        """The browser's seed, when the faces follow from it; `number` is 0 for the earlier form."""
        secret = bytes.fromhex(record["secret"])
        seed = bytes.fromhex(record["client_seed"] if number else record["share"])
        if not hashlib.sha256(secret).hexdigest() == record["commitment"] == envelope["dice"]:
            raise Broken("the secret of its dice is not the one that was committed to")
        if len(seed) not in (0, 32):
            raise Broken("the browser's seed for its dice has the wrong length")
        if number and not (_is(record["v"], 2) and _is(record["number"], number)):
            raise Broken("its dice name another secret than the next one of the member who rolled")
        first = [DICE_DOMAIN, str(number).encode()] if number else [EARLIER_DICE_DOMAIN, envelope["op_id"].encode()]
        parts = [first[0], envelope["campaign"].encode(), first[1], seed]
        if canonical(record["faces"]) != canonical(faces(secret, parts, record["sides"])):
            raise Broken("the faces of its dice do not follow from the secret and the browser's seed")
        self.report.rolls += 1
        self.report.earlier += not number
        self.report.unwitnessed += not seed
        return seed.hex()

    def _said(self, envelope: dict[str, Any], payload: dict[str, Any]) -> None:
        """What a payload says about commitments, other entries, a move's outcome, and changes."""
        if payload["kind"] == "dice.commit":
            self._committed(payload)
        elif payload["kind"] in ("dice.pin", "dice.pins"):
            self._pinned(envelope, payload)
        elif payload["kind"] == "dice.retire":
            self._retired(payload)
        for kind, name, mark in (("entry.reveal", "reveals", REVEALED), ("entry.erase", "erases", ERASED)):
            if payload["kind"] == kind:
                if type(payload[name]) is not int or not 0 < payload[name] < envelope["seq"]:
                    raise Broken("it names no entry before it")
                self._marks[payload[name]] |= mark
        if isinstance(payload["move"], dict) and payload["outcome"] is not None:
            if "contest" in payload["move"]:
                self._contest(payload, payload["move"]["contest"])
            elif "given" in payload["move"]:
                self._outcome(payload)
        self._follows &= not self.report.sealed and len(self._held) <= MOST_HELD
        if self._follows:
            for change in payload["changes"]:
                self._change(change)
            self.report.followed = envelope["seq"]
        for change in payload["changes"]:
            if change["of"] == "campaign" and "name" in (change["became"] or {}):
                self.report.name = str(change["became"]["name"])[:200]

    def _committed(self, payload: dict[str, Any]) -> None:
        """A list goes on where it ended; with the first list of somebody's own, the one for everybody is over."""
        owner, own = payload.get("of", ""), any(self._waiting)
        mine = self._waiting.setdefault(owner, deque())
        if owner and not _is(payload["first"], self._used[owner] + len(mine) + 1):
            raise Broken("its commitments do not follow those that their owner has")
        left = [digest.hex() for digest in self._waiting.get("", ())] if owner and not own else []
        if (not owner and own) or payload.get("retired", []) != left:
            raise Broken("it does not retire the secrets that are left of the earlier form")
        marked = "pins" in payload
        if marked != self._told and (own or not marked) and not self._is_missing:
            raise Broken("its list is another version's than those before it")
        self._told = marked
        if owner:
            self._waiting[""] = deque()
        for digest in payload["commitments"]:
            if not HEX.match(digest) or not self._published.add(_short(digest)):
                raise Broken("it commits to a secret that was committed to before, or to none at all")
            mine.append(bytes.fromhex(digest))
        waiting = sum(map(len, self._waiting.values()))
        if len(self._published) > MOST_SECRETS or waiting > MOST_WAITING or len(self._waiting) > MOST_WAITING:
            raise Broken("it commits to more secrets than this program can hold")

    def _pinned(self, envelope: dict[str, Any], payload: dict[str, Any]) -> None:
        """Only the next secret of somebody keeps a seed, and only one; those of earlier versions are told of first."""
        early = payload["kind"] == "dice.pins"
        if early == self._told and not self._is_missing:
            raise Broken("it tells of kept seeds out of turn: those of earlier versions come first, and once")
        for said in payload["kept"]:
            owner, digest, seed = said["of"], said["commitment"], said["client_seed"]
            following = [digest.hex() for digest in list(self._waiting[owner])[:1]]
            if following != [digest] or not _is(said["number"], self._used[owner] + 1) or digest in self._seeds or (
                not early and owner != envelope["actor"]
            ):
                raise Broken("it tells of a seed of a secret that could keep none")
            self._seeds[digest] = seed
        self._told = True

    def _retired(self, payload: dict[str, Any]) -> None:
        """All that somebody has left is given up, and the seeds that it kept with it."""
        for said in payload["retires"]:
            owner, given_up = said["of"], said["commitments"]
            left = [digest.hex() for digest in self._waiting.get(owner, ())]
            if not owner or not left or given_up != left or not _is(said["first"], self._used[owner] + 1):
                raise Broken("it retires other secrets than those that are left")
            self._waiting[owner].clear()
            self._used[owner] += len(left)
            self.report.retired += len(left)
            for digest in left:
                self._seeds.pop(digest, None)

    def _outcome(self, payload: dict[str, Any]) -> None:
        rolled = payload["dice"]["faces"] if payload["dice"] else []
        self._resolved(payload["kind"], payload["edition"], payload["move"]["given"], rolled,
                       payload["outcome"]["result"])

    def _resolved(self, move: str, edition: str, given: Any, rolled: list[int], claimed: Any) -> None:
        result = self._rules(move, edition, given, rolled) if self._rules else None
        if result is None:
            self.report.unknown_outcomes += bool(rolled)
            return
        if canonical(result) != canonical(claimed):
            raise Broken("its outcome does not follow from its move and its dice")
        self.report.outcomes += 1

    def _contest(self, payload: dict[str, Any], contest: str) -> None:
        """The rolls that an act of a contest came to, each worked out again; their dice have fallen in this contest."""
        place, thrown = _short(contest), Counter(payload["dice"]["faces"] if payload["dice"] else ())
        followed = place in self._fallen or len(self._fallen) < MOST_CONTESTS
        fallen = self._fallen.setdefault(place, Counter()) if followed else Counter()
        fallen.update(thrown)
        rolls, unresolved = payload["outcome"].get("rolls", []), self._unresolved.get(place, [])
        for roll in rolls:
            # What is sealed may hold dice of this contest.
            if not self.report.sealed and followed and Counter(roll["dice"]) - fallen:
                raise Broken("it tells of dice that did not fall in its contest")
            self._resolved(roll["move"], payload["edition"], roll["given"], roll["dice"], roll["result"])
            unresolved = [dice for dice in unresolved if dice - Counter(roll["dice"])]
        if thrown and not rolls:
            # Where each rolls their own die, the last of them tells of all.
            unresolved = [*unresolved, thrown]
        if not unresolved:
            self._unresolved.pop(place, None)
        elif len(unresolved) < MOST_UNRESOLVED and (place in self._unresolved or len(self._unresolved) < MOST_CONTESTS):
            self._unresolved[place] = unresolved
        else:
            self.report.unknown_outcomes += 1

    def _change(self, change: dict[str, Any]) -> None:
        """Holds what a change sets out from against what is known; `\\0` stands for the object itself."""
        def place(name: str) -> int:
            return _short(f"{change['of']}\n{change['id']}\n{name}")

        was, became, thing = change["was"], change["became"], place("\0")
        if was is None and thing in self._held:
            raise Broken(f"it makes a {change['of']} that is already there")
        # What no entry named before is held against nothing: such a field is younger than the thing.
        if was is not None and (thing not in self._held or any(
            self._held.get(place(name), short) != short
            for name, short in ((name, _short(canonical(value))) for name, value in was.items())
        )):
            raise Broken(f"it sets out from another {change['of']} than the entries before left")
        for name in (*(was or {}), "\0") if became is None else ():
            self._held.pop(place(name), None)
        if became is not None:
            self._held |= {thing: 0, **{place(name): _short(canonical(value)) for name, value in became.items()}}


def verify(
    lines: Iterable[bytes], *, rules: Rules | None = None, kept: str | None = None, receipts: Receipts | None = None
) -> Report:
    """Checks an export, given as lines with their ends; raises `Broken` with the line that is wrong."""
    check = Check(rules=rules, kept=kept, receipts=receipts)
    place = "The header"
    try:
        for number, line in enumerate(lines):
            place = f"Entry {number}" if number else "The header"
            (check.entry if number else check.header)(line)
        place = "The end of the file"
        return check.close()
    except Broken as broken:
        raise Broken(f"{place}: {broken}.") from broken
    except UnicodeError as error:
        raise Broken(f"{place}: it is not written in UTF-8.") from error
    except Exception as error:  # whatever a file can do to the rules or to this program is said in a sentence
        raise Broken(f"{place}: it does not have the shape that it should have ({type(error).__name__}).") from error


def lines_of(file: BinaryIO) -> Iterator[bytes]:
    """The lines of a file, none longer than may be."""
    while line := file.readline(MOST_LINE + 1):
        if len(line) > MOST_LINE:
            raise Broken(f"a line is longer than {MOST_LINE} bytes")
        yield line


def exact(line: bytes) -> dict[str, Any]:
    """A line as a document; raises `Broken` unless it is written in the one way in which it may be."""
    if not line.endswith(b"\n"):
        raise Broken("its line has no end")
    return document(line[:-1].decode())


def document(text: str) -> dict[str, Any]:
    """Canonical JSON as a dictionary. Text was put in NFC by who wrote it; its bytes are what is hashed."""
    document = _document(text)
    if canonical(document) != text:
        raise Broken("it is not written in the canonical way")
    return document


def _document(text: str) -> dict[str, Any]:
    if sum(map(text.count, ",[{")) > MOST_PARTS:
        raise Broken("it has more parts than an entry may have")
    try:
        document = json.loads(
            text, object_pairs_hook=_once, parse_float=_refuse, parse_constant=_refuse, parse_int=_whole)
    except RecursionError as error:
        raise Broken("it is nested too deeply") from error
    except json.JSONDecodeError as error:
        raise Broken("it is not JSON") from error
    if not isinstance(document, dict):
        raise Broken("it is not a JSON object")
    return document


def canonical(value: Any) -> str:
    """JSON in the one way in which the site writes it: sorted keys, no spaces, no escapes but needed ones."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def keys(document: dict[str, Any], known: set[str]) -> None:
    """Refuses a document that says more or less than is known here."""
    if set(document) != known:
        raise Broken(f"it does not have these keys and no others: {', '.join(sorted(known))}")


def opened(envelope: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """The payload of an entry that can be read; raises `Broken` unless it is what the chain was made with."""
    if not HEX.match(row["salt"]):
        raise Broken("its salt is not 64 hexadecimal digits")
    commit = hashlib.sha256(PAYLOAD_DOMAIN + bytes.fromhex(row["salt"]) + row["payload"].encode())
    if commit.hexdigest() != envelope["payload_commit"]:
        raise Broken("its payload is not the one that its envelope was made with")
    payload = document(row["payload"])
    if not _is(payload["v"], 1):
        raise Broken("its payload was written by a version that is not known here")
    if not isinstance(payload["kind"], str):
        raise Broken("its payload does not say of which kind it is")
    return payload


def faces(secret: bytes, parts: list[bytes], sides: list[int]) -> list[int]:
    """The faces that follow from a secret and what the message is made of."""
    message = b"".join(len(part).to_bytes(2, "big") + part for part in parts)

    def stream() -> Iterator[int]:
        for counter in range(2**32):
            yield from hmac.new(secret, message + counter.to_bytes(4, "big"), hashlib.sha256).digest()

    thrown, faces_thrown = stream(), []
    for side in sides:
        if type(side) is not int or not 2 <= side <= 256:
            raise Broken("one of its dice has less than 2 or more than 256 sides")
        # Bytes past the largest multiple of the sides are passed over: else low faces would come up too often.
        faces_thrown.append(next(byte for byte in thrown if byte < 256 - 256 % side) % side + 1)
    return faces_thrown


def house_rules(folder: Path) -> Rules | None:
    """The site's rules, from a folder that holds the package `rules`; None where there is none."""
    if not (folder / "rules" / "contract.py").is_file():
        return None
    sys.path.insert(0, str(folder))
    from rules.contract import resolve
    from rules.registry import SYSTEMS
    from rules.values import BadMove

    def result(kind: str, edition: str, given: Any, rolled: list[int]) -> Any:
        system = next((system for system in SYSTEMS.values() if system.edition == edition), None)
        if system is None or kind not in {move.name for move in system.rolls.moves}:
            return None
        try:
            return resolve({"move": kind, "given": given, "dice": rolled})["result"]
        except BadMove as bad:
            raise Broken(f"its move can't be made ({bad})") from bad

    return result


def _is(value: Any, wanted: int) -> bool:
    """Whether this is that whole number: `true` is none, though Python says that it is 1."""
    return type(value) is int and value == wanted


def _short(text: str) -> int:
    """A hash of 8 bytes, which takes less memory than the text."""
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big")


class Hashes:
    """Hashes that were met, in 8 to 16 bytes each; a set of Python takes 70. 0 stands for an empty place."""

    def __init__(self) -> None:
        self._places, self._count = array("Q", bytes(8 << 10)), 0

    def __len__(self) -> int:
        return self._count

    def add(self, number: int) -> bool:
        """Whether it is new."""
        if 4 * self._count >= 3 * len(self._places):
            grown, self._places, self._count = self._places, array("Q", bytes(16 * len(self._places))), 0
            for known in filter(None, grown):
                self.add(known)
        place, last = (number or 1) & (most := len(self._places) - 1), number or 1
        while (there := self._places[place]) and there != last:
            place = (place + 1) & most
        self._places[place] = last
        self._count += not there
        return not there


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise Broken("it says the same thing twice")
    return document


def _whole(text: str) -> int:
    if len(text) > MOST_DIGITS:
        raise Broken("it has a number that is too long")
    return int(text)


def _refuse(text: str) -> Any:
    raise Broken(f"{text[:40]} is not a whole number")


def summary(report: Report, rules: Rules | None, receipts: Receipts | None = None) -> Iterator[str]:
    """The report in sentences."""
    yield f"{report.name or 'This campaign'}: {report.entries} entries, one chain."
    yield f"Sealed: {report.sealed}. Of these the chain is checked, not what they say."
    if report.erased:
        yield f"Erased: {report.erased}, each because an entry says so."
    yield f"Rolls: {report.rolls} worked out again; {report.unwitnessed} unwitnessed, made without a browser's seed."
    if report.typed:
        yield f"Typed at the table: {report.typed} more. Those faces nobody can work out; what followed from them is."
    if report.earlier:
        yield (f"Of the earlier form: {report.earlier} of these rolls. Their faces hang on the operation's id too, "
               "which the server knew of before it threw: they prove less.")
    yield f"Sealed rolls: {report.sealed_rolls}. Of these the order is checked, not the faces."
    if report.retired:
        yield (f"Retired: {report.retired} secrets of dice were given up unused, each because an entry says so. "
               "A campaign that is restored from a backup, moved or imported does that.")
    if rules is None:
        yield f"Outcomes: not worked out again, for want of the site's rules ({report.unknown_outcomes} moves)."
    else:
        yield f"Outcomes: {report.outcomes} worked out again; {report.unknown_outcomes} are of rules not known here."
    yield f"Changes: followed up to entry {report.followed}."
    if report.clock_went_back:
        places = ", ".join(map(str, report.clock_went_back[:20]))
        yield f"The clock went back at entry {places}. This is no fault: numbers are the order."
    if receipts:
        yield f"Receipts: {receipts.answered} rolls held against them; {receipts.unanswered()} were sent in vain."
    yield f"Head to keep: {report.head}"


class _Arguments(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        self.exit(MISUSED, f"{message}\n{self.format_usage()}")


def _head(text: str) -> str:
    if not HEX.match(kept := text.strip().lower()):
        raise argparse.ArgumentTypeError("a head is 64 hexadecimal digits")
    return kept


def main(arguments: list[str]) -> int:
    """The command line; answers the exit status."""
    parser = _Arguments(description="Checks an exported Ledger. Exit: 0 sound, 1 wrongly called, 2 broken, 3 departs.")
    parser.add_argument("export", type=Path, help="the file that the Ledger's page exported")
    parser.add_argument("--head", metavar="HASH", type=_head, help="a head hash kept earlier, to compare with")
    parser.add_argument(
        "--receipts", metavar="FILE", type=Path, action="append", default=[],
        help="receipts that a browser kept of its rolls; once for each device",
    )
    parser.add_argument(
        "--rules", metavar="DIR", type=Path, default=Path(__file__).resolve().parent,
        help="the folder that holds the site's package `rules` (else: where this file is)",
    )
    chosen = parser.parse_args(arguments)
    try:
        rules = house_rules(chosen.rules)
        receipts = _receipts(chosen.receipts)
        with chosen.export.open("rb") as file:
            report = verify(lines_of(file), rules=rules, kept=chosen.head, receipts=receipts)
    except OSError as error:
        print(f"This can't be read. {error}")
        return MISUSED
    except Broken as error:
        print(f"Broken. {error}")
        return BROKEN
    print("\n".join(summary(report, rules, receipts)))
    if chosen.head and not report.kept_found:
        report.departs.append(
            f"No entry has the fingerprint {chosen.head}. This Ledger is not the one whose head was kept.")
    if report.departs:
        print("\n".join(f"Departs: {departed}" for departed in report.departs))
        return DEPARTED
    print("Sound.")
    return SOUND


def _receipts(files: list[Path]) -> Receipts | None:
    receipts = Receipts()
    for path in files:
        try:
            with path.open("rb") as file:
                receipts.read(lines_of(file))
        except (Broken, KeyError, TypeError, ValueError, AttributeError) as error:
            said = error if isinstance(error, Broken) else "it does not have the shape that it should have"
            raise Broken(f"The receipts {path.name}: {said}.") from error
    return receipts if files else None


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
