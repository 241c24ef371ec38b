"""The trail checked where it lies, some entries at a time: what `verify.py` does offline, and the tables beside it.

    progress = Progress()
    while not progress.over:
        progress = check(campaign, progress)     # in between: show `progress.seq` of `progress.last`
"""
from __future__ import annotations

import contextlib
import hashlib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from typing import TYPE_CHECKING, Any

from django.db.models import Max

from campaigns.errors import Broken
from campaigns.trail import chain, pins, retiring
from campaigns.trail.beside import WITH, Beside, secrets_left, seeds_left
from campaigns.trail.dice import FORM, TYPED, can_fall
from campaigns.trail.models import Change, Entry
from campaigns.trail.rebuild import State
from campaigns.trail.visible import fold, payload_of
from rules import contract
from rules.codec import Unreadable, canonical, read
from rules.dice import EarlierThrow, Stream, Throw
from rules.registry import SYSTEMS
from rules.values import BadMove

if TYPE_CHECKING:
    from campaigns.models import Campaign

CHUNK = 500
CONTEST = "contest."  # how the kinds of entries begin that an act of a contest makes


@dataclass(frozen=True)
class Progress:
    """How far a check has come. Plain values, to be kept between two requests on the server's side."""

    seq: int = 0
    last: int = 0
    end: str = ""  # the hash of the last entry, by the campaign's row
    hash: str = chain.GENESIS
    # Commitments that no roll has used so far, in order, by their owner; "" is the one list of the earlier form.
    waiting: dict[str, list[str]] = field(default_factory=dict)
    used: dict[str, int] = field(default_factory=dict)  # how many each owner has used, or given up unused
    retired: int = 0  # given up unused, all in all
    published: int = 0
    version: int = 1  # of the newest envelope
    erased: int = 0
    rolls: int = 0
    earlier: int = 0  # rolls of the earlier form
    unwitnessed: int = 0
    typed: int = 0  # rolls with dice of the table's own
    outcomes: int = 0
    told: bool = False  # each seed that a secret keeps has an entry: none is an earlier version's any more
    kept: dict[str, str] = field(default_factory=dict)  # seeds that unused secrets keep, by the secret's digest
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
        return cls(**plain)


def check(campaign: Campaign, progress: Progress, most: int = CHUNK) -> Progress:
    """Goes on from `progress` by `most` entries. A fault ends the check and says at which entry."""
    entries = Entry.objects.filter(campaign=campaign).order_by("seq")
    if not progress.last:
        progress = _begun(campaign, progress, entries)
        if progress.fault:
            return progress
    rows = entries.filter(seq__gt=progress.seq, seq__lte=progress.last).select_related("payload")
    chunk = list(rows.prefetch_related(*WITH)[:most])
    walk = _Walk(campaign, progress, chunk)
    for entry in chunk:
        try:
            walk.step(entry)
        except Broken as broken:
            return replace(walk.now, fault=f"Entry {entry.seq}: {broken}.")
        except (KeyError, TypeError, ValueError, AttributeError, LookupError, RecursionError) as error:
            shape = f"it does not have the shape that it should have ({type(error).__name__})"
            return replace(walk.now, fault=f"Entry {entry.seq}: {shape}.")
    if walk.now.seq < walk.now.last:
        missing = f"Entry {walk.now.seq + 1}: it is missing."
        return replace(walk.now, fault=missing) if len(chunk) < most else walk.now
    return _ended(campaign, walk.now)


def _begun(campaign: Campaign, progress: Progress, entries: Any) -> Progress:
    """How far the check goes: to the end that the campaign's row names, which is none earlier than there is."""
    newest = entries.aggregate(newest=Max("seq"))["newest"] or 0
    # Read after the entries, so that what is written meanwhile makes no difference.
    rows = type(campaign)._default_manager.filter(pk=campaign.pk)
    last, end = rows.values_list("head_seq", "head_hash").get()
    if not newest or last < newest:
        said = f"The campaign’s row says that entry {last} is the last, and there are {newest}."
        return replace(progress, last=max(last, newest), fault=said)
    return replace(progress, last=last, end=end)


