"""The trail checked where it lies, some entries at a time: what `verify.py` does offline, and the tables beside it.

    progress = Progress()
    while not progress.over:
        progress = check(campaign, progress)     # in between: show `progress.seq` of `progress.last`
"""
from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from django.db.models import Max

from campaigns.trail import chain
from campaigns.trail.models import Change, Entry, Payload
from campaigns.trail.rebuild import State
from campaigns.trail.visible import fold
from rules import contract
from rules.codec import Unreadable, canonical, read
from rules.dice import Throw
from rules.registry import SYSTEMS
from rules.values import BadMove

if TYPE_CHECKING:
    from campaigns.models import Campaign

CHUNK = 500
CONTEST = "contest."  # how the kinds of entries begin that an act of a contest makes


class Broken(Exception):
    """What is wrong with an entry, in a sentence that gives nothing sealed away."""


@dataclass(frozen=True)
class Progress:
    """How far a check has come. Plain values, to be kept between two requests on the server's side."""

    seq: int = 0
    last: int = 0
    hash: str = chain.GENESIS
    waiting: tuple[str, ...] = field(default=())  # commitments that no roll has used so far, in order
    erased: int = 0
    rolls: int = 0
    unwitnessed: int = 0
    outcomes: int = 0
    fault: str = ""

    @property
    def over(self) -> bool:
        """Whether there is nothing left to check."""
        return bool(self.fault) or (self.seq == self.last and self.seq > 0)

    def plain(self) -> dict[str, Any]:
        """As JSON can hold it."""
        return asdict(self)

    @classmethod
    def of(cls, plain: dict[str, Any]) -> Progress:
        """What `plain` gave."""
        return cls(**{**plain, "waiting": tuple(plain["waiting"])})


def check(campaign: Campaign, progress: Progress, most: int = CHUNK) -> Progress:
    """Goes on from `progress` by `most` entries. A fault ends the check and says at which entry."""
    entries = Entry.objects.filter(campaign=campaign, seq__gt=progress.seq).order_by("seq")
    chunk = list(entries.select_related("payload", "erasure")[:most])
    # Read after the entries, so that what is written meanwhile is checked too or not awaited.
    last = progress.last or type(campaign)._default_manager.values_list("head_seq", flat=True).get(pk=campaign.pk)
    chunk = [entry for entry in chunk if entry.seq <= last]
    seen = (_standing(campaign, chunk), _fallen(campaign, chunk)) if not progress.erased else ({}, {})
    walk = _Walk(replace(progress, last=last), *seen)
    for entry in chunk:
        try:
            walk.step(entry)
        except Broken as broken:
            return replace(walk.now, fault=f"Entry {entry.seq}: {broken}.")
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            shape = f"it does not have the shape that it should have ({type(error).__name__})"
            return replace(walk.now, fault=f"Entry {entry.seq}: {shape}.")
    if walk.now.seq < last and len(chunk) < most:
        return replace(walk.now, fault=f"Entry {walk.now.seq + 1}: it is missing.")
    return walk.now


def _standing(campaign: Campaign, chunk: Sequence[Entry]) -> State:
    """What the objects that these entries change were before the first of them, by the trail."""
    if not chunk:
        return {}
    touched = Change.objects.filter(campaign=campaign, entry__in=chunk).exclude(field="").values("object_id")
    marks = Change.objects.filter(campaign=campaign, object_id__in=touched, seq__lt=chunk[0].seq).exclude(field="")
    seqs = {last for *_, last in marks.values_list("object_id", "field").annotate(Max("seq")).order_by()}
    told = Payload.objects.filter(campaign=campaign, entry__seq__in=seqs).order_by("entry__seq")
    return fold(read(text) for text in told.values_list("text", flat=True))


def _fallen(campaign: Campaign, chunk: Sequence[Entry]) -> dict[str, Counter[int]]:
    """The faces that fell before these entries in the contests which they go on with."""
    if not chunk:
        return {}
    about = Change.objects.filter(campaign=campaign, field="").values("object_id")
    going_on = about.filter(entry__in=chunk, entry__kind__startswith=CONTEST)
    marks = Change.objects.filter(campaign=campaign, field="", object_id__in=going_on, seq__lt=chunk[0].seq)
    before = Payload.objects.filter(
        campaign=campaign, entry__in=marks.values("entry_id"), entry__kind__startswith=CONTEST)
    found: dict[str, Counter[int]] = {}
    for payload in map(read, before.values_list("text", flat=True)):
        if payload["dice"] and "contest" in (payload["move"] or {}):
            found.setdefault(payload["move"]["contest"], Counter()).update(payload["dice"]["faces"])
    return found


