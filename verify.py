#!/usr/bin/env python3
"""Checks an exported trail, with nothing but Python's own library: `python3 verify.py EXPORT.jsonl`.

What is checked: that every line is written as the house writes it, byte by byte; that the entries form one unbroken
chain; that what can be read is what the chain was made with; that each roll used the next secret that was committed to
before, and that its faces follow from it; that each outcome follows from its move and faces (with the house's `rules`
folder beside this file, or named by --rules); and that each change sets out from what the one before left.

What is not: that these are all the entries. Whoever holds the whole trail could have written another one from the
start, or cut off its end. Keep the head hash that is printed here; `--head HASH` then says whether a later export
still stands on it.

Exit status: 0 sound, 2 broken, 3 sound but without the head that was kept.
"""
from __future__ import annotations

import argparse
import hashlib
import hmac
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

SOUND, BROKEN, DEPARTED = 0, 2, 3

ENVELOPE_DOMAIN = b"campaign-trail-envelope-v1\n"
PAYLOAD_DOMAIN = b"campaign-trail-payload-v1\n"
DICE_DOMAIN = b"campaign-dice-v1"
GENESIS = "0" * 64

HEADER_KEYS = {"v", "export", "campaign", "head"}
LINE_KEYS = {"envelope", "hash", "salt", "payload"}
ENVELOPE_KEYS = {"v", "campaign", "seq", "prev", "op_id", "at", "actor", "dice", "payload_commit"}
HEX = re.compile(r"[0-9a-f]{64}")

# Answers the result of a move (kind, edition, given, faces), or None where these rules do not know it.
Rules = Callable[[str, str, Any, list[int]], Any]


class Broken(Exception):
    """What is wrong, in a sentence."""


@dataclass
class Report:
    """What a check went through."""

    name: str = ""
    entries: int = 0
    sealed: int = 0
    rolls: int = 0
    sealed_rolls: int = 0
    unwitnessed: int = 0
    outcomes: int = 0
    unknown_outcomes: int = 0
    followed: int = 0  # up to this entry changes were followed: none before it is sealed
    clock_went_back: list[int] = field(default_factory=list)
    head: str = GENESIS
    kept_found: bool = False


