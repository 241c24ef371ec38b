"""A campaign's file that somebody made up: dates that no page could have written are refused in words."""
from __future__ import annotations

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest

from campaigns import trail
from campaigns.carrying.lines import BadFile
from campaigns.models import Campaign
from campaigns.services.founding import found
from schedule.models import Evening, Series
from tests.campaigns.test_carrying import brought, elsewhere

pytestmark = pytest.mark.django_db

WEEKLY = {"first_day": "2026-11-26", "at": "19:30", "every": 1, "zone": "Europe/Lisbon", "minutes": 180}
DATE = {"starts": datetime(2026, 11, 26, 19, 30, tzinfo=UTC), "minutes": 180, "zone": "Europe/Lisbon"}


def file_with(alice: Any, row: Any) -> bytes:
    """The file of a campaign that has this row, its Ledger sound: whoever writes a file can make one."""
    def make() -> Any:
        campaign = found(user=alice, op_id=uuid.uuid4(), name="The Salt Road", system="pdq")
        row.campaign = campaign
        with trail.entry(campaign=campaign, actor=campaign.members.get(), op_id=uuid.uuid4(), kind="date.series",
                         title="A series") as entry:
            entry.create(row)
        campaign.refresh_from_db()
        return campaign

    return elsewhere(make)


@pytest.mark.parametrize(("wrong", "words"), [
    ({"every": 0}, "A series of dates in it repeats every 0 weeks."),
    ({"every": 5000}, "repeats every 5000 weeks"),
    ({"first_day": "9999-12-30"}, "A date in it is in the year 9999."),
    ({"zone": "Nowhere/None"}, "a time zone that this server does not know"),
    ({"first_day": "tomorrow"}, "does not have the shape"),
    ({"at": "late"}, "does not have the shape"),
])
def test_a_series_that_no_page_could_have_written_is_refused_in_words(
    alice: Any, wrong: dict[str, Any], words: str
) -> None:
    file = file_with(alice, Series(**{**WEEKLY, **wrong}))
    with pytest.raises(BadFile) as refused:
        brought(file, alice)
    assert words in refused.value.sentence
    assert not Campaign.objects.exists() and not Series.objects.exists()


@pytest.mark.parametrize(("wrong", "words"), [
    ({"zone": ""}, "a time zone that this server does not know"),
    ({"starts": datetime(9999, 12, 31, 23, 59, tzinfo=UTC)}, "in the year 9999"),
])
def test_a_date_that_no_page_could_have_written_is_refused_in_words(
    alice: Any, wrong: dict[str, Any], words: str
) -> None:
    file = file_with(alice, Evening(**{**DATE, **wrong}))
    with pytest.raises(BadFile) as refused:
        brought(file, alice)
    assert words in refused.value.sentence and not Evening.objects.exists()


def test_one_that_a_page_could_have_written_comes_in(alice: Any, as_alice: Any) -> None:
    brought(file_with(alice, Series(**WEEKLY)), alice)
    assert Series.objects.get().every == 1
    assert as_alice.get("/").status_code == 200
