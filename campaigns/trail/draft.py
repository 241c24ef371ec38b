"""An entry while it is being written."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

from django.conf import settings
from django.db import connection, models
from django.utils import timezone

from accounts.statements import insert, save
from campaigns.errors import Refused
from campaigns.trail import chain
from campaigns.trail.beside import marks_of
from campaigns.trail.dice import Roll, TypedRoll, take
from campaigns.trail.models import Change, Entry, Payload
from campaigns.trail.tracked import Tracked, as_kept, tracked_of
from rules.codec import VERSION, canonical
from rules.moves import Outcome
from rules.values import Value

ALL, GM = "all", "gm"
FOLLOW: list[Callable[[Draft, Entry], object]] = []  # what goes along with every entry, in its transaction
Changes = dict[tuple[str, str], dict[str, Any]]  # by kind and id
CHANNEL = "campaign_moved"  # where PostgreSQL tells the live streams of every process

M = TypeVar("M", bound=models.Model)

class Draft:
    """An entry while it is being written. Changes go through it, to the tables and into the payload at once."""

    def __init__(self, *, campaign: Any, actor: Any, op_id: uuid.UUID, kind: str, title: str, audience: str) -> None:
        self.campaign, self.actor, self.op_id = campaign, actor, op_id
        self.kind, self.title, self.audience = kind, title, audience
        self.extra: dict[str, Value] = {}
        self.written: Entry  # once the block is left
        self.dice: Roll | TypedRoll | None = None
        self.given: Value = None  # the move that it keeps
        self._outcome: Value = None
        self._changes: Changes = {}
        self.touched: set[tuple[str, str, str]] = set()  # table, field, and the thing that the row belongs to
        self._index: list[str] = []
        self._after: list[Callable[[Entry], object]] = []
        self._trusted: set[int] = set()  # rows of this block that are as the tables are, by identity
        self._held: list[models.Model] = []  # keeps them alive, so that no other row gets the identity of one
        self._was: list[tuple[models.Model, dict[str, Any]]] = []  # values of rows before this block changed them
        self._of_campaign = {"head_seq", "head_hash", "ledger_bytes"}  # its fields that the entry moves
        self.trust(campaign)

    def after(self, submission: Callable[[Entry], object]) -> None:
        """Does something with the entry as soon as it stands, in the same transaction."""
        self._after.append(submission)

    def locked(self, model: type[M], **lookup: Any) -> M:
        """A row of this campaign as it is now, under the lock; raises `Refused` when it is gone."""
        try:
            row = model._default_manager.get(campaign_id=self.campaign.pk, **lookup)
        except model.DoesNotExist:  # type: ignore[attr-defined]
            raise Refused("This no longer exists. Reload the page.") from None
        self.trust(row)
        return row

    def trust(self, *rows: models.Model) -> None:
        """Rows that were read under the lock, or since when nothing has moved: a change need not read them again."""
        self._held += rows
        self._trusted |= {id(row) for row in rows}

    @property
    def about(self) -> tuple[str, ...]:
        """What the entry can be found by so far."""
        return tuple(self._index)

    def index(self, *object_ids: uuid.UUID | str) -> None:
        """What the entry can be found by, beside what it changes."""
        self._index += [str(object_id) for object_id in object_ids]

    def create(self, obj: M) -> M:
        """Writes a new row. Its values become what the table will hold, so that it need not be read again."""
        self._coming(obj)
        insert([obj])
        return obj

    def create_all(self, rows: Iterable[M]) -> list[M]:
        """Writes several new rows of one table at once."""
        made = list(rows)
        for obj in made:
            self._coming(obj)
        insert(made)
        return made

    def _coming(self, obj: models.Model) -> None:
        """Notes a row that is about to be written."""
        kind = tracked_of(obj)
        kind.settle(obj)
        self.trust(obj)
        self._note(kind, obj, None, kind.state(obj))

    def record_created(self, obj: M) -> M:
        """Tells of a row that was just written: a new campaign has to stand before it can be locked."""
        obj.refresh_from_db()
        kind = tracked_of(obj)
        self._note(kind, obj, None, kind.state(obj))
        return obj

    def change(self, obj: models.Model, **values: Any) -> bool:
        """Sets tracked fields of a row; answers whether anything became different. The campaign's are written last."""
        different = self._set(obj, values)
        if obj is self.campaign:
            self._of_campaign |= set(different)
        elif different:
            save([obj], different)
        return bool(different)

    def change_all(self, rows: Mapping[M, Mapping[str, Any]]) -> None:
        """The same for several rows of one table: one statement, however many there are."""
        moved = {name for obj, values in rows.items() for name in self._set(obj, values)}
        if moved:
            save(list(rows), moved)

    def _set(self, obj: models.Model, values: Mapping[str, Any]) -> list[str]:
        """Sets fields of a row and notes it; answers which of them became different."""
        kind = tracked_of(obj)
        names = tuple(values)
        if unknown := set(names) - set(kind.fields):
            raise LookupError(f"{unknown} are not carried by the trail.")
        if id(obj) not in self._trusted:
            obj.refresh_from_db(fields=names)
        was = kind.state(obj, names)
        self._was.append((obj, {name: getattr(obj, name) for name in names}))
        for name, value in values.items():
            setattr(obj, name, as_kept(value))
        became = kind.state(obj, names)
        different = [stored for stored in was if was[stored] != became[stored]]
        if different:
            self._note(kind, obj, {n: was[n] for n in different}, {n: became[n] for n in different})
        return [kind.field_name(stored) for stored in different]

    def remove(self, *rows: models.Model) -> None:
        """Deletes rows of one table; the trail keeps all that they held."""
        for obj in rows:
            if id(obj) not in self._trusted:
                obj.refresh_from_db()
            kind = tracked_of(obj)
            self._note(kind, obj, kind.state(obj), None)
        if rows:
            type(rows[0])._default_manager.filter(pk__in=[obj.pk for obj in rows]).delete()

    def forget(self) -> None:
        """Rows in memory are again as they were: nothing of this block stays."""
        for obj, values in reversed(self._was):
            for name, value in values.items():
                setattr(obj, name, value)

    def roll(self, sides: Sequence[int], client_seed: str) -> list[int]:
        """Faces for these dice, from the actor's next secret; `client_seed` is the browser's, in hexadecimal."""
        if self.dice is None:
            self.dice = take(self.campaign, self.actor, client_seed, system_entry)
        return self.dice.roll(sides)

    def typed(self, faces: Sequence[int]) -> None:
        """The dice of this entry were rolled at the table, and these are their faces: where any are given. Raises
        `Refused` where the campaign does not allow that."""
        if faces:
            if not self.campaign.types_dice:
                raise Refused("In this campaign the site rolls. Leave this blank.", "typed")
            self.dice = TypedRoll(faces)

    def move(self, given: Value, outcome: Outcome | None = None) -> None:
        """The move that this entry keeps, and what came of it."""
        self.given = given
        if outcome is not None:
            self._outcome = {
                "result": outcome.result,
                "steps": [{"rule": step.rule, "text": step.text} for step in outcome.steps],
                "dice": [
                    {"sides": die.sides, "face": die.face, "role": die.role, "kept": die.kept} for die in outcome.dice
                ],
            }
            if outcome.rolls:
                self._outcome["rolls"] = [
                    {"move": roll.move, "given": roll.given, "dice": list(roll.dice), "result": roll.result}
                    for roll in outcome.rolls
                ]

    def _note(self, kind: Tracked, obj: models.Model, was: Any, became: Any) -> None:
        """Several changes of one row in one entry become one: what it was first, what it became last."""
        key, subject = (kind.name, str(obj.pk)), str(getattr(obj, kind.subject) if kind.subject else obj.pk)
        if kind.subject:
            self._index.append(subject)
        self.touched |= {(kind.name, name, subject) for name in became or was}
        combine(self._changes, *key, was, became)

    def changed(self, table: str) -> list[str]:
        """The ids of the rows of a table that the entry changes."""
        return [pk for of, pk in self._changes if of == table]

    def payload(self) -> dict[str, Value]:
        """All that the entry says."""
        return {
            "v": VERSION, "kind": self.kind, "title": self.title, "audience": self.audience,
            "edition": self.campaign.edition, "session": _text(self.campaign.session_id),
            "scene": _text(self.campaign.scene_id),
            "about": sorted(set(self._index)), "move": self.given, "outcome": self._outcome,
            "dice": self.dice.record() if self.dice else None, "changes": list(self._changes.values()), **self.extra,
        }

    def write(self) -> Entry:
        """Writes envelope, payload and index; moves the campaign's head."""
        if self.dice:
            self.dice.ended()
        payload = self.payload()
        campaign, text, salt = self.campaign, canonical(payload), chain.new_salt()
        at, seq = timezone.now(), campaign.head_seq + 1
        envelope = chain.envelope(
            campaign=str(campaign.pk), seq=seq, prev=campaign.head_hash, op_id=str(self.op_id), at=at.isoformat(),
            actor=_text(self.actor and self.actor.pk), dice=self.dice.digest if self.dice else None,
            commit=chain.payload_commit(salt, text), audience=chain.for_whom(self.audience),
        )
        entry = Entry(
            campaign=campaign, seq=seq, op_id=self.op_id, actor=self.actor, at=at, audience=self.audience,
            kind=self.kind, session_id=campaign.session_id, scene_id=campaign.scene_id, prev=campaign.head_hash,
            hash=chain.envelope_hash(envelope), envelope=envelope,
        )
        insert([entry])
        insert([Payload(entry=entry, campaign=campaign, salt=salt, text=text)])
        insert([
            Change(campaign=campaign, entry=entry, seq=seq, object_id=uuid.UUID(object_id), field=name)
            for object_id, name in sorted(marks_of(payload))
        ])
        if self.dice:
            self.dice.used_by(entry)
        campaign.head_seq, campaign.head_hash = seq, entry.hash
        campaign.ledger_bytes += chain.size(envelope, text)
        save([campaign], self._of_campaign)
        _tell(campaign)
        self.written = entry
        for submission in self._after:
            submission(entry)
        for follow in FOLLOW:
            follow(self, entry)
        return entry


