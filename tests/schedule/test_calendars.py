"""Calendars, read by a reader of our own (lines unfolded, components nested, times as written), and by vobject."""
from __future__ import annotations

import re
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch
from zoneinfo import ZoneInfo

import pytest
import vobject
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.services import empty
from schedule.calendars import Version, calendar
from schedule.models import Evening
from schedule.series import between
from schedule.services import evenings, proposing, repeating
from tests import laid
from tests.html_forms import Page
from tests.schedule.test_series import weekly

pytestmark = pytest.mark.django_db

Component = dict[str, Any]


def read(text: bytes) -> Component:
    """A calendar as nested components; fails where it isn't written as RFC 5545 says."""
    assert text.endswith(b"\r\n") and b"\n" not in text.replace(b"\r\n", b"")
    lines = text.split(b"\r\n")
    assert all(len(line) <= 75 for line in lines)
    root: Component = {"inner": []}
    opened = [root]
    for line in re.sub(rb"\r\n[ \t]", b"", text).decode().splitlines():
        name, value = re.fullmatch(r"([A-Z-]+(?:;[^:]+)?):(.*)", line).groups()  # type: ignore[union-attr]
        if name == "BEGIN":
            opened[-1]["inner"].append({"name": value, "inner": []})
            opened.append(opened[-1]["inner"][-1])
        elif name == "END":
            assert opened.pop()["name"] == value
        else:
            opened[-1][name] = value
    assert opened == [root]
    (calendar,) = root["inner"]
    return calendar


def events(calendar: Component) -> dict[str, Component]:
    """The events of a calendar by their UID."""
    return {component["UID"]: component for component in calendar["inner"] if component["name"] == "VEVENT"}


def start(event: Component, calendar: Component) -> datetime:
    """When an event begins; its zone has to be defined in the calendar, with both of its offsets."""
    ((zone, value),) = [(name.partition("TZID=")[2], value) for name, value in event.items() if name[:7] == "DTSTART"]
    defined = next(component
                   for component in calendar["inner"] if component["name"] == "VTIMEZONE" and component["TZID"] == zone)
    assert {part["TZOFFSETTO"] for part in defined["inner"]} >= {"+0000", "+0100"}
    return datetime.strptime(value, "%Y%m%dT%H%M%S").replace(tzinfo=ZoneInfo(zone))


def given(campaign: Any, actor: Any) -> dict[str, Any]:
    return {"campaign": campaign, "actor": actor, "op_id": uuid.uuid4()}


@laid.fixture
def date(campaign: Any, alices: Any) -> Evening:
    """A date that is set, far enough away for every test."""
    wanted = [proposing.Wanted(timezone.now().replace(second=0, microsecond=0) + timedelta(days=6), "when_1")]
    proposing.propose(**given(campaign, alices), wanted=wanted, minutes=210, zone="Europe/Lisbon", fixed=True,
                      place="Rua das Flores 5; ring twice, it’s the door with the lion and the very long description")
    return Evening.objects.get()


def feed_of(client: Client) -> str:
    """Makes a new address by the page."""
    form = Page(client.get(reverse("calendar_address"))).forms[-1]
    match = re.search(r'value="http://testserver([^"]+\.ics)"', form.send(client).content.decode())
    assert match
    return match[1]


def test_one_evening_as_a_file(campaign: Any, alices: Any, bobs: Any, as_bob: Client, date: Evening) -> None:
    url = reverse("date_calendar", args=[campaign.slug, date.pk])
    calendar = read(as_bob.get(url).content)
    (event,) = events(calendar).values()
    assert start(event, calendar) == date.starts and event["SEQUENCE"] == "0" and event["STATUS"] == "CONFIRMED"
    assert event["SUMMARY"] == campaign.name and "lion" in event["LOCATION"]
    assert [alarm["TRIGGER"] for alarm in event["inner"]] == ["-PT1H"]
    evenings.move(**given(campaign, alices), evening_id=date.pk, starts=date.starts + timedelta(days=1), minutes=210,
                  zone="Europe/Lisbon")
    moved = read(as_bob.get(url).content)
    assert [(event["SEQUENCE"], start(event, moved)) for event in events(moved).values()] == [
        ("1", date.starts + timedelta(days=1))] and set(events(moved)) == set(events(calendar))
    evenings.call_off(**given(campaign, alices), evening_id=date.pk)
    (off,) = events(read(as_bob.get(url).content)).values()
    assert (off["UID"], off["SEQUENCE"], off["STATUS"], off["inner"]) == (event["UID"], "2", "CANCELLED", [])


def test_a_feed_has_the_dates_of_all_ones_campaigns_and_tells_when_it_was_renewed(
    campaign: Any, alices: Any, bobs: Any, as_bob: Client, anonymous: Client, date: Evening
) -> None:
    first = datetime.combine(timezone.now().date() + timedelta(days=3), datetime.min.time().replace(hour=20))
    series = repeating.repeat(
        **given(campaign, alices), first=first, every=2, minutes=180, zone="Europe/Lisbon")
    address = feed_of(as_bob)
    assert address not in as_bob.get(reverse("calendar_address")).content.decode(), "it is shown once"
    calendar = read(anonymous.get(address).content)
    dates = events(calendar)
    assert len(dates) > 10 and f"{date.pk}@ledger-and-lantern" in dates
    assert {f"{start(event, calendar):%H:%M}" for uid, event in dates.items() if str(date.pk) not in uid} == {"20:00"}
    assert all(event["SEQUENCE"] == "0" for event in dates.values()) and series

    new = feed_of(as_bob)
    answer = anonymous.get(address)
    assert answer.status_code == 410 and "was renewed on" in answer.content.decode()
    assert set(events(read(anonymous.get(new).content))) == set(dates)
    assert anonymous.get("/calendar/guessed.ics").status_code == 404
    type(bobs).objects.filter(pk=bobs.pk).update(active=False)
    assert not events(read(anonymous.get(new).content)), "who was removed sees nothing more"
    empty(user=bobs.user)
    assert anonymous.get(new).status_code == anonymous.get(address).status_code == 404, "nothing is left of an account"


def test_another_reader_finds_each_moment_by_the_zone_that_the_calendar_defines() -> None:
    """A year of a series, across both changes of the clocks: `vobject` knows only what is written of the zone."""
    series = weekly("2027-01-07", "20:30")
    series.campaign.name = "The Salt Road"
    first = datetime(2027, 1, 1, tzinfo=UTC)
    year = list(between(series, first, first + timedelta(weeks=52)))
    with patch("schedule.calendars.versions", lambda dates: {date.pk: Version(3, first) for date in dates}):
        text = calendar(year, "Dates", lambda date: f"https://example.org/{date.pk}").decode()
    read_events = {event.uid.value: event for event in vobject.readOne(text).vevent_list}
    assert len(read_events) == len(year) == 52
    for date in year:
        event = read_events[f"{date.pk}@ledger-and-lantern"]
        assert (event.dtstart.value, event.dtend.value) == (date.starts, date.ends)
        assert (event.sequence.value, event.status.value, event.summary.value) == ("3", "CONFIRMED", "The Salt Road")
        assert event.valarm.trigger.value == timedelta(hours=-1)
    assert {date.starts.hour for date in year} == {18, 19}
