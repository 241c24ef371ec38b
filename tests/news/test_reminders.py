"""Reminders go out as long before a date as the campaign says, once, and never for what isn't played any more."""
from __future__ import annotations

import uuid
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from campaigns.services.setting import last_change
from jobs.queue import Job
from news.models import Subscription
from news.services import mailing
from news.services.choosing import confirm
from news.work import remind_all
from play.models import Session
from play.services import asked_rolls, sessions
from schedule.models import Evening
from schedule.services import evenings, proposing
from tests.html_forms import Page
from tests.news.conftest import work
from tests.play.conftest import trait
from tests.play.test_conflict import act, begin
from tests.test_canary import difficulty

pytestmark = pytest.mark.django_db

At = Callable[[datetime], list[Any]]
DAY, HOUR = timedelta(days=1), timedelta(hours=1)


@pytest.fixture
def at(bobs: Any, monkeypatch: pytest.MonkeyPatch) -> At:
    """The worker does what is ready at a moment, and again a minute later; answers Bob’s reminders."""
    confirm(user=bobs.user)

    def works(moment: datetime) -> list[Any]:
        sent: list[Any] = []
        for now in (moment, moment + timedelta(minutes=1)):
            monkeypatch.setattr(timezone, "now", lambda now=now: now)
            sent += work()
        return [mail for mail in sent if mail.subject.startswith("Reminder: ") and mail.to == ["bob@example.org"]]

    return works


def by(campaign: Any, actor: Any) -> dict[str, Any]:
    return {"campaign": campaign, "actor": actor, "op_id": uuid.uuid4()}


@pytest.fixture
def starts() -> datetime:
    return (timezone.now() + timedelta(days=9)).astimezone(UTC).replace(hour=19, minute=30, second=0, microsecond=0)


@pytest.fixture
def evening(campaign: Any, alices: Any, starts: datetime) -> Evening:
    """A date that is set for the week after next."""
    proposing.propose(**by(campaign, alices), minutes=180, zone="UTC", fixed=True, place="At Bob’s",
                      wanted=[proposing.Wanted(starts, "when_1")])
    return Evening.objects.get()


def test_a_reminder_says_in_the_readers_time_who_comes_and_what_waits(
    campaign: Any, alices: Any, bobs: Any, scene: Any, ilse: Any, evening: Evening, starts: datetime, at: At,
) -> None:
    User.objects.filter(pk=bobs.user_id).update(time_zone="Asia/Tokyo")
    evenings.answer(**by(campaign, alices), evening_id=evening.pk, says="yes")
    sessions.write_recap(**by(campaign, alices), session_id=Session.objects.get().pk, title="The ferry",
                         recap="By water. " + "On and on. " * 99, seen=10**6)
    asked_rolls.ask(**by(campaign, alices), characters=[ilse.pk], what="Cross the ford",
                    values=difficulty(campaign, 0), sealed=True)
    assert not at(starts - DAY - HOUR)
    [letter] = at(starts - DAY)
    html = letter.alternatives[0].content
    assert letter.subject.endswith(" 04:30–07:30") and "Times are those of Tokyo." in letter.body
    for text in (letter.body, html):
        assert "At Bob’s" in text and "Coming: Alice" in text and "No answer yet: Bob" in text
        assert "The recap of The ferry" in text and "By water. On and on." in text and len(text) < 3000
        assert "Cross the ford" in text and f"/dates/{evening.pk}/?says=yes" in text
    assert letter.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert not at(starts - DAY + HOUR)


def test_a_reminder_tells_of_a_contest_that_waits_and_of_growth_that_can_be_bought(
    as_alice: Client, campaign: Any, alices: Any, scene: Any, ilse: Any, marrow: Any, evening: Evening,
    starts: datetime, at: At,
) -> None:
    assert begin(as_alice, campaign).status_code == 302
    act(as_alice, marrow, "attack", targets=[str(ilse.pk)], qualities=[str(trait(marrow, "Club").pk)])
    award = Page(as_alice.get(f"/c/{campaign.slug}/characters/{ilse.pk}/award/")).form(action="/award/")
    assert award.send(as_alice, amount="9", reason="The ferry").status_code == 302
    [letter] = at(starts - DAY)
    for text in (letter.body, letter.alternatives[0].content):
        assert "Knives at the well" in text and f"/characters/{ilse.pk}/grow/" in text
        assert "Ilse can buy growth" in text


