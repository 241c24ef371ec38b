"""One evening: answering, moving, calling off, and its session."""
from __future__ import annotations

import uuid
from datetime import datetime

from django.utils import timezone

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from schedule.models import Answer, Evening, Says, State
from schedule.queries import evening_to_open, find, is_open
from schedule.services import DATES
from schedule.services.proposing import KNOWN, PAST
from schedule.words import exactly

# Whoever answered otherwise by mistake answers again: there is nothing to undo.
trail.declare("date.answer", "An answer to a date", DATES, undoable=False, story=False, felt=True)
trail.declare("date.move", "A date is moved", DATES)
trail.declare("date.call_off", "A date is called off", DATES)

OVER = "This date is over."
NO_LONGER = {
    State.PASSED_OVER: "This date is no longer proposed: another one was chosen. Nothing was saved.",
    State.CALLED_OFF: "This date was called off. Nothing was saved.",
}


@trail.answers_once
def answer(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, evening_id: uuid.UUID, says: str) -> Entry:
    """Says whether one can come; a later answer takes the place of an earlier one."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.PLAYER, kind="date.answer") as entry:
        evening, said = _evening(entry, evening_id), Says(says)
        if evening.state in NO_LONGER:
            raise Refused(NO_LONGER[State(evening.state)])
        if not is_open(evening, timezone.now()):
            raise Refused(f"{OVER} It can’t be answered any longer.")
        _stored(entry, evening)
        known = Answer.objects.filter(evening=evening, member=entry.actor).first()
        if known is None:
            entry.create(Answer(campaign=entry.campaign, evening=evening, member=entry.actor, says=said))
        else:
            entry.trust(known)
            entry.change(known, says=said)
        entry.title = f"{said.label}: {exactly(evening.starts, evening.zone)}"
    return entry.written


@trail.answers_once
def move(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, evening_id: uuid.UUID, starts: datetime, minutes: int,
    zone: str, place: str = "",
) -> Entry:
    """Gives a fixed date another time or place. Another time has to be answered again."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="date.move") as entry:
        evening, now = _evening(entry, evening_id), timezone.now()
        refuse_if_not_set(evening, now)
        moved = starts != evening.starts
        if moved and starts <= now:
            raise Refused(PAST, "when")
        if moved and Evening.objects.filter(campaign=campaign, state=State.FIXED, starts=starts).exists():
            raise Refused(KNOWN, "when")
        was = exactly(evening.starts, evening.zone)
        _stored(entry, evening)
        if not entry.change(evening, starts=starts, minutes=minutes, zone=zone, place=place):
            raise Refused("Nothing is different yet. Change the time, the length or the place.", "when")
        if moved:
            given = list(Answer.objects.filter(evening=evening))
            entry.trust(*given)
            entry.remove(*given)
        entry.title = f"{was} is moved to {exactly(starts, zone)}" if moved else f"{was}: changed"
    return entry.written


@trail.answers_once
def call_off(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, evening_id: uuid.UUID) -> Entry:
    """A fixed date will not be played; the others of its series are."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="date.call_off") as entry:
        evening = _evening(entry, evening_id)
        refuse_if_not_set(evening, timezone.now())
        _stored(entry, evening)
        entry.change(evening, state=State.CALLED_OFF)
        entry.title = f"Called off: {exactly(evening.starts, evening.zone)}"
    return entry.written


def take_over(entry: trail.Draft, session_id: uuid.UUID) -> list[Member]:
    """The session that this entry opens is that of the fixed evening which is nearest; who said that they come."""
    evening = evening_to_open(entry.campaign, timezone.now())
    if evening is None:
        return []
    entry.trust(evening)
    _stored(entry, evening)
    entry.change(evening, session_id=session_id)
    coming = Answer.objects.filter(evening=evening, says__in=(Says.YES, Says.MAYBE), member__active=True)
    return [answer.member for answer in coming.select_related("member__user").order_by("member__joined", "pk")]


def _evening(entry: trail.Draft, evening_id: uuid.UUID) -> Evening:
    """The evening, as it is under the lock."""
    evening = find(entry.campaign, evening_id)
    if evening is None:
        raise Refused("This date no longer exists. Reload the page.")
    entry.trust(evening)
    return evening


def refuse_if_not_set(evening: Evening, now: datetime) -> None:
    """Refuses what is done to a date that was called off, is not set, or is over."""
    if evening.state == State.CALLED_OFF:
        raise Refused("This date was called off already.")
    if evening.state != State.FIXED:
        raise Refused("This date isn’t set. Set it first, or take it back.")
    if not is_open(evening, now):
        raise Refused(OVER)


def _stored(entry: trail.Draft, evening: Evening) -> None:
    """Writes the row of an evening that only followed from its series until now."""
    if evening._state.adding:
        entry.create(evening)