class Check:
    """Goes through an export line by line: `header`, then `entry` for each, then `close`."""

    def __init__(self, *, rules: Rules | None = None, kept: str | None = None) -> None:
        self.report = Report()
        self._rules, self._kept = rules, kept
        self._header: dict[str, Any] = {}
        self._at = ""
        self._operations: set[str] = set()
        self._published: dict[str, int] = {}  # each commitment, and its place among all
        self._used = 0
        self._objects: dict[tuple[str, str], dict[str, Any]] = {}
        self._fallen: dict[str, Counter[int]] = {}  # the faces that fell in each contest

    def header(self, line: bytes) -> None:
        """The first line: which campaign this is, and where its trail ends."""
        header = exact(line)
        keys(header, HEADER_KEYS)
        if header["v"] != 1 or header["export"] != "campaign-trail":
            raise Broken("this is not a trail of a version that is known here")
        keys(header["head"], {"seq", "hash"})
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
        self._dice(envelope, payload)
        if payload is not None:
            self._said(envelope, payload)

    def close(self) -> Report:
        """The end: the last entry is the one that the header names."""
        named = self._header["head"]
        if not self.report.entries:
            raise Broken("there is no entry")
        if (named["seq"], named["hash"]) != (self.report.entries, self.report.head):
            raise Broken(f"the header says that entry {named['seq']} is the last, with the hash {named['hash']}")
        return self.report

    def _chained(self, envelope: dict[str, Any], row: dict[str, Any]) -> None:
        keys(envelope, ENVELOPE_KEYS)
        if envelope["v"] != 1:
            raise Broken("it was written by a version that is not known here")
        if envelope["campaign"] != self._header["campaign"]:
            raise Broken("it belongs to another campaign than the header says")
        if type(envelope["seq"]) is not int or envelope["seq"] != self.report.entries + 1:
            raise Broken(f"its number is {envelope['seq']}: entries are missing, doubled or out of order")
        if envelope["prev"] != self.report.head:
            raise Broken("it does not follow from the entry before")
        if hashlib.sha256(ENVELOPE_DOMAIN + row["envelope"].encode()).hexdigest() != row["hash"]:
            raise Broken("its envelope does not have the hash that is written beside it")
        if envelope["op_id"] in self._operations:
            raise Broken("its operation was already done by an entry before")
        if envelope["at"] < self._at:
            self.report.clock_went_back.append(envelope["seq"])
        self._operations.add(envelope["op_id"])
        self._at = envelope["at"]
        self.report.entries, self.report.head = envelope["seq"], row["hash"]
        self.report.kept_found |= row["hash"] == self._kept

    def _dice(self, envelope: dict[str, Any], payload: dict[str, Any] | None) -> None:
        """Commitments are used one by one, in the order in which they were published; faces follow from them."""
        used = envelope["dice"]
        if payload is not None and (payload["dice"] is None) != (used is None):
            raise Broken("its envelope and its payload disagree on whether dice were rolled")
        if used is None:
            return
        if self._published.get(used) != self._used:
            raise Broken("its dice do not come from the next secret that was committed to before")
        self._used += 1
        if payload is None:
            self.report.sealed_rolls += 1
            return
        told = payload["dice"]
        secret, share = bytes.fromhex(told["secret"]), bytes.fromhex(told["share"])
        if not hashlib.sha256(secret).hexdigest() == told["commitment"] == used:
            raise Broken("the secret of its dice is not the one that was committed to")
        if len(share) not in (0, 32):
            raise Broken("the browser's share of its dice has the wrong length")
        if told["faces"] != faces(secret, envelope["campaign"], envelope["op_id"], share, told["sides"]):
            raise Broken("the faces of its dice do not follow from the secret and the browser's share")
        self.report.rolls += 1
        self.report.unwitnessed += not share

    def _said(self, envelope: dict[str, Any], payload: dict[str, Any]) -> None:
        """What a payload says about commitments, a move's outcome, and changes."""
        if payload["kind"] == "dice.commit":
            for digest in payload["commitments"]:
                if not HEX.fullmatch(digest) or digest in self._published:
                    raise Broken("it commits to a secret that was committed to before, or to none at all")
                self._published[digest] = len(self._published)
        if isinstance(payload["move"], dict) and payload["outcome"] is not None:
            if "contest" in payload["move"]:
                self._contest(payload, payload["move"]["contest"])
            elif "given" in payload["move"]:
                self._outcome(payload)
        if not self.report.sealed:
            for change in payload["changes"]:
                self._change(change)
            self.report.followed = envelope["seq"]
        for change in payload["changes"]:
            if change["of"] == "campaign" and "name" in (change["became"] or {}):
                self.report.name = change["became"]["name"]

    def _outcome(self, payload: dict[str, Any]) -> None:
        rolled = payload["dice"]["faces"] if payload["dice"] else []
        self._resolved(payload["kind"], payload["edition"], payload["move"]["given"], rolled,
                       payload["outcome"]["result"])

    def _resolved(self, move: str, edition: str, given: Any, rolled: list[int], told: Any) -> None:
        result = self._rules(move, edition, given, rolled) if self._rules else None
        if result is None:
            self.report.unknown_outcomes += bool(rolled)
            return
        if canonical(result) != canonical(told):
            raise Broken("its outcome does not follow from its move and its dice")
        self.report.outcomes += 1

    def _contest(self, payload: dict[str, Any], contest: str) -> None:
        """The rolls that an act of a contest came to, each worked out again; their dice have fallen in this contest."""
        fallen = self._fallen.setdefault(contest, Counter())
        fallen.update(payload["dice"]["faces"] if payload["dice"] else ())
        rolls = payload["outcome"].get("rolls", [])
        for roll in rolls:
            # What is sealed may hold dice of this contest.
            if not self.report.sealed and Counter(roll["dice"]) - fallen:
                raise Broken("it tells of dice that did not fall in its contest")
            self._resolved(roll["move"], payload["edition"], roll["given"], roll["dice"], roll["result"])
        if payload["dice"] and not rolls:
            self.report.unknown_outcomes += 1

    def _change(self, change: dict[str, Any]) -> None:
        key, was, became = (change["of"], change["id"]), change["was"], change["became"]
        known = self._objects.get(key)
        if was is None and known is not None:
            raise Broken(f"it makes a {change['of']} that is already there")
        if was is not None and (known is None or any(known.get(name) != value for name, value in was.items())):
            raise Broken(f"it sets out from another {change['of']} than the entries before left")
        if became is None:
            self._objects.pop(key, None)
        else:
            self._objects[key] = {**(known or {}), **became}


def verify(lines: Iterable[bytes], *, rules: Rules | None = None, kept: str | None = None) -> Report:
    """Checks an export, given as lines with their ends; raises `Broken` with the line that is wrong."""
    check, place = Check(rules=rules, kept=kept), "The header"
    try:
        for number, line in enumerate(lines):
            place = f"Entry {number}" if number else "The header"
            (check.entry if number else check.header)(line)
        place = "The end of the file"
        return check.close()
    except Broken as broken:
        raise Broken(f"{place}: {broken}.") from broken
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise Broken(f"{place}: it does not have the shape that it should have ({error}).") from error


def exact(line: bytes) -> dict[str, Any]:
    """A line as a document; raises `Broken` unless it is written in the one way in which it may be."""
    if not line.endswith(b"\n"):
        raise Broken("its line has no end")
    return document(line[:-1].decode())


def document(text: str) -> dict[str, Any]:
    """Canonical JSON as a dictionary. Text was put in NFC by who wrote it; its bytes are what is hashed."""
    found = json.loads(text, object_pairs_hook=_once, parse_float=_refuse, parse_constant=_refuse)
    if not isinstance(found, dict):
        raise Broken("it is not a JSON object")
    if canonical(found) != text:
        raise Broken("it is not written in the canonical way")
    return found


