"""The evenings of a series: those that have a row, and those that only follow from it."""
from __future__ import annotations

import uuid
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta

from accounts.zones import nearest
from schedule.models import EVERY, Evening, Series, State

AHEAD = timedelta(weeks=26)  # as far as a series is laid out


def id_on(series: Series, day: date) -> uuid.UUID:
    """The id of the evening that a series has on a day."""
    return uuid.uuid5(series.pk, day.isoformat())


def between(series: Series, after: datetime, before: datetime) -> Iterator[Evening]:
    """The evenings of a series that begin in this span, as the series has them; called off where it has ended by then.

    None of them is stored by this.
    """
    # Two days earlier: what is today in one zone is tomorrow in another.
    skip = max(0, (after.astimezone(UTC).date() - timedelta(days=2) - series.first).days // (7 * series.every))
    day, last = series.first + timedelta(weeks=skip * series.every), before
    if series.ended:
        last = min(before, series.ended + AHEAD)
    while (evening := on(series, day)).starts < last:
        if evening.starts >= after:
            yield evening
        day += timedelta(weeks=series.every)


def on(series: Series, day: date) -> Evening:
    """The evening of a series on a day: at the wall clock's time there, whatever clocks did since the last one."""
    starts = nearest(datetime.combine(day, series.wall), series.zone)
    over = series.ended is not None and starts >= series.ended
    evening = Evening(
        id=id_on(series, day), starts=starts, minutes=series.minutes, zone=series.zone, place=series.place,
        state=State.CALLED_OFF if over else State.FIXED, series=series)
    evening.campaign = series.campaign
    return evening


def title(series: Series) -> str:
    """`Every second Thursday, 19:30`."""
    return f"{EVERY[series.every]} {series.first:%A}, {series.at}"
