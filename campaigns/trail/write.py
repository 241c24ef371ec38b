"""The one function that writes the trail, in the same transaction as the changes that it tells of.

    with trail.entry(campaign=campaign, actor=member, op_id=op_id, kind="character.rename", title="…") as entry:
        character = entry.fresh(Character, pk=character_id)
        entry.change(character, name="Ilse")
"""
from __future__ import annotations

import functools
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from django.apps import apps
from django.db import connection, models, transaction
from django.utils import timezone

from campaigns.errors import Refused
from campaigns.trail import chain
from campaigns.trail.dice import Roll, take_commitment, top_up
from campaigns.trail.models import Change, Entry, Payload
from campaigns.trail.tracked import Tracked, as_kept, tracked_of
from rules.codec import VERSION, canonical
from rules.moves import Outcome
from rules.values import Value

ALL, GM = "all", "gm"
CHANNEL = "campaign_moved"  # where PostgreSQL tells the live streams of every process

M = TypeVar("M", bound=models.Model)
P = ParamSpec("P")


class Repeated(Exception):
    """This operation was already done; `entry` is what it wrote the first time."""

    def __init__(self, entry: Entry) -> None:
        super().__init__("This was already done.")
        self.entry = entry


def answers_once(service: Callable[P, Entry]) -> Callable[P, Entry]:
    """A service that answers its first entry when the same operation comes again."""

    @functools.wraps(service)
    def once(*args: P.args, **kwargs: P.kwargs) -> Entry:
        try:
            return service(*args, **kwargs)
        except Repeated as repeated:
            return repeated.entry

    return once