def canonical(value: Any) -> str:
    """JSON in the one way in which the house writes it: sorted keys, no spaces, no escapes but needed ones."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def keys(found: dict[str, Any], known: set[str]) -> None:
    """Refuses a document that says more or less than is known here."""
    if set(found) != known:
        raise Broken(f"it does not have these keys and no others: {', '.join(sorted(known))}")


def opened(envelope: dict[str, Any], row: dict[str, Any]) -> dict[str, Any]:
    """The payload of an entry that can be read; raises `Broken` unless it is what the chain was made with."""
    if not HEX.fullmatch(row["salt"]):
        raise Broken("its salt is not 64 hexadecimal digits")
    commit = hashlib.sha256(PAYLOAD_DOMAIN + bytes.fromhex(row["salt"]) + row["payload"].encode())
    if commit.hexdigest() != envelope["payload_commit"]:
        raise Broken("its payload is not the one that its envelope was made with")
    payload = document(row["payload"])
    if payload["v"] != 1:
        raise Broken("its payload was written by a version that is not known here")
    if not isinstance(payload["kind"], str):
        raise Broken("its payload does not say of which kind it is")
    return payload


def faces(secret: bytes, campaign: str, op_id: str, share: bytes, sides: list[int]) -> list[int]:
    """The faces that follow from a secret, the roll's ids and the browser's share."""
    parts = [DICE_DOMAIN, campaign.encode(), op_id.encode(), share]
    message = b"".join(len(part).to_bytes(2, "big") + part for part in parts)

    def stream() -> Iterator[int]:
        for counter in range(2**32):
            yield from hmac.new(secret, message + counter.to_bytes(4, "big"), hashlib.sha256).digest()

    thrown, found = stream(), []
    for each in sides:
        if type(each) is not int or not 2 <= each <= 256:
            raise Broken("one of its dice has less than 2 or more than 256 sides")
        # Bytes past the largest multiple of the sides are passed over: else low faces would come up too often.
        found.append(next(byte for byte in thrown if byte < 256 - 256 % each) % each + 1)
    return found


def house_rules(folder: Path) -> Rules | None:
    """The house's rules, from a folder that holds the package `rules`; None where there is none."""
    if not (folder / "rules" / "contract.py").is_file():
        return None
    sys.path.insert(0, str(folder))
    from rules.contract import resolve
    from rules.registry import SYSTEMS
    from rules.values import BadMove

    def result(kind: str, edition: str, given: Any, rolled: list[int]) -> Any:
        system = next((each for each in SYSTEMS.values() if each.edition == edition), None)
        if system is None or kind not in {each.name for each in system.moves}:
            return None
        try:
            return resolve({"move": kind, "given": given, "dice": rolled})["result"]
        except BadMove as bad:
            raise Broken(f"its move can't be made ({bad})") from bad

    return result


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise Broken("it says the same thing twice")
    return found


def _refuse(text: str) -> Any:
    raise Broken(f"{text} is not a whole number")


def summary(report: Report, rules: Rules | None) -> Iterator[str]:
    """The report in sentences."""
    yield f"{report.name or 'This campaign'}: {report.entries} entries, one chain."
    yield f"Sealed: {report.sealed}. Of these the chain is checked, not what they say."
    yield f"Rolls: {report.rolls} worked out again; {report.unwitnessed} unwitnessed, made without a browser's share."
    yield f"Sealed rolls: {report.sealed_rolls}. Of these the order is checked, not the faces."
    if rules is None:
        yield f"Outcomes: not worked out again, for want of the house's rules ({report.unknown_outcomes} moves)."
    else:
        yield f"Outcomes: {report.outcomes} worked out again; {report.unknown_outcomes} are of rules not known here."
    yield f"Changes: followed up to entry {report.followed}."
    if report.clock_went_back:
        places = ", ".join(map(str, report.clock_went_back))
        yield f"The clock went back at entry {places}. This is no fault: numbers are the order."
    yield f"Head to keep: {report.head}"


def main(arguments: list[str]) -> int:
    """The command line; answers the exit status."""
    parser = argparse.ArgumentParser(description="Checks an exported trail. Exit: 0 sound, 2 broken, 3 departs.")
    parser.add_argument("export", type=Path, help="the file that the campaign's trail page exported")
    parser.add_argument("--head", metavar="HASH", help="a head hash kept earlier, which the trail has to stand on")
    parser.add_argument(
        "--rules", metavar="DIR", type=Path, default=Path(__file__).resolve().parent,
        help="the folder that holds the house's package `rules` (else: where this file is)",
    )
    chosen = parser.parse_args(arguments)
    kept = chosen.head.strip().lower() if chosen.head else None
    try:
        rules = house_rules(chosen.rules)
        with chosen.export.open("rb") as lines:
            report = verify(lines, rules=rules, kept=kept)
    except (Broken, OSError) as error:
        print(f"Broken. {error}")
        return BROKEN
    print("\n".join(summary(report, rules)))
    if kept and not report.kept_found:
        print(f"Departs: no entry has the hash {kept}. This trail is not the one whose head was kept.")
        return DEPARTED
    print("Sound.")
    return SOUND


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
