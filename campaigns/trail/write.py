"""The one function that writes the trail, in the same transaction as the changes that it tells of. Who may
is read again under the lock.

    with trail.entry(campaign=campaign, actor=member, op_id=op_id, kind="character.rename", title="…") as entry:
        character = entry.locked(Character, pk=character_id)
        entry.change(character, name="Ilse")
"""
from __future__ import annotations

import functools
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, ParamSpec

from django.apps import apps
from django.conf import settings
from django.db import models, transaction
from django.db.models import Exists, QuerySet, Subquery

from accounts.conflicts import retried, taken_back
from accounts.statements import compiled_once
from campaigns.errors import Refused
from campaigns.trail import chain, pins, retiring
from campaigns.trail.declared import declared
from campaigns.trail.dice import NotLaidOut, lay_out
from campaigns.trail.draft import ALL, Draft, system_entry
from campaigns.trail.models import Entry
from campaigns.trail.not_written import NotWritten, refused_before, use_up

P = ParamSpec("P")

MB = 1024 * 1024
CUT = (
    "This campaign’s Ledger does not end where it should: someone changed the database. Nothing is written until "
    "the person who runs this server has looked at it, with manage.py rebuild --check."
)
# All that is written in an archived campaign.
AT_REST = ("campaign.restore", "campaign.delete", "campaign.export", "member.leave")
WITHOUT_ROOM = (*AT_REST, "campaign.archive")  # and where there is no room for more
NO_ROOM = (
    "This campaign’s Ledger is full: this server has room for {most} in each campaign. You can still read it, "
    "download it, archive it or leave it."
)
STOPPED = "The X-card was pressed, so the scene is stopped. You can go on when the GM says so at the table."
NEEDS = {
    "observer": "Members of this campaign alone can do this.",
    "player": "Observers look on. Ask the GM to make you a player.",
    "gm": "Only the GM can do this.",
    "owner": "Only the owner can do this.",
}


def again(campaign: Any, actor: Any, op_id: uuid.UUID) -> tuple[Any, Entry | None, str]:
    """The actor as they are now, what this operation wrote before, and the hash of the last entry, in one query."""
    for now in _again(campaign.pk, actor.pk, op_id) if actor is not None else ():
        return now, _before(campaign.pk, op_id).first() if now.done else None, now.end or chain.GENESIS
    end = _ends(campaign.pk).first()
    return None, _before(campaign.pk, op_id).first(), end["hash"] if end else chain.GENESIS


@compiled_once
def _again(campaign: uuid.UUID, actor: uuid.UUID, op_id: uuid.UUID) -> QuerySet[Any]:
    members = apps.get_model("campaigns", "Member")._default_manager.filter(campaign=campaign, pk=actor)
    return members.annotate(done=Exists(_before(campaign, op_id)), end=Subquery(_ends(campaign)[:1]))


def _before(campaign: uuid.UUID, op_id: uuid.UUID) -> QuerySet[Entry]:
    return Entry.objects.filter(campaign=campaign, op_id=op_id)


def _ends(campaign: uuid.UUID) -> QuerySet[Entry, Any]:
    return Entry.objects.filter(campaign=campaign).order_by("-seq").values("hash")


def no_room(campaign: Any) -> str:
    """Why nothing more may be written in this campaign; "" where there is room."""
    if 0 < settings.MOST_ENTRIES <= campaign.head_seq:
        return NO_ROOM.format(most=f"{settings.MOST_ENTRIES:,} entries")
    if 0 < settings.LEDGER_MB * MB <= campaign.ledger_bytes:
        return NO_ROOM.format(most=f"{settings.LEDGER_MB:,} MB")
    return ""


def hold(now: Any, needs: str) -> Any:
    """The actor, held to what is needed: whoever was removed meanwhile writes nothing."""
    if now is None or not now.active:
        raise Refused("You are no longer a member of this campaign.")
    if not now.may(needs):
        raise Refused(NEEDS[needs])
    return now


class Repeated(Exception):
    """This operation was already done; `entry` is what it wrote the first time."""

    def __init__(self, entry: Entry) -> None:
        super().__init__("This was already done.")
        self.entry = entry


def answers_once(service: Callable[P, Entry]) -> Callable[P, Entry]:
    """A service that answers its first entry when the same operation comes again, and so may be done again.

    Where the database takes it back, since others wrote meanwhile, it is.
    """
    written = retried(service)

    @functools.wraps(service)
    def once(*args: P.args, **kwargs: P.kwargs) -> Entry:
        try:
            return written(*args, **kwargs)
        except Repeated as repeated:
            return repeated.entry

    return once


