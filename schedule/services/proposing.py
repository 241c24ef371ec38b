"""Proposing dates, setting one of them, and taking one back."""
from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from schedule.models import Evening, State
from schedule.queries import MOST
from schedule.services import DATES
from schedule.words import exactly

PROPOSED = "date.propose"
trail.declare(PROPOSED, "Dates are proposed", DATES)
trail.declare("date.fix", "A date is set", DATES)
trail.declare("date.take_back", "A proposed date is taken back", DATES)

PAST = "This is in the past. Choose a later time."
KNOWN = "This date is there already. Choose another one."
TOO_MANY = f"{MOST} dates can be asked for at once."


@dataclass(frozen=True)
class Wanted:
    """A date that somebody proposes: its moment, and the field of the form that it was typed into."""

    starts: datetime
    field: str


@trail.answers_once
def propose(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, wanted: Sequence[Wanted], minutes: int, zone: str,
    place: str = "", fixed: bool = False,
) -> Entry:
    """Asks everyone for these dates, beside those that are asked for already; with `fixed` the one date is set at once.
    """
    kind = "date.fix" if fixed else PROPOSED
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind=kind) as entry:
        now, open_ones = timezone.now(), _proposed(entry)
        _check(wanted, open_ones, campaign, now, fixed=fixed)
        state = State.FIXED if fixed else State.PROPOSED
        entry.create_all([
            Evening(campaign=entry.campaign, starts=slot.starts, minutes=minutes, zone=zone, place=place, state=state)
            for slot in wanted])
        entry.title = _title(wanted, zone, fixed=fixed)
        if fixed:
            _pass_over(entry, open_ones)
    return entry.written


def _check(
    wanted: Sequence[Wanted], open_ones: Sequence[Evening], campaign: Campaign, now: datetime, *, fixed: bool
) -> None:
    """Refuses what can't be asked for, at the field where it stands."""
    if fixed and len(wanted) > 1:
        raise Refused("Only one date can be set at once. Remove the others, or ask for them.", wanted[1].field)
    there = set(Evening.objects.filter(campaign=campaign, state=State.FIXED).values_list("starts", flat=True))
    there |= {open_one.starts for open_one in open_ones}
    for slot in wanted:
        if slot.starts <= now:
            raise Refused(PAST, slot.field)
        if slot.starts in there:
            raise Refused(KNOWN, slot.field)
        there.add(slot.starts)
    if not fixed and len(open_ones) + len(wanted) > MOST:
        left = MOST - len(open_ones)
        more = f"Remove {len(wanted) - left} of these." if left > 0 else "Take one of them back first."
        asked = f" {len(open_ones)} already are." if open_ones else ""
        raise Refused(f"{TOO_MANY}{asked} {more}", wanted[max(left, 0)].field)


def _title(wanted: Sequence[Wanted], zone: str, *, fixed: bool) -> str:
    first = exactly(wanted[0].starts, zone)
    if fixed:
        return f"The next session: {first}"
    return f"When can you play? {first}" if len(wanted) == 1 else f"When can you play? {len(wanted)} dates"


@trail.answers_once
def fix(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, evening_id: uuid.UUID) -> Entry:
    """Sets a proposed date; the others that were asked for with it are passed over."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="date.fix") as entry:
        evening = entry.locked(Evening, pk=evening_id)
        if evening.state == State.FIXED:
            raise Refused("This date is set already.")
        if evening.state != State.PROPOSED:
            raise Refused("This date is no longer proposed. Propose it again first.")
        if evening.starts <= timezone.now():
            raise Refused("This date is over. Choose a later one.")
        others = [proposed for proposed in _proposed(entry) if proposed.pk != evening.pk]
        entry.change(evening, state=State.FIXED)
        _pass_over(entry, others)
        entry.title = f"The next session: {exactly(evening.starts, evening.zone)}"
    return entry.written


@trail.answers_once
def take_back(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, evening_id: uuid.UUID) -> Entry:
    """A proposed date is no longer asked for."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="date.take_back") as entry:
        evening = entry.locked(Evening, pk=evening_id)
        if evening.state != State.PROPOSED:
            raise Refused("This date is no longer proposed.")
        entry.change(evening, state=State.PASSED_OVER)
        entry.title = f"No longer proposed: {exactly(evening.starts, evening.zone)}"
    return entry.written


def _proposed(entry: trail.Draft) -> list[Evening]:
    """What is asked for by now."""
    evenings = list(Evening.objects.filter(
        campaign=entry.campaign, state=State.PROPOSED, starts__gt=timezone.now()).order_by("starts"))
    entry.trust(*evenings)
    return evenings


def _pass_over(entry: trail.Draft, evenings: Sequence[Evening]) -> None:
    if evenings:
        entry.change_all({evening: {"state": State.PASSED_OVER} for evening in evenings})
