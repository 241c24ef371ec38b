"""What goes wrong with dates is said in a sentence; nothing typed is lost, and everybody else’s evening stays."""
from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from campaigns.models import Entry
from news.services.choosing import confirm
from schedule.models import Answer, Evening, Series, State
from tests.conftest import join, person
from tests.html_forms import Page
from tests.news.conftest import minutes  # noqa: F401 - a fixture
from tests.schedule.test_calendars import events, feed_of, read
from tests.schedule.test_dates import at, lisbon, proposed, says, wall  # noqa: F401 - a fixture

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("lisbon")]


@pytest.fixture
def fixed(campaign: Any, bobs: Any, as_alice: Client, as_bob: Client) -> Evening:
    """A date that is set, to which Bob has answered."""
    (date,) = proposed(as_alice, campaign, 5)
    Page(as_alice.get(at(campaign, "dates"))).form(action=f"{date.pk}/fix/").send(as_alice)
    assert says(as_bob, reverse("home"), date, "Yes").status_code == 302
    return Evening.objects.get()


@pytest.mark.parametrize(("page", "button"), [("date_move", "Move the date"), ("dates_repeat", "Make the series")])
def test_a_time_in_the_past_is_refused_at_its_field(
    campaign: Any, fixed: Evening, as_alice: Client, page: str, button: str
) -> None:
    entries = Entry.objects.count()
    address = at(campaign, page, *([fixed.pk] if page == "date_move" else []))
    for typed, said in ((wall(-1), "This is in the past. Choose a later time."),
                        ("yesterday", "Give a day and a time, such as 2026-12-01 20:30.")):
        answer = Page(as_alice.get(address)).form(button=button).send(as_alice, when=typed, place="By the river")
        form = Page(answer).form(button=button)
        assert answer.status_code == 422 and form.controls["when"].refused and said in Page(answer).errors
        assert (form.controls["when"].opens, form.controls["place"].opens) == ([typed], ["By the river"])
    assert Entry.objects.count() == entries and Answer.objects.get().says == "yes"


def test_a_proposed_date_that_is_over_by_now_is_not_set(campaign: Any, bobs: Any, as_alice: Client) -> None:
    first, second = proposed(as_alice, campaign, 1, 3)
    form = Page(as_alice.get(at(campaign, "dates"))).form(action=f"{first.pk}/fix/")
    Evening.objects.filter(pk=first.pk).update(starts=timezone.now() - timedelta(minutes=1))
    answer = form.send(as_alice)
    assert answer.status_code == 422 and "This date is over. Choose a later one." in Page(answer).errors
    assert Evening.objects.get(pk=second.pk).state == State.PROPOSED


def test_a_zone_that_is_none_spoils_nobodys_page(
    campaign: Any, fixed: Evening, as_alice: Client, as_bob: Client, anonymous: Client
) -> None:
    form = Page(as_alice.get(at(campaign, "dates_repeat"))).form(button="Make the series")
    assert form.send(as_alice, when=wall(9)).status_code == 302
    calendar = feed_of(as_bob)
    for table in (Evening, Series):  # as a file from elsewhere may bring it
        table.objects.update(zone="Europe/Atlantis")
    for page in (reverse("home"), at(campaign, "dates"), at(campaign, "table"), at(campaign, "date", fixed.pk)):
        for browser in (as_alice, as_bob):
            assert browser.get(page).status_code == 200
    assert len(events(read(anonymous.get(calendar).content))) > 3
    assert says(as_bob, at(campaign, "dates"), fixed, "No").status_code == 302


def test_an_address_that_was_renewed_says_so_and_others_stay_as_they_are(
    fixed: Evening, as_alice: Client, as_bob: Client, anonymous: Client
) -> None:
    alices, old = feed_of(as_alice), feed_of(as_bob)
    before = anonymous.get(alices).content
    new = feed_of(as_bob)
    answer = anonymous.get(old)
    assert answer.status_code == 410 and answer["Content-Type"].startswith("text/plain")
    assert answer.content.decode().startswith("This calendar address was renewed on ")
    assert anonymous.get(alices).content == before and events(read(anonymous.get(new).content))


def test_a_mail_that_is_refused_is_said_to_its_reader_and_everybody_else_gets_theirs(
    campaign: Any, bobs: Any, as_alice: Client, as_bob: Client, minutes: Callable[[int], list[Any]],  # noqa: F811
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    otto = join(campaign, person("Otto"), "player")
    for member in (bobs, otto):
        confirm(user=member.user)
    sends = EmailBackend.send_messages

    def some(self: Any, messages: Any) -> Any:
        if messages[0].to == ["bob@example.org"]:
            raise SMTPRecipientsRefused({"bob@example.org": (550, b"no such user")})
        return sends(self, messages)

    monkeypatch.setattr(EmailBackend, "send_messages", some)
    (date,) = proposed(as_alice, campaign, 5)
    assert [letter.to for letter in minutes(5)] == [["otto@example.org"]]
    assert "1 mail to bob@example.org was refused or came back. Check that it is right." in as_bob.get(
        reverse("mail")).content.decode()
    assert says(as_bob, reverse("home"), date, "Yes").status_code == 302, "what the mail asked stands on Home"
