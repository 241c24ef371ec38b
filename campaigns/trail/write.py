"""The one function that writes the trail, in the same transaction as the changes that it tells of.

    with trail.entry(campaign=campaign, actor=member, op_id=op_id, kind="character.rename", title="…") as entry:
        character = entry.fresh(Character, pk=character_id)
        entry.change(character, name="Ilse")
"""
from __future__ import annotations

import functools
import uuid
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, ParamSpec, TypeVar

from django.apps import apps
from django.db import connection, models, transaction
from django.db.models import Exists, Subquery
from django.utils import timezone

from campaigns.errors import Refused
from campaigns.trail import chain
from campaigns.trail.beside import marks_of
from campaigns.trail.dice import NotLaidOut, Roll, lay_out, take
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
        self.written: Entry  # once the block is left
        self.dice: Roll | None = None
        self._move: Value = None
        self._outcome: Value = None
        self._changes: dict[tuple[str, str], dict[str, Any]] = {}
        self._about: list[str] = []
        self._after: list[Callable[[Entry], object]] = []
        self._fresh: set[int] = set()  # rows of this block that are as the tables are, by identity
        self._held: list[models.Model] = []  # keeps them alive, so that no other row gets the identity of one

    def after(self, submission: Callable[[Entry], object]) -> None:
        """Does something with the entry as soon as it stands, in the same transaction."""
        self._after.append(submission)

    def fresh(self, model: type[M], **lookup: Any) -> M:
        """A row of this campaign as it is now, under the lock; raises `Refused` when it is gone."""
        try:
            row = model._default_manager.get(campaign_id=self.campaign.pk, **lookup)
        except model.DoesNotExist:  # type: ignore[attr-defined]
            raise Refused("This is no longer there. Load the page again.") from None
        self.trust(row)
        return row

    def trust(self, *rows: models.Model) -> None:
        """Rows that were read under the lock, or since when nothing has moved: a change need not read them again."""
        self._held += rows
        self._fresh |= {id(row) for row in rows}

    def about(self, *object_ids: uuid.UUID | str) -> None:
        """What the entry can be found by, beside what it changes."""
        self._about += [str(each) for each in object_ids]

    def create(self, obj: M) -> M:
        """Writes a new row."""
        for name in tracked_of(obj).fields:
            setattr(obj, name, as_kept(getattr(obj, name)))
        obj.save(force_insert=True)
        return self.born(obj)

    def create_all(self, rows: Iterable[M]) -> list[M]:
        """Writes several new rows of one table at once. Their values are what the table will hold."""
        made = list(rows)
        for obj in made:
            kind = tracked_of(obj)
            for name in kind.fields:
                setattr(obj, name, as_kept(getattr(obj, name)))
            self._note(kind, obj, None, kind.state(obj))
        if made:
            type(made[0])._default_manager.bulk_create(made)
        return made

    def born(self, obj: M) -> M:
        """Tells of a row that was just written: a new campaign has to stand before it can be locked."""
        obj.refresh_from_db()
        kind = tracked_of(obj)
        self._note(kind, obj, None, kind.state(obj))
        return obj

    def change(self, obj: models.Model, **values: Any) -> bool:
        """Sets tracked fields of a row; answers whether anything became different."""
        different = self._set(obj, values)
        if different:
            obj.save(update_fields=different)
        return bool(different)

    def change_all(self, rows: Mapping[M, Mapping[str, Any]]) -> None:
        """The same for several rows of one table: one statement, however many there are."""
        moved = {name for obj, values in rows.items() for name in self._set(obj, values)}
        if moved:
            type(next(iter(rows)))._default_manager.bulk_update(rows, sorted(moved))

    def _set(self, obj: models.Model, values: Mapping[str, Any]) -> list[str]:
        """Sets fields of a row and notes it; answers which of them became different."""
        kind = tracked_of(obj)
        names = tuple(values)
        if unknown := set(names) - set(kind.fields):
            raise LookupError(f"{unknown} are not carried by the trail.")
        if id(obj) not in self._fresh:
            obj.refresh_from_db(fields=names)
        was = kind.state(obj, names)
        for name, value in values.items():
            setattr(obj, name, as_kept(value))
        became = kind.state(obj, names)
        different = [name for name in names if was[name] != became[name]]
        if different:
            self._note(kind, obj, {n: was[n] for n in different}, {n: became[n] for n in different})
        return different

    def remove(self, obj: models.Model) -> None:
        """Deletes a row; the trail keeps all that it held."""
        kind = tracked_of(obj)
        obj.refresh_from_db()
        self._note(kind, obj, kind.state(obj), None)
        obj.delete()

    def roll(self, sides: Sequence[int], client_seed: str) -> list[int]:
        """Faces for these dice, from the actor's next secret; `client_seed` is the browser's, in hexadecimal."""
        if self.dice is None:
            self.dice = take(self.campaign, self.actor, client_seed)
        return self.dice.roll(sides)

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

    def changed(self, table: str) -> list[str]:
        """The ids of the rows of a table that the entry changes."""
        return [pk for of, pk in self._changes if of == table]

    def payload(self) -> dict[str, Value]:
        """All that the entry says."""
        return {
            "v": VERSION, "kind": self.kind, "title": self.title, "audience": self.audience,
            "edition": self.campaign.edition, "session": _text(self.campaign.session_id),
            "scene": _text(self.campaign.scene_id),
            "about": sorted(set(self._about)), "move": self._move, "outcome": self._outcome,
            "dice": self.dice.told() if self.dice else None, "changes": list(self._changes.values()), **self.extra,
        }

    def write(self) -> Entry:
        """Writes envelope, payload and index; moves the campaign's head."""
        payload = self.payload()
        campaign, text, salt = self.campaign, canonical(payload), chain.new_salt()
        at, seq = timezone.now(), campaign.head_seq + 1
        envelope = chain.envelope(
            campaign=str(campaign.pk), seq=seq, prev=campaign.head_hash, op_id=str(self.op_id), at=at.isoformat(),
            actor=_text(self.actor and self.actor.pk), dice=self.dice.commitment.digest if self.dice else None,
            commit=chain.payload_commit(salt, text), audience=chain.for_whom(self.audience),
        )
        entry = Entry.objects.create(
            campaign=campaign, seq=seq, op_id=self.op_id, actor=self.actor, at=at, audience=self.audience,
            kind=self.kind, session_id=campaign.session_id, scene_id=campaign.scene_id, prev=campaign.head_hash,
            hash=chain.envelope_hash(envelope), envelope=envelope,
        )
        Payload.objects.create(entry=entry, campaign=campaign, salt=salt, text=text)
        Change.objects.bulk_create(
            Change(campaign=campaign, entry=entry, seq=seq, object_id=object_id, field=name)
            for object_id, name in sorted(marks_of(payload))
        )
        if self.dice:
            self.dice.commitment.used_by = entry
            self.dice.commitment.save(update_fields=["used_by"])
        campaign.head_seq, campaign.head_hash = seq, entry.hash
        campaign.save(update_fields=["head_seq", "head_hash"])
        _tell(campaign)
        self.written = entry
        for submission in self._after:
            submission(entry)
        return entry


