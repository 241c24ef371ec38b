"""Undoing an entry, and revealing a sealed one: each is a new entry."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import reduce
from operator import or_
from typing import Any

from django.core.exceptions import ObjectDoesNotExist
from django.db import IntegrityError, models, transaction
from django.db.models.functions import Coalesce

from accounts.statements import compiled_once
from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from campaigns.trail.declared import declared
from campaigns.trail.draft import Changes, combine
from campaigns.trail.models import Change, Revelation
from campaigns.trail.rebuild import restore
from campaigns.trail.tracked import TRACKED
from campaigns.trail.visible import payload_of
from campaigns.trail.write import hold

UNDONE = trail.Filter("undone", "Undone and revealed")
NOT_YET = "A player chose this in secret, and the others have not chosen yet. Wait until they have."

# Looks at what is about to change back; what it answers looks again after, and raises `Refused` where that may not be.
Look = Callable[[Campaign, Sequence[Mapping[str, Any]]], Callable[[], None]]
_LOOKS: list[Look] = []

trail.declare("undo", "An entry is undone", UNDONE)
trail.declare("entry.reveal", "A sealed entry is revealed", UNDONE, undoable=False)


def look_on(look: Look) -> Look:
    """Has something looked at whenever entries are undone, by the apps above: once before all of them, once after."""
    _LOOKS.append(look)
    return look


@contextmanager
def _judged(campaign: Campaign, payload: Mapping[str, Any] | None) -> Iterator[None]:
    again = [look(campaign, payload["changes"] if payload else ()) for look in _LOOKS]
    yield
    for look in again:
        look()


def undoable(entry: Entry) -> bool:
    """Whether an entry is of a kind that can be undone at all."""
    kind = declared(entry.kind)
    return kind is None or kind.undoable


def may_undo(member: Member, entry: Entry) -> bool:
    """Whether this member may try to undo this entry: the GM any, a player what they wrote, but no dice that fell."""
    payload = payload_of(entry)
    if payload is None or not undoable(entry) or _anothers(member, entry):
        return False
    own = entry.actor_id == member.pk and member.may(Role.PLAYER) and not payload["dice"]
    return member.may(Role.GM) or (own and not _beside_a_secret(entry, payload))


def _anothers(member: Member, entry: Entry) -> bool:
    """Whether an entry is somebody else's own affair."""
    kind = declared(entry.kind)
    return kind is not None and kind.own and entry.actor_id != member.pk


def _beside_a_secret(entry: Entry, payload: dict[str, Any]) -> bool:
    """Whether somebody chose in secret in the same contest: to take an act back would be to choose anew, knowing."""
    contest = (payload["move"] or {}).get("contest") if isinstance(payload["move"], dict) else None
    if contest is None:
        return False
    sealed = Entry.objects.filter(campaign=entry.campaign_id, revelation=None).exclude(audience=trail.ALL)
    return Change.objects.filter(
        campaign=entry.campaign_id, object_id=contest, field="", entry__in=sealed).exists()


def _waits_for_others(entry: Entry, payload: dict[str, Any]) -> bool:
    """Whether a player chose this in secret, and whoever they are up against has not chosen yet."""
    move = payload["move"] if isinstance(payload["move"], dict) else {}
    if entry.audience in (trail.ALL, trail.GM) or "contest" not in move:
        return False
    marks = Change.objects.filter(campaign=entry.campaign_id, object_id=move["contest"], field="", seq__gt=entry.seq)
    later = Entry.objects.filter(pk__in=marks.values("entry"), audience=trail.ALL).select_related("payload")
    for answer in filter(None, map(payload_of, later)):
        answered = isinstance(answer["move"], dict) and answer["move"].get("by", "") not in ("", move.get("by"))
        over = any(change["id"] == move["contest"] and (change["became"] or {}).get("over")
               for change in answer["changes"])
        if answered or over:
            return False
    return True


