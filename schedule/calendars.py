"""Evenings as calendars read them (RFC 5545)."""
from __future__ import annotations

import uuid
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.db.models import Count, Max
from icalendar import Alarm, Calendar, Event

from accounts.zones import zone_info
from campaigns.models import Change
from schedule.models import Evening, State

PRODUCT = "-//Ledger & Lantern//Dates//EN"
ALARM = timedelta(hours=-1)
# What a calendar shows of an evening, and of the series that it follows from: each change of it is another version.
SHOWN = ("starts", "minutes", "place", "state", "ended")


@dataclass(frozen=True)
class Version:
    """How often what a calendar shows of an evening was written, and when last."""

    number: int
    at: datetime


def versions(evenings: Sequence[Evening]) -> Mapping[uuid.UUID, Version]:
    """Of each evening; the trail knows: an undo counts too, so that the number only grows. One query."""
    ids = {evening.pk for evening in evenings} | {evening.series_id for evening in evenings if evening.series_id}
    campaigns = {evening.campaign_id for evening in evenings}
    marks = Change.objects.filter(campaign__in=campaigns, object_id__in=ids, field__in=SHOWN)
    told = marks.values("object_id").order_by().annotate(many=Count("seq", distinct=True), at=Max("entry__at"))
    known = {row["object_id"]: Version(row["many"], row["at"]) for row in told}
    by_evening = {}
    for evening in evenings:
        # Where what told of it was erased, it is as it was first.
        own = [known[pk] for pk in (evening.pk, evening.series_id) if pk in known] or [Version(1, evening.starts)]
        # What was written first is version 0.
        number = max(sum(version.number for version in own) - 1, 0)
        by_evening[evening.pk] = Version(number, max(version.at for version in own))
    return by_evening


def calendar(evenings: Sequence[Evening], name: str, url_of: Callable[[Evening], str]) -> bytes:
    """A calendar of evenings that were set; `url_of` is where a person reads more of one."""
    made = Calendar()
    made.add("prodid", PRODUCT)
    made.add("version", "2.0")
    made.add("method", "PUBLISH")
    made.add("x-wr-calname", name)
    known = versions(evenings) if evenings else {}
    for evening in evenings:
        made.add_component(_event(evening, known[evening.pk], url_of(evening)))
    if evenings:
        first, last = (pick(evening.starts.date() for evening in evenings) for pick in (min, max))
        made.add_missing_timezones(first_date=date(first.year - 1, 1, 1), last_date=date(last.year + 2, 1, 1))
    text: bytes = made.to_ical()
    return text


def _event(evening: Evening, version: Version, url: str) -> Event:
    zone, name = zone_info(evening.zone), evening.campaign.name
    event = Event()
    event.add("uid", f"{evening.pk}@ledger-and-lantern")
    event.add("sequence", version.number)
    event.add("dtstamp", version.at)
    event.add("last-modified", version.at)
    event.add("dtstart", evening.starts.astimezone(zone))
    event.add("dtend", evening.ends.astimezone(zone))
    event.add("summary", name)
    event.add("url", url)
    if evening.place:
        event.add("location", evening.place)
    off = evening.state == State.CALLED_OFF
    event.add("status", "CANCELLED" if off else "CONFIRMED")
    if not off:
        alarm = Alarm()
        alarm.add("action", "DISPLAY")
        alarm.add("description", name)
        alarm.add("trigger", ALARM)
        event.add_component(alarm)
    return event