def _tell(campaign: Any) -> None:
    """Says, as part of this transaction, how far the campaign is; on SQLite the streams look for themselves."""
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [CHANNEL, f"{campaign.pk}:{campaign.head_seq}"])


def _text(value: Any) -> str | None:
    return None if value is None else str(value)


CUT = (
    "This campaign's Ledger does not end where it should: somebody changed the database. Nothing is written until "
    "whoever runs this server has looked at it, with manage.py rebuild --check."
)
NEEDS = {
    "observer": "Members of this campaign alone can do this.",
    "player": "Observers look on. Ask the GM to make you a player.",
    "gm": "Only the GM can do this.",
    "owner": "Only the owner can do this.",
}


def _again(campaign: Any, actor: Any, op_id: uuid.UUID) -> tuple[Any, Entry | None, str]:
    """The actor as they are now, what this operation wrote before, and the hash of the last entry, in one query."""
    before = Entry.objects.filter(campaign=campaign, op_id=op_id)
    ends = Entry.objects.filter(campaign=campaign).order_by("-seq").values("hash")[:1]
    if actor is not None:
        found = type(actor)._default_manager.filter(campaign=campaign, pk=actor.pk)
        if now := found.annotate(done=Exists(before), end=Subquery(ends)).first():
            return now, before.first() if now.done else None, now.end or chain.GENESIS
    end = ends.first()
    return None, before.first(), end["hash"] if end else chain.GENESIS