def _ended(campaign: Campaign, now: Progress) -> Progress:
    if now.hash != now.end:
        return replace(now, fault="The campaign’s row does not name the hash of the last entry.")
    try:
        secrets_left(campaign, now.last, now.published, sum(now.used.values()) - now.retired, now.retired)
        if not now.erased:
            following = [mine[0] for owner, mine in now.waiting.items() if owner and mine]
            seeds_left(campaign, now.last, now.kept, [] if now.told else following)
    except Broken as broken:
        return replace(now, fault=f"The dice: {broken}.")
    return now


def whole(campaign: Campaign) -> Progress:
    """The check from the first entry to the last."""
    progress = Progress()
    while not progress.over:
        progress = check(campaign, progress)
    return progress


def _standing(campaign: Campaign, chunk: Sequence[Entry]) -> State:
    """What the objects that these entries change were before the first of them, by the trail."""
    # By their entries alone: with the campaign beside it, SQLite goes through all that the campaign has.
    touched = set(Change.objects.filter(entry__in=chunk).exclude(field="").values_list("object_id", flat=True))
    if not touched:
        return {}
    marks = Change.objects.filter(campaign=campaign, object_id__in=touched, seq__lt=chunk[0].seq).exclude(field="")
    seqs = {last for *_, last in marks.values_list("object_id", "field").annotate(Max("seq")).order_by()}
    entries = Entry.objects.filter(campaign=campaign, seq__in=seqs).exclude(payload=None).order_by("seq")
    return fold(read(text) for text in entries.values_list("payload__text", flat=True))


def _fallen(campaign: Campaign, chunk: Sequence[Entry]) -> dict[str, Counter[int]]:
    """The faces that fell before these entries in the contests which they go on with."""
    acts = [entry for entry in chunk if entry.kind.startswith(CONTEST)]
    going_on = set(Change.objects.filter(entry__in=acts, field="").values_list("object_id", flat=True))
    if not going_on:
        return {}
    marks = Change.objects.filter(campaign=campaign, field="", object_id__in=going_on, seq__lt=chunk[0].seq)
    before = Entry.objects.filter(pk__in=marks.values("entry_id"), kind__startswith=CONTEST).exclude(payload=None)
    faces: dict[str, Counter[int]] = {}
    for payload in map(read, before.values_list("payload__text", flat=True)):
        if payload["dice"] and "contest" in (payload["move"] or {}):
            faces.setdefault(payload["move"]["contest"], Counter()).update(payload["dice"]["faces"])
    return faces


