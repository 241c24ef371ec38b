"""Series keep the wall clock's time in the zone of whoever made them, across both changes of the clocks."""
from __future__ import annotations

import uuid
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.zones import NoSuchTime, comes_twice, instant
from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from schedule.models import Answer, Evening, Series, State
from schedule.queries import upcoming
from schedule.series import between
from schedule.words import clock
from tests import laid
from tests.html_forms import Page
from tests.schedule.test_dates import at, says

BERLIN = ZoneInfo("Europe/Berlin")


def weekly(first: str, wall: str, every: int = 1, zone: str = "Europe/Berlin") -> Series:
    from campaigns.models import Campaign

    return Series(campaign=Campaign(), first_day=first, at=wall, every=every, zone=zone, minutes=180)


def starts(series: Series, after: str, weeks: int = 5) -> list[datetime]:
    day = datetime.fromisoformat(after).replace(tzinfo=UTC)
    return [evening.starts for evening in between(series, day, day + timedelta(weeks=weeks))]


@pytest.mark.parametrize(("first", "offsets"), [("2027-03-18", [1, 1, 2, 2]), ("2027-10-21", [2, 2, 1, 1])])
def test_a_series_keeps_its_time_across_the_change(first: str, offsets: list[int]) -> None:
    moments = starts(weekly(first, "20:30"), first, 4)
    assert {f"{moment.astimezone(BERLIN):%a %H:%M}" for moment in moments} == {"Thu 20:30"}
    assert [20.5 - (moment.hour + moment.minute / 60) for moment in moments] == offsets


def test_a_time_that_is_skipped_or_comes_twice() -> None:
    # In Berlin the night to 28 March 2027 has no 02:30, that to 31 October has two.
    nights = starts(weekly("2027-03-21", "02:30"), "2027-03-20", 3)
    assert [f"{night.astimezone(BERLIN):%d %H:%M}" for night in nights] == ["21 02:30", "28 03:30", "04 02:30"]
    with pytest.raises(NoSuchTime, match="clocks in Berlin go forward"):
        instant(datetime(2027, 3, 28, 2, 30), "Europe/Berlin")
    night = datetime(2027, 10, 31, 2, 30)
    assert comes_twice(night, "Europe/Berlin")
    assert instant(night, "Europe/Berlin") == datetime(2027, 10, 31, 0, 30, tzinfo=UTC), "the first of the two"
    assert clock(instant(night, "Europe/Berlin"), "Europe/Berlin") == "02:30 CEST"


def test_the_day_is_each_readers_own() -> None:
    late = instant(datetime(2027, 1, 7, 20, 30), "America/Vancouver")
    assert f"{late.astimezone(BERLIN):%a %d %H:%M}" == "Fri 08 05:30"
    series = weekly("2027-01-07", "20:30", 2, "America/Vancouver")
    assert starts(series, "2027-01-08", 4) == [late, late + timedelta(weeks=2)]


