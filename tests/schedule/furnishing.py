"""What of the schedule an address can name."""
from __future__ import annotations

import uuid
from datetime import date, datetime, time, timedelta
from typing import Any

from accounts import calendar_addresses
from schedule.models import Series
from schedule.series import id_on
from schedule.services import repeating


def a_series(campaign: Any, owner: Any, token: str) -> dict[str, uuid.UUID]:
    """A weekly series from the week after next on, and the owner's calendar at the address with this secret."""
    first = datetime.combine(date.today() + timedelta(days=9), time(20))
    repeating.repeat(
        campaign=campaign, actor=owner, op_id=uuid.uuid4(), first=first, every=1, minutes=180, zone="Europe/Lisbon")
    series = Series.objects.get(campaign=campaign)
    calendar_addresses.renew(user=owner.user, token=token)
    campaign.refresh_from_db()
    return {"series_id": series.pk, "evening_id": id_on(series, series.first)}