@trail.answers_once
def undo(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, seq: int, reason: str = "", judged: bool = False
) -> Entry:
    """Reverses the changes of entry `seq`. Its author and the GM may; refused where later changes stand on it, or what
    it was before may not be any more. That is `judged` for all where it is one of several."""
    target = _target(campaign, seq)
    payload = payload_of(target)
    if payload is None or not undoable(target):
        raise Refused("An entry of this kind can’t be undone.")
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="undo", audience=target.audience,
        title=f"Entry {seq} undone: {payload['title']}",
    ) as entry:
        if not may_undo(entry.actor, target):
            raise Refused("Ask the GM. You can undo what you wrote, but no dice, and nothing beside a secret choice.")
        if _waits_for_others(target, payload):
            raise Refused(NOT_YET)
        # An undo of an undo is about the first entry too, so that an even number of marks means "it stands".
        root = payload.get("root", str(target.pk))
        undone = Change.objects.filter(campaign=campaign, object_id=root, entry__kind="undo")
        if root == str(target.pk) and undone.count() % 2:
            raise Refused(f"Entry {seq} is already undone.")
        entry.index(target.pk, root, *payload["about"])
        entry.extra |= {"undoes": seq, "root": root, "reason": reason}
        with nullcontext() if judged else _judged(entry.campaign, payload):
            _refuse_without_ground([_reverse(entry, target, change) for change in reversed(payload["changes"])])
    return entry.written


def undo_back(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, seq: int | Callable[[], int], reason: str = "",
    seen: int | None = None,
) -> Entry:
    """Reverses entry `seq`, or the one that it finds under the lock, with all that followed in the same contest, the
    last first: all of them, or none.

    Only a GM may. What an attack led to is many entries: reactions, damage, dice that were added to. Refused where
    something followed that is newer than what was `seen`.
    """
    with trail.together(campaign):
        hold(campaign.members.filter(pk=actor.pk).first(), Role.GM)
        first = seq if isinstance(seq, int) else seq()
        after = followed(campaign, _target(campaign, first))
        if seen is not None and after and after[0] > seen:
            raise Refused("More has happened since. Look at it again.")
        with _judged(campaign, payload_of(_target(campaign, first))):
            for number in after:
                undo(campaign=campaign, actor=actor, op_id=uuid.uuid5(op_id, f"undo {number}"), seq=number,
                     reason=reason, judged=True)
            written: Entry = undo(
                campaign=campaign, actor=actor, op_id=op_id, seq=first, reason=reason, judged=True)
    return written


def followed(campaign: Campaign, target: Entry) -> list[int]:
    """The numbers of what followed an entry in its contest and is not undone, the last first; none outside of one."""
    move = (payload_of(target) or {}).get("move")
    contest = move.get("contest") if isinstance(move, dict) else None
    if contest is None:
        return []
    return [seq for seq in _standing(campaign, uuid.UUID(contest), "events", "over") if seq > target.seq]


def standing(campaign: Campaign, object_id: uuid.UUID, *fields: str) -> list[int]:
    """The numbers of all entries that changed one of these fields of an object, and are not undone, the last first."""
    return list(_standing(campaign, object_id, *fields))


def last_standing(campaign: Campaign, object_ids: Collection[uuid.UUID], *fields: str) -> dict[uuid.UUID, int]:
    """Of each of these objects the number of the last entry that changed one of these fields and is not undone; those
    that none changed are left out. One query."""
    return dict(_last_standing(campaign.pk, list(object_ids), list(fields)))


@compiled_once
def _last_standing(campaign: uuid.UUID, objects: list[uuid.UUID], fields: list[str]) -> models.QuerySet[Change, Any]:
    stand = _marks_that_stand(campaign, objects, fields)
    return stand.order_by().values_list("object_id").annotate(last=models.Max("seq"))


def all_standing(campaign: Campaign, object_ids: Collection[uuid.UUID], *fields: str) -> dict[uuid.UUID, list[int]]:
    """Of each of these objects the numbers of all such entries, the last first. One query."""
    numbers: dict[uuid.UUID, list[int]] = {pk: [] for pk in object_ids}
    stand = _marks_that_stand(campaign.pk, list(object_ids), list(fields))
    for pk, seq in stand.order_by("-seq").values_list("object_id", "seq").distinct():
        numbers[pk].append(seq)
    return numbers