@pytest.mark.django_db
def test_one_evening_of_a_series_is_answered_and_another_called_off(
    campaign: Any, alices: Any, bobs: Any, as_alice: Client, as_bob: Client
) -> None:
    first = timezone.now() + timedelta(days=3)
    form = Page(as_alice.get(at(campaign, "dates_repeat"))).form(button="Make the series")
    assert form.send(as_alice, when=f"{first.date()}T20:00", every="2").status_code == 302
    assert not Evening.objects.exists(), "evenings follow from the series"
    now = timezone.now()
    one, two, three = upcoming(now, now + timedelta(weeks=6), [campaign.pk])[:3]
    assert two.starts - one.starts == timedelta(weeks=2)
    assert says(as_bob, reverse("home"), one, "Yes").status_code == 302
    assert says(as_bob, at(campaign, "dates"), two, "No").status_code == 302
    assert {answer.evening_id for answer in Answer.objects.all()} == {one.pk, two.pk}
    sure = Page(as_alice.get(at(campaign, "dates"))).form(action=f"{three.pk}/call-off/").send(as_alice)
    Page(sure).form(button="Call off the date").send(as_alice)
    assert [evening.pk for evening in upcoming(now, now + timedelta(weeks=6), [campaign.pk])] == [one.pk, two.pk]

    move = Page(as_alice.get(at(campaign, "date_move", two.pk))).form(action="/move/")
    away = (two.starts + timedelta(weeks=10, days=1)).date()
    assert move.send(as_alice, when=f"{away}T20:00").status_code == 302
    assert [evening.pk for evening in upcoming(now, now + timedelta(weeks=6), [campaign.pk])] == [one.pk]

    sure = Page(as_alice.get(at(campaign, "dates"))).form(action="/end/").send(as_alice)
    assert Page(sure).form(button="End the series").send(as_alice).status_code == 302
    assert not upcoming(now, now + timedelta(weeks=60))
    assert set(Evening.objects.values_list("state", flat=True)) == {State.CALLED_OFF}
    assert not list(differences(campaign.pk)) and uuid.UUID(str(one.pk))


@laid.fixture
def fixed(campaign: Any, alices: Any, bobs: Any, as_alice: Client, as_bob: Client) -> Evening:
    """A date that is set, to which Bob has answered."""
    form = Page(as_alice.get(at(campaign, "dates_propose"))).form(button="Ask everyone")
    without = next(button for button in form.buttons if "without" in button.words)
    form.send(as_alice, without, when_1=f"{(timezone.now() + timedelta(days=4)).date()}T20:00", place="At Alice’s")
    date = Evening.objects.get()
    assert says(as_bob, reverse("home"), date, "Yes").status_code == 302
    return date


@pytest.mark.django_db
def test_a_date_that_is_set_becomes_the_first_of_a_series(
    campaign: Any, fixed: Evening, as_alice: Client, as_bob: Client
) -> None:
    page = as_alice.get(at(campaign, "dates")).content.decode()
    address = at(campaign, "date_repeat", fixed.pk)
    assert address in page and address not in as_bob.get(at(campaign, "dates")).content.decode()
    form = Page(as_alice.get(address)).form(button="Make the series")
    assert form.send(as_alice, every="2").status_code == 302
    now = timezone.now()
    dates = upcoming(now, now + timedelta(weeks=6), [campaign.pk])
    zone = ZoneInfo(fixed.zone)
    assert [(date.starts.astimezone(zone).date() - fixed.starts.astimezone(zone).date()).days for date in dates] == [
        0, 14, 28]
    assert dates[0].pk == fixed.pk and {date.place for date in dates} == {"At Alice’s"}
    assert Answer.objects.get().evening_id == fixed.pk, "who answered need not answer again"
    page = as_alice.get(at(campaign, "dates")).content.decode()
    assert "Every second" in page and address not in page
    again = Page(as_alice.get(address)).form(button="Make the series").send(as_alice)
    assert "This date is part of a series already." in Page(again).errors
    assert not list(differences(campaign.pk))

    undone = Page(as_alice.get(at(campaign, "entry", Entry.objects.get(kind="date.series").seq)))
    assert undone.form(action="/undo/").send(as_alice).status_code == 302
    assert [evening.pk for evening in upcoming(now, now + timedelta(weeks=6), [campaign.pk])] == [fixed.pk]
    assert not list(differences(campaign.pk))


@pytest.mark.django_db
def test_what_is_called_off_is_no_series(campaign: Any, fixed: Evening, as_alice: Client) -> None:
    form = Page(as_alice.get(at(campaign, "date_repeat", fixed.pk))).form(button="Make the series")
    Evening.objects.update(state=State.CALLED_OFF)
    answer = form.send(as_alice)
    assert answer.status_code == 422 and "This date was called off already." in Page(answer).errors
    assert not Series.objects.exists()