def test_a_date_that_is_moved_or_called_off_reminds_of_nothing_wrong(
    campaign: Any, alices: Any, evening: Evening, starts: datetime, at: At,
) -> None:
    assert not at(starts - 3 * DAY)
    evenings.move(**by(campaign, alices), evening_id=evening.pk, starts=starts + 2 * DAY, minutes=180, zone="UTC")
    assert not at(starts - DAY)
    [letter] = at(starts + DAY)
    day = starts + 2 * DAY
    assert f"{day:%A} {day.day} {day:%B}" in letter.subject
    evenings.move(**by(campaign, alices), evening_id=evening.pk, starts=starts + 5 * DAY, minutes=180, zone="UTC")
    assert not at(starts + 3 * DAY)
    evenings.call_off(**by(campaign, alices), evening_id=evening.pk)
    assert not at(starts + 4 * DAY)


@pytest.mark.parametrize(("before", "mails"), [(HOUR, 1), (timedelta(), 0)])
def test_a_late_reminder_is_sent_before_the_session_and_not_after_it_began(
    evening: Evening, starts: datetime, at: At, before: timedelta, mails: int,
) -> None:
    Job.objects.all().delete()
    remind_all()  # as after an upgrade
    assert len(at(starts - before)) == mails


def test_a_worker_that_ends_before_it_notes_sends_the_same_mail_again(
    evening: Evening, bobs: Any, starts: datetime, at: At, monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert not at(starts - 2 * DAY)
    monkeypatch.setattr(timezone, "now", lambda: starts - DAY)
    with monkeypatch.context() as ending:
        ending.setattr(Subscription.objects, "update_or_create", lambda **_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            mailing.reminder(member_id=bobs.pk)
    for _ in range(2):
        mailing.reminder(member_id=bobs.pk)
    first, again = [letter for letter in mail.outbox if letter.subject.startswith("Reminder: ")]
    assert first.extra_headers["Message-ID"] == again.extra_headers["Message-ID"]


@pytest.mark.parametrize(("chosen", "before"), [("week", 7 * DAY), ("hour", HOUR), ("never", None)])
def test_the_campaigns_settings_say_how_long_before(
    campaign: Any, as_alice: Client, evening: Evening, starts: datetime, at: At, chosen: str, before: timedelta | None,
) -> None:
    page = reverse("campaign_settings", args=[campaign.slug])
    assert 'name="setting-reminders"' in as_alice.get(page).content.decode()
    known = {f"setting-{name}": value for name, value in campaign.settings.items() if value is not False}
    sent = {"op_id": str(uuid.uuid4()), "base": last_change(campaign), "name": campaign.name, "pitch": "", **known,
            "setting-reminders": chosen}
    assert as_alice.post(page, sent).status_code == 302
    if before is None:
        assert not at(starts - DAY) and not at(starts - HOUR)
    else:
        assert not at(starts - before - HOUR)
        assert len(at(starts - before)) == 1


def test_who_was_just_told_of_a_date_or_wants_no_mail_of_dates_is_not_reminded(
    campaign: Any, alices: Any, bobs: Any, evening: Evening, starts: datetime, at: At, monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: starts - 3 * HOUR)
    soon = starts + HOUR
    evenings.move(**by(campaign, alices), evening_id=evening.pk, starts=soon, minutes=180, zone="UTC")
    assert not at(soon - HOUR)
    evenings.move(**by(campaign, alices), evening_id=evening.pk, starts=soon + 7 * DAY, minutes=180, zone="UTC")
    Subscription.objects.update_or_create(member=bobs, defaults={"campaign": campaign, "dates": False})
    assert not at(soon + 6 * DAY)
