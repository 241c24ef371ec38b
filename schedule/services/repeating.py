"""Series of evenings."""
from __future__ import annotations

import uuid
from datetime import datetime, timedelta

from django.utils import timezone

from accounts.zones import called, nearest, zone_info
from campaigns import trail
from campaigns.errors import Refused
from campaigns.models import Campaign, Entry, Member, Role
from schedule.models import Evening, Series, State
from schedule.series import title
from schedule.services import DATES
from schedule.services.evenings import refuse_if_not_set
from schedule.services.proposing import PAST

trail.declare("date.series", "A series of dates", DATES)
trail.declare("date.series_end", "A series of dates ends", DATES)

MOST_SERIES = 4


@trail.answers_once
def repeat(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, first: datetime, every: int, minutes: int, zone: str,
    place: str = "",
) -> Entry:
    """An evening every so many weeks, from `first` on: what a clock on the wall in `zone` says."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="date.series") as entry:
        if nearest(first, zone) <= timezone.now():
            raise Refused(PAST, "when")
        _begin(entry, first, Series(every=every, zone=zone, minutes=minutes, place=place))
    return entry.written


@trail.answers_once
def go_on_from(
    *, campaign: Campaign, actor: Member, op_id: uuid.UUID, evening_id: uuid.UUID, every: int
) -> Entry:
    """Makes a series of a date that is set: that stays as it is, with its answers; the others follow from it."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="date.series") as entry:
        evening = entry.locked(Evening, pk=evening_id)
        refuse_if_not_set(evening, timezone.now())
        if evening.series_id:
            raise Refused("This date is part of a series already.")
        here = evening.starts.astimezone(zone_info(evening.zone)).replace(tzinfo=None)
        series = _begin(entry, here + timedelta(weeks=every), Series(
            every=every, zone=evening.zone, minutes=evening.minutes, place=evening.place))
        entry.change(evening, series_id=series.pk)
    return entry.written


def _begin(entry: trail.Draft, first: datetime, series: Series) -> Series:
    """Writes a series whose first evening of its own is at this time of a clock on the wall."""
    if Series.objects.filter(campaign=entry.campaign, ended=None).count() >= MOST_SERIES:
        raise Refused(f"A campaign has at most {MOST_SERIES} series. End one of them first.")
    series.campaign, series.first_day, series.at = entry.campaign, first.date().isoformat(), f"{first:%H:%M}"
    entry.title = f"{title(series)} ({called(series.zone)})"
    return entry.create(series)


@trail.answers_once
def end_series(*, campaign: Campaign, actor: Member, op_id: uuid.UUID, series_id: uuid.UUID) -> Entry:
    """A series has no more evenings from now on; those that were spoken of alone are called off."""
    with trail.entry(campaign=campaign, actor=actor, op_id=op_id, needs=Role.GM, kind="date.series_end") as entry:
        series, now = entry.locked(Series, pk=series_id), timezone.now()
        if series.ended:
            raise Refused("This series has ended already.")
        left = list(Evening.objects.filter(series=series, state=State.FIXED, starts__gte=now, session_id=None))
        entry.trust(*left)
        entry.change(series, ended=now)
        if left:
            entry.change_all({evening: {"state": State.CALLED_OFF} for evening in left})
        entry.title = f"{title(series)} ({called(series.zone)}) ends"
    return entry.written