class Draft:
    """An entry while it is being written. Changes go through it, to the tables and into the payload at once."""

    def __init__(self, *, campaign: Any, actor: Any, op_id: uuid.UUID, kind: str, title: str, audience: str) -> None:
        self.campaign, self.actor, self.op_id = campaign, actor, op_id
        self.kind, self.title, self.audience = kind, title, audience
        self.extra: dict[str, Value] = {}
        self.written: Any = None  # the entry, once the block is left
        self._dice: Roll | None = None
        self._move: Value = None
        self._outcome: Value = None
        self._changes: dict[tuple[str, str], dict[str, Any]] = {}
        self._about: list[str] = []
        self._after: list[Callable[[Entry], object]] = []

    def after(self, deed: Callable[[Entry], object]) -> None:
        """Does something with the entry as soon as it stands, in the same transaction."""
        self._after.append(deed)

    def fresh(self, model: type[M], **lookup: Any) -> M:
        """A row of this campaign as it is now, under the lock; raises `Refused` when it is gone."""
        try:
            return model._default_manager.get(campaign_id=self.campaign.pk, **lookup)
        except model.DoesNotExist:  # type: ignore[attr-defined]
            raise Refused("This is no longer there. Load the page again.") from None

    def about(self, *object_ids: uuid.UUID | str) -> None:
        """What the entry can be found by, beside what it changes."""
        self._about += [str(each) for each in object_ids]

    def create(self, obj: M) -> M:
        """Writes a new row."""
        for name in tracked_of(obj).fields:
            setattr(obj, name, as_kept(getattr(obj, name)))
        obj.save(force_insert=True)
        return self.born(obj)

    def born(self, obj: M) -> M:
        """Tells of a row that was just written: a new campaign has to stand before it can be locked."""
        obj.refresh_from_db()
        kind = tracked_of(obj)
        self._note(kind, obj, None, kind.state(obj))
        return obj

    def change(self, obj: models.Model, **values: Any) -> bool:
        """Sets tracked fields of a row; answers whether anything became different."""
        kind = tracked_of(obj)
        names = tuple(values)
        if unknown := set(names) - set(kind.fields):
            raise LookupError(f"{unknown} are not carried by the trail.")
        obj.refresh_from_db(fields=names)
        was = kind.state(obj, names)
        for name, value in values.items():
            setattr(obj, name, as_kept(value))
        became = kind.state(obj, names)
        different = [name for name in names if was[name] != became[name]]
        if different:
            obj.save(update_fields=different)
            self._note(kind, obj, {n: was[n] for n in different}, {n: became[n] for n in different})
        return bool(different)

    def remove(self, obj: models.Model) -> None:
        """Deletes a row; the trail keeps all that it held."""
        kind = tracked_of(obj)
        obj.refresh_from_db()
        self._note(kind, obj, kind.state(obj), None)
        obj.delete()

    def roll(self, sides: Sequence[int], share: str) -> list[int]:
        """Faces for these dice, from the next commitment; `share` is the browser's, in hexadecimal."""
        if self._dice is None:
            self._dice = take_commitment(self.campaign, self.op_id, share)
        return self._dice.roll(sides)

    def move(self, given: Value, outcome: Outcome | None = None) -> None:
        """The move that this entry keeps, and what came of it."""
        self._move = given
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
        key = (kind.name, str(obj.pk))
        if kind.subject:
            self._about.append(str(getattr(obj, kind.subject)))
        if key not in self._changes:
            self._changes[key] = {"of": kind.name, "id": str(obj.pk), "was": was, "became": became}
            return
        known = self._changes[key]
        if became is None:
            known["was"] = None if known["was"] is None else {**was, **known["was"]}
            known["became"] = None
            if known["was"] is None:
                del self._changes[key]
        elif known["was"] is None:
            known["became"] = {**known["became"], **became}
        else:
            known["was"] = {**was, **known["was"]}
            known["became"] = {**known["became"], **became}

    def payload(self) -> dict[str, Value]:
        """All that the entry says."""
        return {
            "v": VERSION, "kind": self.kind, "title": self.title, "edition": self.campaign.edition,
            "session": _text(self.campaign.session_id), "scene": _text(self.campaign.scene_id),
            "about": sorted(set(self._about)), "move": self._move, "outcome": self._outcome,
            "dice": self._dice.told() if self._dice else None, "changes": list(self._changes.values()), **self.extra,
        }

    def write(self) -> Entry:
        """Writes envelope, payload and index; moves the campaign's head."""
        campaign, text, salt = self.campaign, canonical(self.payload()), chain.new_salt()
        at, seq = timezone.now(), campaign.head_seq + 1
        envelope = chain.envelope(
            campaign=str(campaign.pk), seq=seq, prev=campaign.head_hash, op_id=str(self.op_id), at=at.isoformat(),
            actor=_text(self.actor and self.actor.pk), dice=self._dice and self._dice.commitment.digest,
            commit=chain.payload_commit(salt, text),
        )
        entry = Entry.objects.create(
            campaign=campaign, seq=seq, op_id=self.op_id, actor=self.actor, at=at, audience=self.audience,
            kind=self.kind, session_id=campaign.session_id, scene_id=campaign.scene_id, prev=campaign.head_hash,
            hash=chain.envelope_hash(envelope), envelope=envelope,
        )
        Payload.objects.create(entry=entry, campaign=campaign, salt=salt, text=text)
        marks = {(each, "") for each in self._about}
        for change in self._changes.values():
            marks |= {(change["id"], "")} | {(change["id"], name) for name in change["became"] or change["was"]}
        Change.objects.bulk_create(
            Change(campaign=campaign, entry=entry, seq=seq, object_id=object_id, field=name)
            for object_id, name in sorted(marks)
        )
        if self._dice:
            self._dice.commitment.used_by = entry
            self._dice.commitment.save(update_fields=["used_by"])
        campaign.head_seq, campaign.head_hash = seq, entry.hash
        campaign.save(update_fields=["head_seq", "head_hash"])
        _tell(campaign)
        self.written = entry
        for deed in self._after:
            deed(entry)
        return entry


def _tell(campaign: Any) -> None:
    """Says, as part of this transaction, how far the campaign is; on SQLite the streams look for themselves."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{campaign.pk}:{campaign.head_seq}"])


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


@contextmanager
def entry(
    *, campaign: Any, actor: Any, op_id: uuid.UUID, kind: str, title: str, audience: str = ALL
) -> Iterator[Draft]:
    """Locks the campaign, gives a draft to change things through, and writes it as the next entry.

    `kind` is the move's or service's name (`pdq.test`, `member.join`), `title` a short line for a person, `audience`
    `ALL`, `GM` or a member's id. Raises `Repeated` when `op_id` was already done. Nothing is written when the block
    raises.
    """
    with transaction.atomic():
        model = apps.get_model("campaigns", "Campaign")
        locked = model.objects.select_for_update().get(pk=campaign.pk)
        if done := Entry.objects.filter(campaign=locked, op_id=op_id).first():
            if done.actor_id != (actor and actor.pk) or done.kind != kind:
                raise Refused("This form was already used for something else. Load the page again.")
            raise Repeated(done)
        draft = Draft(campaign=locked, actor=actor, op_id=op_id, kind=kind, title=title, audience=audience)
        yield draft
        draft.write()
        if draft._dice:
            top_up(locked, entry)
