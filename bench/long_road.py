"""A campaign's file of any length, made without a database: every third entry is a roll, the others change a sheet.

Its entries, secrets and faces are what the trail would have written, so that an import finds nothing amiss.
What is told at the table and on Home is of the kinds that play writes; one in ten is a GM's preparation, told nobody.
"""
from __future__ import annotations

import hashlib
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from campaigns.carrying.lines import IS, VERSION, packed
from campaigns.trail import chain, pins
from campaigns.trail.dice import BATCH, FORM
from rules.codec import canonical
from rules.dice import Throw

BEGAN = datetime(2021, 1, 1, 19, 30, tzinfo=UTC)
CAMPAIGN, OWNER, SHEET = (str(uuid.uuid5(uuid.NAMESPACE_URL, name)) for name in ("road", "Mara", "Ilse"))
SEED = "5a" * 32
SIDES = [6, 6]
EDITION = "pdq 1.0"
BLANK = {"concept": "", "dead": False, "face": False, "hidden": False, "looks": "", "name": "Ilse", "npc": False,
         "player_id": None, "retired": False, "story": ""}
NAMED = {"archived": False, "dials": "{}", "name": "The Long Road", "pitch": "", "scene_id": None, "session_id": None,
         "stopped": False}


def another(name: str) -> None:
    """From here on the campaign, its owner and its sheet have other ids, which follow from this name."""
    global CAMPAIGN, OWNER, SHEET
    parts = ("road", "Mara", "Ilse")
    CAMPAIGN, OWNER, SHEET = (str(uuid.uuid5(uuid.NAMESPACE_URL, f"{part} {name}")) for part in parts)


class Road:
    """The entries so far, and what the lines after them will say."""

    def __init__(self, most: int) -> None:
        self.most, self.seq, self.head = most, 0, chain.GENESIS
        self.published: list[int] = []  # by which entry, for each batch of secrets
        self.used: list[int] = []  # by which entry, for each secret so far

    def entries(self) -> Iterator[dict[str, Any]]:
        """From the first to the last."""
        begun = [_made("campaign", CAMPAIGN, NAMED), _made("member", OWNER, {"active": True, "role": "owner"})]
        yield self._entry(OWNER, kind="campaign.found", title="The Long Road begins", changes=begun)
        yield self._entry(
            OWNER, kind="character.create", title="Ilse", changes=[_made("character", SHEET, BLANK)])
        story = ""
        while self.seq < self.most:
            if self.seq % 3:
                was, story = story, f"Line {self.seq} of what happened on the road, and some more words. " * 5
                change = {"of": "character", "id": SHEET, "was": {"story": was}, "became": {"story": story}}
                kind = "character.note" if self.seq % 10 == 0 else "character.edit"
                yield self._entry(OWNER, kind=kind, title="A line", changes=[change])
            elif len(self.used) == BATCH * len(self.published):
                yield self._laid_out()
            else:
                yield self._roll()

    def secrets(self) -> Iterator[dict[str, Any]]:
        """A line for each secret; those that no roll used stay unknown."""
        for place in range(BATCH * len(self.published)):
            used = self.used[place] if place < len(self.used) else None
            yield {"is": "secret", "place": place, "digest": _digest(place), "number": place + 1, "owner": OWNER,
                   "published": self.published[place // BATCH], "used": used, "retired": None, "pinned": None,
                   "secret": _secret(place).hex() if used else None}

    def _laid_out(self) -> dict[str, Any]:
        first = BATCH * len(self.published)
        digests = [_digest(place) for place in range(first, first + BATCH)]
        line = self._entry(None, kind="dice.commit", title=f"{BATCH} dice secrets committed", changes=[],
                           of=OWNER, first=first + 1, commitments=digests, **{pins.MARK: "told"})
        self.published.append(self.seq)
        return line

    def _roll(self) -> dict[str, Any]:
        place = len(self.used)
        throw = Throw(secret=_secret(place), campaign=CAMPAIGN, number=place + 1, client_seed=bytes.fromhex(SEED))
        faces = throw.roll(SIDES)
        dice = {"v": FORM, "commitment": _digest(place), "number": place + 1, "secret": _secret(place).hex(),
                "client_seed": SEED, "sides": SIDES, "faces": faces}
        shown = [{"sides": 6, "face": face, "role": "", "kept": True} for face in faces]
        steps = [{"rule": "PDQ-01", "text": f"Rolled {sum(faces)}."}]
        outcome = {"result": "success", "steps": steps, "dice": shown}
        line = self._entry(OWNER, kind="contest.tray", title="A roll", changes=[], dice=dice, outcome=outcome)
        self.used.append(self.seq)
        return line

    def _entry(self, actor: str | None, **said: Any) -> dict[str, Any]:
        self.seq += 1
        plain: dict[str, Any] = {"v": 1, "about": [], "audience": "all", "dice": None, "edition": EDITION, "move": None,
                 "outcome": None, "scene": None, "session": None}
        payload, salt = canonical({**plain, **said}), hashlib.sha256(f"salt {self.seq}".encode()).hexdigest()
        dice = said.get("dice")
        envelope = chain.envelope(
            campaign=CAMPAIGN, seq=self.seq, prev=self.head, op_id=str(uuid.uuid5(uuid.UUID(CAMPAIGN), str(self.seq))),
            at=(BEGAN + timedelta(minutes=self.seq)).isoformat(), actor=actor,
            dice=dice["commitment"] if dice else None, commit=chain.payload_commit(salt, payload), audience="all")
        self.head = chain.envelope_hash(envelope)
        return {"is": "entry", "envelope": envelope, "hash": self.head, "salt": salt, "payload": payload,
                "audience": "all", "shown": None}


def write(path: Path, entries: int) -> None:
    """Writes a file of so many entries."""
    measured = Road(entries)
    for _ in measured.entries():  # the first line names the last entry
        pass
    with path.open("wb") as file:
        file.writelines(packed(_documents(Road(entries), measured)))


def _documents(road: Road, measured: Road) -> Iterator[dict[str, Any]]:
    yield {"is": IS, "v": VERSION, "campaign": CAMPAIGN, "head": {"seq": measured.seq, "hash": measured.head},
           "slug": "the-long-road", "system": "pdq", "edition": EDITION, "sample": False, "created": BEGAN.isoformat()}
    yield {"is": "person", "member": OWNER, "name": "Mara", "joined": BEGAN.isoformat(), "seen": 0}
    count = 2
    for lines in (road.entries(), road.secrets()):
        for line in lines:
            yield line
            count += 1
    yield {"is": "end", "lines": count}


def _made(of: str, pk: str, became: dict[str, Any]) -> dict[str, Any]:
    return {"of": of, "id": pk, "was": None, "became": became}


def _secret(place: int) -> bytes:
    return hashlib.sha256(f"secret {CAMPAIGN} {place}".encode()).digest()


def _digest(place: int) -> str:
    return hashlib.sha256(_secret(place)).hexdigest()