def combine(changes: Changes, kind: str, pk: str, was: Any, became: Any) -> None:
    """Adds a change to those before it, so that several of one row become one: what it was first, what it became last.

    Values are by field; None for `was` of what is made and `became` of what is gone. What is made and gone again is no
    change. Raises `LookupError` where something that is gone is changed.
    """
    key = (kind, pk)
    if key not in changes:
        changes[key] = {"of": kind, "id": pk, "was": was, "became": became}
        return
    known = changes[key]
    if became is None:
        known["was"] = None if known["was"] is None else {**was, **known["was"]}
        known["became"] = None
        if known["was"] is None:
            del changes[key]
    elif known["became"] is None:
        _back(changes, key, was, became)
    elif known["was"] is None:
        known["became"] = {**known["became"], **became}
    else:
        known["was"] = {**was, **known["was"]}
        known["became"] = {**known["became"], **became}


def _back(changes: Changes, key: tuple[str, str], was: Any, became: Any) -> None:
    """A row that was removed is there again: only what became different is a change."""
    if was is not None:
        raise LookupError(f"{key} was removed by this entry: it can’t be changed.")
    before = changes[key]["was"]
    different = [name for name in became if before[name] != became[name]]
    if not different:
        del changes[key]
        return
    changes[key] |= {"was": {name: before[name] for name in different},
                     "became": {name: became[name] for name in different}}


def _tell(campaign: Any) -> None:
    """Says, as part of this transaction, how far the campaign is; elsewhere the streams look for themselves."""
    if connection.vendor == "postgresql" and settings.NOTIFIES:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{campaign.pk}:{campaign.head_seq}"])


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


@contextmanager
def system_entry(*, op_id: uuid.UUID | None = None, audience: str = ALL, **said: Any) -> Iterator[Draft]:
    """An entry that follows from another one, under the lock which that one holds."""
    draft = Draft(op_id=op_id or uuid.uuid4(), audience=audience, **said)
    yield draft
    draft.write()