def _hold(now: Any, needs: str) -> Any:
    """The actor, held to what is needed: whoever was removed meanwhile writes nothing."""
    if now is None or not now.active:
        raise Refused("You are no longer a member of this campaign.")
    if not now.may(needs):
        raise Refused(NEEDS[needs])
    return now


@contextmanager
def entry(
    *, campaign: Any, actor: Any, op_id: uuid.UUID, kind: str, title: str = "", audience: str = ALL,
    needs: str | None = "observer",
) -> Iterator[Draft]:
    """Locks the campaign, gives a draft to change things through, and writes it as the next entry.

    `kind` is the move's or service's name (`pdq.test`, `member.join`), `title` a short line for a person, `audience`
    `ALL`, `GM` or a member's id. `needs` is the `Role` that the actor must have at this moment; the draft's `actor` is
    the member as they are under the lock. None is for whoever joins: there is no member yet.

    Raises `Repeated` when `op_id` was already done, and `Refused` when the actor's rights are no longer enough. Nothing
    is written when the block raises.
    """
    failed: Exception | None = None
    with transaction.atomic():
        draft = _begun(Draft(campaign=_locked(campaign), actor=actor, op_id=op_id, kind=kind, title=title,
                             audience=audience), needs)
        before = transaction.savepoint()
        try:
            yield draft
            draft.write()
            for member in _rollers(draft):
                lay_out(draft.campaign, member, _for_the_house)
        except Exception as error:
            if draft.dice is None and not isinstance(error, NotLaidOut):
                raise
            # Nothing of the entry stays; that these dice fell does, before anybody else gets the lock.
            transaction.savepoint_rollback(before)
            transaction.set_rollback(False)
            if draft.dice:
                draft.dice.pin()
            else:
                _lay_out_for_all(_locked(campaign))
            failed = error
    if failed:
        raise failed


def _begun(draft: Draft, needs: str | None) -> Draft:
    """The draft, when it may go on; raises `Repeated`, and `Refused` for whoever may not, or where the end is gone."""
    now, done, end = _again(draft.campaign, draft.actor, draft.op_id)
    if done:
        if done.actor_id != (draft.actor and draft.actor.pk) or done.kind != draft.kind:
            raise Refused("This form was already used for something else. Load the page again.")
        raise Repeated(done)
    if end != draft.campaign.head_hash:
        raise Refused(CUT)
    if draft.actor is not None and needs is not None:
        draft.actor = _hold(now, needs)
    return draft


def _locked(campaign: Any) -> Any:
    return apps.get_model("campaigns", "Campaign").objects.select_for_update().get(pk=campaign.pk)


def _rollers(draft: Draft) -> list[Any]:
    """Whose dice may have run low with this entry: whoever rolled, and who came or has another role."""
    if draft.dice:
        return [draft.actor] if draft.dice.runs_low() else []
    changed = draft.changed("member")
    return [member for member in _playing(draft.campaign) if str(member.pk) in changed] if changed else []


def _playing(campaign: Any) -> list[Any]:
    found = apps.get_model("campaigns", "Member").objects.filter(campaign=campaign, active=True)
    members: Iterable[Any] = found.order_by("joined", "pk")  # their model is of the room above
    return [member for member in members if member.may("player")]


def _lay_out_for_all(campaign: Any) -> None:
    """A campaign of an earlier version: everybody who may roll gets a list at once."""
    for member in _playing(campaign):
        lay_out(campaign, member, _for_the_house)


@contextmanager
def _for_the_house(**said: Any) -> Iterator[Draft]:
    """An entry of the site's own, under the lock that another one holds."""
    draft = Draft(op_id=uuid.uuid4(), audience=ALL, **said)
    yield draft
    draft.write()