@contextmanager
def entry(
    *, campaign: Any, actor: Any, op_id: uuid.UUID, kind: str, title: str = "", audience: str = ALL,
    needs: str | None = "observer", part_of: list[Draft] | None = None, nameless: bool = False,
) -> Iterator[Draft]:
    """Locks the campaign, gives a draft to change things through, and writes it as the next entry.

    `kind` is the move's or service's name (`pdq.test`, `member.join`), `title` a short line for a person, `audience`
    `ALL`, `GM` or a member's id. `needs` is the `Role` that the actor must have at this moment; the draft's `actor` is
    the member as they are under the lock. None is for whoever joins: there is no member yet. `part_of` is what
    `together` gives, for the one of several entries that dice fall for. What is `nameless` is written without an actor,
    whose rights are held to `needs` all the same: no envelope, page or export can tell who it was.

    Raises `Repeated` when `op_id` was already done, and `Refused` when the actor's rights are no longer enough. Nothing
    is written when the block raises.
    """
    failed: Exception | None = None
    with transaction.atomic():
        draft = _begun(Draft(campaign=_locked(campaign), actor=actor, op_id=op_id, kind=kind, title=title,
                             audience=audience), needs, nameless)
        if part_of is not None:
            part_of.append(draft)
        try:
            with transaction.atomic():
                yield draft
                draft.write()
                for member in _rollers(draft):
                    lay_out(draft.campaign, member, system_entry)
        except Exception as error:
            draft.forget()
            if part_of is not None or not _leaves_dice(draft, error):
                raise
            _keep_dice_alone(draft, error)
            failed = error
    if failed:
        raise failed


@contextmanager
def together(campaign: Any) -> Iterator[list[Draft]]:
    """Several entries are written, or none of them; the list takes the draft that dice fall for (`part_of`)."""
    failed: Exception | None = None
    with transaction.atomic():
        _locked(campaign)  # before the point to go back to, so that nobody gets the lock in between
        drafts = list[Draft]()
        try:
            with transaction.atomic():
                yield drafts
        except Exception as error:
            if not drafts or not _leaves_dice(drafts[-1], error):
                raise
            _keep_dice_alone(drafts[-1], error)
            failed = error
    if failed:
        raise failed


def retire_lost(campaign: Any) -> None:
    """Where secrets of dice are gone, an entry gives up all that are unused, and whoever may roll gets new ones."""
    with transaction.atomic():
        locked = _locked(campaign)
        if retiring.lost(campaign.pk).exists():
            pins.take_over(locked, system_entry)
            retiring.retire_lost(locked, system_entry)
            _lay_out_for_all(locked)


def _leaves_dice(draft: Draft, error: Exception) -> bool:
    """Whether something of the dice stays though nothing of the draft does."""
    return (draft.dice is not None or isinstance(error, NotLaidOut)) and not taken_back(error)


def _keep_dice_alone(draft: Draft, error: Exception) -> None:
    """Of a draft that is taken back, that its dice fell stays, before anybody else gets the lock.

    What can't be written uses them up, what is refused has them fall again for whoever threw them: never both.
    """
    campaign = _locked(draft.campaign)
    if isinstance(error, NotWritten):
        if told := use_up(campaign, draft, error, system_entry):
            for member in _rollers(told):
                lay_out(campaign, member, system_entry)
    elif draft.dice:
        draft.dice.pin(campaign, draft, system_entry)
    else:
        _lay_out_for_all(campaign)


def _begun(draft: Draft, needs: str | None, nameless: bool) -> Draft:
    """The draft, when it may go on; raises `Repeated`, and `Refused` for whoever may not, or where the end is gone."""
    now, done, end = again(draft.campaign, draft.actor, draft.op_id)
    if done:
        own = done.actor_id == (draft.actor.pk if draft.actor and not nameless else None)
        if own and (refused := refused_before(done.kind)):
            raise refused
        if not own or done.kind != draft.kind:
            raise Refused("This form was already used for something else. Reload the page.")
        raise Repeated(done)
    if end != draft.campaign.head_hash:
        raise Refused(CUT)
    if draft.actor is not None and needs is not None:
        draft.actor = hold(now, needs)
    if draft.campaign.archived and draft.kind not in AT_REST:
        raise Refused("This campaign is archived. Its owner can bring it back on the Settings page.")
    if draft.kind not in WITHOUT_ROOM and (full := no_room(draft.campaign)):
        raise Refused(full)
    if draft.campaign.stopped and (kind := declared(draft.kind)) and kind.waits:
        raise Refused(STOPPED)
    if nameless:
        draft.actor = None
    return draft


def _locked(campaign: Any) -> Any:
    [row] = _campaign(campaign.pk)
    return row


@compiled_once
def _campaign(pk: uuid.UUID) -> models.QuerySet[Any]:
    return apps.get_model("campaigns", "Campaign")._default_manager.select_for_update().filter(pk=pk)


def _rollers(draft: Draft) -> list[Any]:
    """Whose dice may have run low with this entry: whoever rolled, and who came or has another role."""
    if draft.dice:
        return [draft.actor] if draft.dice.runs_low() else []
    changed = draft.changed("member")
    return [member for member in _playing(draft.campaign) if str(member.pk) in changed] if changed else []


def _playing(campaign: Any) -> list[Any]:
    active = apps.get_model("campaigns", "Member").objects.filter(campaign=campaign, active=True)
    members: Iterable[Any] = active.order_by("joined", "pk")  # their model is of the app above
    return [member for member in members if member.may("player")]


def _lay_out_for_all(campaign: Any) -> None:
    """A campaign of an earlier version: everybody who may roll gets a list at once."""
    for member in _playing(campaign):
        lay_out(campaign, member, system_entry)