class _Walk:
    """One run over some entries, oldest first."""

    def __init__(self, progress: Progress, standing: State, fallen: dict[str, Counter[int]]) -> None:
        self.now, self._standing, self._fallen = progress, standing, fallen

    def step(self, entry: Entry) -> None:
        """Checks the next entry; raises `Broken`."""
        envelope = self._chained(entry)
        payload = self._opened(entry)
        self._dice(entry, envelope["dice"], payload)
        if payload is None:
            self.now = replace(self.now, erased=self.now.erased + 1)
        else:
            self._said(payload)
        self.now = replace(self.now, seq=entry.seq, hash=entry.hash)

    def _chained(self, entry: Entry) -> dict[str, Any]:
        """The envelope's text is what the row's columns make, and it follows from the entry before."""
        if entry.seq != self.now.seq + 1 or entry.prev != self.now.hash:
            raise Broken("it does not follow from the entry before")
        envelope: dict[str, Any] = json.loads(entry.envelope)
        commit = chain.payload_commit(entry.payload.salt, entry.payload.text) if hasattr(entry, "payload") else None
        made = chain.envelope(
            campaign=str(entry.campaign_id), seq=entry.seq, prev=entry.prev, op_id=str(entry.op_id),
            at=entry.at.isoformat(), actor=entry.actor_id and str(entry.actor_id), dice=envelope["dice"],
            commit=commit or envelope["payload_commit"],
        )
        if made != entry.envelope:
            raise Broken("its row or its payload is not what its envelope was made with")
        if chain.envelope_hash(entry.envelope) != entry.hash:
            raise Broken("its envelope does not have the hash that is written beside it")
        return envelope

    def _opened(self, entry: Entry) -> dict[str, Any] | None:
        if not hasattr(entry, "payload"):
            if not hasattr(entry, "erasure"):
                raise Broken("its payload is gone, and no entry says that it was erased")
            return None
        try:
            payload = read(entry.payload.text)
        except Unreadable as error:
            raise Broken("its payload was written by a version that is not known here") from error
        if payload["kind"] != entry.kind:
            raise Broken("its row tells of another kind of entry than its payload")
        return payload

    def _dice(self, entry: Entry, used: str | None, payload: dict[str, Any] | None) -> None:
        """Commitments are used one by one, in the order in which they were published; faces follow from them."""
        if payload is not None and (payload["dice"] is None) != (used is None):
            raise Broken("its envelope and its payload disagree on whether dice were rolled")
        if used is None:
            return
        if self.now.waiting[:1] != (used,):
            raise Broken("its dice do not come from the next secret that was committed to before")
        self.now = replace(self.now, waiting=self.now.waiting[1:])
        if payload is None:
            return
        told = payload["dice"]
        secret, share = bytes.fromhex(told["secret"]), bytes.fromhex(told["share"])
        if not hashlib.sha256(secret).hexdigest() == told["commitment"] == used:
            raise Broken("the secret of its dice is not the one that was committed to")
        throw = Throw(secret=secret, campaign=str(entry.campaign_id), op_id=str(entry.op_id), share=share)
        if throw.roll(told["sides"]) != told["faces"]:
            raise Broken("the faces of its dice do not follow from the secret and the browser's share")
        unwitnessed = self.now.unwitnessed + (not share)
        self.now = replace(self.now, rolls=self.now.rolls + 1, unwitnessed=unwitnessed)

    def _said(self, payload: dict[str, Any]) -> None:
        if payload["kind"] == "dice.commit":
            self.now = replace(self.now, waiting=(*self.now.waiting, *payload["commitments"]))
        move, outcome = payload["move"], payload["outcome"]
        if isinstance(move, dict) and outcome is not None:
            if "given" in move:
                self._outcome(payload, move["given"])
            if "contest" in move:
                self._contest(payload, move["contest"])
        if not self.now.erased:
            for change in payload["changes"]:
                self._change(change)

    def _outcome(self, payload: dict[str, Any], given: Any) -> None:
        """The outcome follows from move and faces, where the rules of this edition are still known."""
        faces = payload["dice"]["faces"] if payload["dice"] else []
        self._resolved(payload["edition"], payload["kind"], given, faces, payload["outcome"]["result"])

    def _resolved(self, edition: str, move: str, given: Any, faces: list[int], result: Any) -> None:
        system = next((each for each in SYSTEMS.values() if each.edition == edition), None)
        if system is None or move not in {each.name for each in system.moves}:
            return
        try:
            answer = contract.resolve({"move": move, "given": given, "dice": faces})
        except BadMove as bad:
            raise Broken("its move can't be made by the rules") from bad
        if canonical(answer["result"]) != canonical(result):
            raise Broken("its outcome does not follow from its move and its dice")
        self.now = replace(self.now, outcomes=self.now.outcomes + 1)

    def _contest(self, payload: dict[str, Any], contest: str) -> None:
        """The rolls that an act came to, each resolved anew; their dice have fallen in this contest."""
        fallen = self._fallen.setdefault(contest, Counter())
        fallen.update(payload["dice"]["faces"] if payload["dice"] else ())
        for roll in payload["outcome"].get("rolls", ()):
            # Where something was erased, dice of this contest may be gone with it.
            if not self.now.erased and Counter(roll["dice"]) - fallen:
                raise Broken("it tells of dice that did not fall in its contest")
            self._resolved(payload["edition"], roll["move"], roll["given"], roll["dice"], roll["result"])

    def _change(self, change: dict[str, Any]) -> None:
        key, was, became = (change["of"], change["id"]), change["was"], change["became"]
        known = self._standing.get(key)
        if was is None and known is not None:
            raise Broken(f"it makes a {change['of']} that is already there")
        if was is not None and (known is None or any(known.get(name) != value for name, value in was.items())):
            raise Broken(f"it sets out from another {change['of']} than the entries before left")
        if became is None:
            self._standing.pop(key, None)
        else:
            self._standing[key] = {**(known or {}), **became}