def _marks_that_stand(
    campaign: uuid.UUID, objects: list[uuid.UUID], fields: list[str]
) -> models.QuerySet[Change, Any]:
    marks = Change.objects.filter(campaign=campaign, object_id__in=objects, field__in=fields)
    times = Coalesce(models.Subquery(_times_undone("entry_id")), 0)
    return marks.exclude(entry__kind="undo").annotate(odd=times % 2).filter(odd=0)


def _standing(campaign: Campaign, object_id: uuid.UUID, *fields: str) -> Iterator[int]:
    """The numbers of the entries that changed one of these fields of an object and are not undone, the last first."""
    marks = Change.objects.filter(campaign=campaign, object_id=object_id, field__in=fields)
    latest = Entry.objects.filter(pk__in=marks.values("entry")).exclude(kind="undo").order_by("-seq")
    entries = latest.annotate(undone=models.Subquery(_times_undone("pk"))).values_list("seq", "undone")
    return (seq for seq, times in entries.iterator(chunk_size=50) if not (times or 0) % 2)


def _times_undone(entry: str) -> models.QuerySet[Change, Any]:
    """How often an entry was undone, or that undone; `entry` names its id in the query around this one."""
    undone = Change.objects.filter(
        campaign=models.OuterRef("campaign"), object_id=models.OuterRef(entry), field="", entry__kind="undo")
    return undone.order_by().values("object_id").annotate(many=models.Count("pk")).values("many")


def _target(campaign: Campaign, seq: int) -> Entry:
    entry = Entry.objects.select_related("payload").filter(campaign=campaign, seq=seq).first()
    if entry is None:
        raise Refused("There is no entry of this number.")
    return entry


def take_back(entry: trail.Draft, targets: Sequence[Entry], kept: Collection[str]) -> None:
    """Reverses what entries, one after the other, came to together in other tables than those that are `kept`; refused
    where something depends on it, which is one query. The entries themselves stand."""
    changes = _beside(targets, kept)
    there = [change for change in changes if change["became"] is not None]
    if there and (why := _depending(targets[-1], _marks(targets[-1], *there))):
        raise Refused(why)
    _refuse_without_ground([_reverse(entry, targets[-1], change, looked_at=True) for change in reversed(changes)])


def depended_on(
    campaign: Campaign, several: Collection[Sequence[Entry]], kept: Collection[str]
) -> set[uuid.UUID]:
    """Of each of several entries, or of what some together came to: the id of the last, where something of that, in
    other tables than those that are `kept`, has changed since. One query where nothing has."""
    beside = {targets[-1]: _beside(targets, kept) for targets in several}
    ids = {change["id"] for changes in beside.values() for change in changes}
    if not ids:
        return set()
    first = min(target.seq for target, changes in beside.items() if changes)
    later = list(Change.objects.filter(campaign=campaign, object_id__in=ids, seq__gt=first).values_list(
        "object_id", "field", "seq", "entry_id"))
    depended = set()
    for target, changes in beside.items():
        moved = {seq: entry for pk, field, seq, entry in later if seq > target.seq and any(
            str(pk) == change["id"] and (field in change["was"] if _alters(change) else True) for change in changes)}
        if moved and set(moved) - _without_effect(target, moved):
            depended.add(target.pk)
    return depended


def _alters(change: dict[str, Any]) -> bool:
    """Whether something that was there has another value since; else it was made, or removed."""
    return bool(change["was"] and change["became"])


def _beside(targets: Sequence[Entry], kept: Collection[str]) -> list[dict[str, Any]]:
    changes: Changes = {}
    for target in targets:
        for change in (payload_of(target) or {"changes": []})["changes"]:
            if change["of"] not in kept:
                combine(changes, change["of"], change["id"], change["was"], change["became"])
    return list(changes.values())


def _marks(target: Entry, *changes: dict[str, Any]) -> models.QuerySet[Change]:
    """What has changed of all that changes of an entry wrote."""
    written = (models.Q(object_id=change["id"], **({"field__in": change["was"]} if _alters(change) else {}))
               for change in changes)
    return Change.objects.filter(reduce(or_, written), campaign=target.campaign_id)