class _Walk:
    """One run over some entries, oldest first."""

    def __init__(self, campaign: Campaign, progress: Progress, chunk: Sequence[Entry]) -> None:
        self.now = progress
        # From where something was erased on, nobody can tell from where a change set out.
        follow = not progress.erased
        self._standing = _standing(campaign, chunk) if follow else {}
        self._fallen = _fallen(campaign, chunk) if follow else {}
        self._payloads: dict[int, dict[str, Any]] = {}  # those that can be read
        for entry in chunk:
            with contextlib.suppress(Unreadable):
                if payload := payload_of(entry):
                    self._payloads[entry.seq] = payload
        self._beside = Beside(campaign, chunk, self._payloads)

    def step(self, entry: Entry) -> None:
        """Checks the next entry; raises `Broken`."""
        envelope = self._chained(entry)
        payload = self._opened(entry)
        self._beside.holds(entry, envelope, payload)
        self._dice(entry, envelope["dice"], payload)
        if payload is None:
            self.now = replace(self.now, erased=self.now.erased + 1)
        else:
            self._said(entry, payload)
        self.now = replace(self.now, seq=entry.seq, hash=entry.hash)

    def _chained(self, entry: Entry) -> dict[str, Any]:
        """The envelope's text is what the row's columns make, and it follows from the entry before."""
        if entry.seq != self.now.seq + 1 or entry.prev != self.now.hash:
            raise Broken("it does not follow from the entry before")
        envelope = chain.read_envelope(entry.envelope)
        if envelope["v"] < self.now.version:
            raise Broken("it is written as an earlier version did, after entries of a later one")
        if envelope["v"] != self.now.version:
            self.now = replace(self.now, version=envelope["v"])
        commit = chain.payload_commit(entry.payload.salt, entry.payload.text) if hasattr(entry, "payload") else None
        made = chain.envelope(
            campaign=str(entry.campaign_id), seq=entry.seq, prev=entry.prev, op_id=str(entry.op_id),
            at=entry.at.isoformat(), actor=str(entry.actor_id) if entry.actor_id else None, dice=envelope["dice"],
            commit=commit or envelope["payload_commit"], audience=envelope.get("audience"),
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
        payload = self._payloads.get(entry.seq)
        if payload is None:
            raise Broken("its payload was written by a version that is not known here")
        if payload["kind"] != entry.kind:
            raise Broken("its row tells of another kind of entry than its payload")
        return payload

    def _dice(self, entry: Entry, used: str | None, payload: dict[str, Any] | None) -> None:
        """Each owner's commitments are used one by one, in their order; faces follow from them."""
        record = payload["dice"] if payload is not None else None
        if record is not None and record.get("v") == TYPED:
            if used is not None or not can_fall(record):
                raise Broken("its typed dice can’t have fallen so")
            self.now = replace(self.now, typed=self.now.typed + 1)
            return
        if payload is not None and (record is None) != (used is None):
            raise Broken("its envelope and its payload disagree on whether dice were rolled")
        if used is None:
            return
        owner = str(entry.actor_id) if set(self.now.waiting) - {""} else ""
        mine = self.now.waiting.get(owner, [])
        if mine[:1] != [used]:
            raise Broken("its dice do not come from the next secret that was committed to before")
        kept = self.now.kept.get(used)
        if record is not None and kept not in (None, record.get("client_seed")):
            raise Broken("its dice do not fall from the seed that their secret keeps")
        # Earlier versions kept a seed without an entry; the roll itself says which.
        early = [record.get("client_seed")] if record is not None and not self.now.told else []
        self._beside.used(entry, used, None if self.now.erased else [kept, *early])
        number = self.now.used.get(owner, 0) + 1
        waiting, counts = {**self.now.waiting, owner: mine[1:]}, {**self.now.used, owner: number}
        left = {digest: seed for digest, seed in self.now.kept.items() if digest != used}
        self.now = replace(self.now, waiting=waiting, used=counts, kept=left)
        if payload is not None:
            self._thrown(entry, payload["dice"], used, number if owner else 0)

    def _thrown(self, entry: Entry, record: dict[str, Any], used: str, number: int) -> None:
        """The faces follow from secret and seed; `number` is 0 for the earlier form."""
        secret = bytes.fromhex(record["secret"])
        if not hashlib.sha256(secret).hexdigest() == record["commitment"] == used:
            raise Broken("the secret of its dice is not the one that was committed to")
        seed = bytes.fromhex(record["client_seed"] if number else record["share"])
        throw: Stream
        if number:
            if (record["v"], record["number"]) != (FORM, number):
                raise Broken("its dice name another secret than the next one of the member who rolled")
            throw = Throw(secret=secret, campaign=str(entry.campaign_id), number=number, client_seed=seed)
        else:
            throw = EarlierThrow(
                secret=secret, campaign=str(entry.campaign_id), op_id=str(entry.op_id), client_seed=seed)
        if throw.roll(record["sides"]) != record["faces"]:
            raise Broken("the faces of its dice do not follow from the secret and the browser’s seed")
        self.now = replace(self.now, rolls=self.now.rolls + 1, earlier=self.now.earlier + (not number),
                           unwitnessed=self.now.unwitnessed + (not seed))

    def _published(self, entry: Entry, payload: dict[str, Any]) -> None:
        """A list goes on where it ended; with the first list of somebody's own, those for everybody are over."""
        owner, made = payload.get("of", ""), payload["commitments"]
        mine, own = self.now.waiting.get(owner, []), set(self.now.waiting) - {""}
        if owner and payload["first"] != self.now.used.get(owner, 0) + len(mine) + 1:
            raise Broken("its commitments do not follow those that their owner has")
        left = self.now.waiting.get("", [])
        if (not owner and own) or payload.get("retired", []) != (left if owner and not own else []):
            raise Broken("it does not retire the secrets that are left of the earlier form")
        marked = pins.MARK in payload
        if marked != self.now.told and (own or not marked):
            raise Broken("its list is another version’s than those before it")
        self._beside.published(entry, payload)
        waiting = {**self.now.waiting, **({"": []} if owner else {}), owner: [*mine, *made]}
        self.now = replace(self.now, told=marked, waiting=waiting, published=self.now.published + len(made))

    def _pinned(self, entry: Entry, payload: dict[str, Any]) -> None:
        """Only the next secret of somebody keeps a seed, and only one; those of earlier versions are told of first."""
        early = payload["kind"] == pins.EARLIER
        if early == self.now.told:
            raise Broken("it tells of seeds that earlier versions kept, though they were told of before" if early else
                         "it tells of a seed before those are told of that earlier versions kept")
        kept = dict(self.now.kept)
        for said in payload["kept"]:
            number = self.now.used.get(said["of"], 0) + 1
            if (self.now.waiting[said["of"]][:1], number) != ([said["commitment"]], said["number"]) or (
                said["commitment"] in kept or not (early or said["of"] == str(entry.actor_id))
            ):
                raise Broken("it tells of a seed of a secret that could keep none")
            kept[said["commitment"]] = said["client_seed"]
        self.now = replace(self.now, told=True, kept=kept)

    def _retired(self, entry: Entry, payload: dict[str, Any]) -> None:
        """All that somebody has left is given up, and the seeds that it kept with it."""
        waiting, used, kept, count = dict(self.now.waiting), dict(self.now.used), dict(self.now.kept), 0
        for said in payload["retires"]:
            owner, given_up = said["of"], said["commitments"]
            if not owner or not given_up or waiting.get(owner) != given_up or said["first"] != used.get(owner, 0) + 1:
                raise Broken("it retires other secrets than those that are left")
            for digest in given_up:
                self._beside.retired(entry, digest)
                kept.pop(digest, None)
            waiting[owner], used[owner] = [], used.get(owner, 0) + len(given_up)
            count += len(given_up)
        self.now = replace(self.now, waiting=waiting, used=used, kept=kept, retired=self.now.retired + count)

    def _said(self, entry: Entry, payload: dict[str, Any]) -> None:
        if payload["kind"] == "dice.commit":
            self._published(entry, payload)
        if payload["kind"] in (pins.PIN, pins.EARLIER):
            self._pinned(entry, payload)
        if payload["kind"] == retiring.RETIRE:
            self._retired(entry, payload)
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
        system = next((system for system in SYSTEMS.values() if system.edition == edition), None)
        if system is None or move not in {move.name for move in system.rolls.moves}:
            return
        try:
            answer = contract.resolve({"move": move, "given": given, "dice": faces})
        except BadMove as bad:
            raise Broken("its move can’t be made by the rules") from bad
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
        # What no entry named before is held against nothing: such a field is younger than the row.
        if was is not None and (known is None or any(known.get(name, value) != value for name, value in was.items())):
            raise Broken(f"it sets out from another {change['of']} than the entries before left")
        if became is None:
            self._standing.pop(key, None)
        else:
            self._standing[key] = {**(known or {}), **became}