def _reverse(
    entry: trail.Draft, target: Entry, change: dict[str, Any], *, looked_at: bool = False
) -> models.Model | None:
    """Puts back what a change was before, and answers the row, where that brought one back; refused where something
    depends on it, unless that was `looked_at`."""
    kind, pk = TRACKED[change["of"]], change["id"]
    if change["became"] is None:
        return _bring_back(entry, restore(kind, target.campaign_id, pk, change["was"]))
    row = kind.rows(target.campaign_id).filter(pk=pk).first()
    why = "" if row and looked_at else _depending(target, _marks(target, change))
    if row is None or why:
        raise Refused(why or "The thing this entry changed no longer exists.")
    entry.trust(row)
    if change["was"] is None:
        _remove(entry, row, target)
    else:
        entry.change(row, **kind.read_state(change["was"]))
    return None


def _depending(target: Entry, marks: models.QuerySet[Change]) -> str:
    """Which entry that these are changes of depends on this one, in a sentence; "" where none does."""
    later = marks.filter(campaign=target.campaign_id, seq__gt=target.seq).order_by("seq")
    pks = dict(later.values_list("seq", "entry_id"))
    held = set(pks) - _without_effect(target, pks)
    return f"Entry {max(held)} depends on this one. Undo that one first." if held else ""


def _without_effect(target: Entry, later: dict[int, uuid.UUID]) -> set[int]:
    """Those of later entries, by number, that changed nothing in the end: what was undone, and its undoing."""
    undos = Entry.objects.filter(pk__in=later.values(), kind="undo").select_related("payload")
    roots: dict[str, list[int]] = {}
    for undo in undos:
        roots.setdefault((payload_of(undo) or {}).get("root", ""), []).append(undo.seq)
    seqs = dict(Entry.objects.filter(campaign=target.campaign_id, pk__in=filter(None, roots)).values_list("pk", "seq"))
    dead: set[int] = set()
    for root, marks in roots.items():
        seq = seqs.get(uuid.UUID(root)) if root else None
        if seq is not None and seq > target.seq:
            dead |= {*marks, seq} if len(marks) % 2 else set(marks)
        elif len(marks) % 2 == 0:
            dead |= set(marks)
    return dead


def _remove(entry: trail.Draft, row: models.Model, target: Entry) -> None:
    try:
        with transaction.atomic():
            entry.remove(row)
    except (models.ProtectedError, IntegrityError) as held:  # the database itself names no row
        there = [below.pk for below in held.protected_objects] if isinstance(held, models.ProtectedError) else []
        marks = Change.objects.filter(campaign=target.campaign_id, object_id__in=there)
        raise Refused(_depending(target, marks) or "Later entries depend on this one. Undo those first.") from None


def _bring_back(entry: trail.Draft, row: models.Model) -> models.Model:
    try:
        with transaction.atomic():
            return entry.create(row)
    except IntegrityError:  # as the number of a session
        raise Refused("Something else has taken its place since. Undo that first.") from None


def _refuse_without_ground(rows: Iterable[models.Model | None]) -> None:
    """What rows stand in is there, as a scene's session is: a database asks at the end, when nobody can be told."""
    for row in filter(None, rows):
        for field in row._meta.concrete_fields:
            try:
                getattr(row, field.name)
            except ObjectDoesNotExist:
                raise Refused("What this belongs to no longer exists. Bring that back first.") from None


@trail.answers_once
def reveal(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, seq: int) -> Entry:
    """Shows a sealed entry to all, its dice and reasons included. Only a GM may."""
    target = _target(campaign, seq)
    with trail.entry(
        campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="entry.reveal", title=f"Entry {seq} revealed"
    ) as entry:
        if target.audience == trail.ALL or Revelation.objects.filter(entry=target).exists():
            raise Refused(f"Entry {seq} is already visible to everyone.")
        if _anothers(entry.actor, target):
            raise Refused("This is a player’s own note. Only they can show it.")
        if _waits_for_others(target, payload_of(target) or {"move": None}):
            raise Refused(NOT_YET)
        entry.index(target.pk)
        entry.extra["reveals"] = seq
        entry.after(lambda written: Revelation.objects.create(entry=target, campaign=campaign, by=written))
    return entry.written
