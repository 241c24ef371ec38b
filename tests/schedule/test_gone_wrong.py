"""What goes wrong with dates is said in a sentence; nothing typed is lost, and everybody else’s evening stays."""
from __future__ import annotations

import uuid
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
from schedule.services import evenings, repeating
from tests import laid
from tests.conftest import join, person, refusal
from tests.html_forms import Page
from tests.news.conftest import minutes  # noqa: F401 - a fixture
from tests.schedule.test_calendars import events, feed_of, read
from tests.schedule.test_dates import at, lisbon, proposed, says, wall  # noqa: F401 - a fixture

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("lisbon")]


@laid.fixture
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
                        ("yesterday", "Enter a day and a time, such as 2026-12-01 20:30.")):
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


@pytest.mark.parametrize(("typed", "button", "field", "said"), [
    ({"when_1": -1}, "", "when_1", "This is in the past. Choose a later time."),
    ({"when_1": 3, "when_2": 3}, "", "when_2", "This date is there already. Choose another one."),
    ({"when_1": 3, "when_2": 4}, "fixed", "when_2",
     "Only one date can be set at once. Remove the others, or ask for them."),
])
def test_what_can_t_be_proposed_is_refused_at_its_field(
    campaign: Any, as_alice: Client, typed: dict[str, int], button: str, field: str, said: str
) -> None:
    form = Page(as_alice.get(at(campaign, "dates_propose"))).form(button="Ask everyone")
    pressed = next(known_button for known_button in form.buttons if known_button.attributes.get("name", "") == button)
    answer = form.send(as_alice, pressed, **{name: wall(day) for name, day in typed.items()})
    kept = Page(answer).form(button="Ask everyone").controls
    assert answer.status_code == 422 and Page(answer).errors == [said] and kept[field].refused
    assert kept[field].opens == [wall(typed[field])] and not Evening.objects.exists()


@pytest.mark.parametrize(("before", "meanwhile", "button", "said"), [
    (State.PROPOSED, {"state": State.FIXED}, "fix", "This date is set already."),
    (State.PROPOSED, {"state": State.PASSED_OVER}, "fix", "This date is no longer proposed. Propose it again first."),
    (State.PROPOSED, {"state": State.PASSED_OVER}, "take-back", "This date is no longer proposed."),
    (State.FIXED, {"state": State.PROPOSED}, "move", "This date isn’t set. Set it first, or take it back."),
    (State.FIXED, {"starts": -2}, "move", "This date is over."),
    (State.FIXED, {"starts": -2}, "", "This date is over. It can’t be answered any longer."),
])
def test_a_date_that_is_another_by_the_press(
    campaign: Any, bobs: Any, as_alice: Client, before: State, meanwhile: dict[str, Any], button: str, said: str
) -> None:
    date = proposed(as_alice, campaign, 5)[0]
    Evening.objects.update(state=before)
    address = at(campaign, "date_move", date.pk) if button == "move" else at(campaign, "dates")
    form = Page(as_alice.get(address)).form(action=f"{date.pk}/{button}/" if button else f"/{date.pk}/")
    entries = Entry.objects.count()
    if "starts" in meanwhile:
        meanwhile = {"starts": timezone.now() + timedelta(days=meanwhile["starts"])}
    Evening.objects.update(**meanwhile)
    answer = form.send(as_alice, form.buttons[0])
    assert answer.status_code == 422 and said in Page(answer).errors
    assert Entry.objects.count() == entries


def test_a_date_is_not_moved_to_where_another_is(campaign: Any, fixed: Evening, alices: Any, as_alice: Client) -> None:
    other = proposed(as_alice, campaign, 6)[0]
    Evening.objects.filter(pk=other.pk).update(state=State.FIXED)
    answer = Page(as_alice.get(at(campaign, "date_move", fixed.pk))).form(button="Move the date").send(
        as_alice, when=wall(6))
    assert answer.status_code == 422 and Page(answer).form(button="Move the date").controls["when"].refused
    assert Page(answer).errors == ["This date is there already. Choose another one."]
    assert refusal(evenings.answer, campaign=campaign, actor=alices, evening_id=uuid.uuid4(), says="yes") == (
        "", "This date no longer exists. Reload the page.")


def test_a_series_too_many_and_one_that_has_ended(
    campaign: Any, as_alice: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(repeating, "MOST_SERIES", 1)
    for status in (302, 422):
        form = Page(as_alice.get(at(campaign, "dates_repeat"))).form(button="Make the series")
        answer = form.send(as_alice, when=wall(3))
        assert answer.status_code == status
    assert Page(answer).errors == ["A campaign has at most 1 series. End one of them first."]
    ends = at(campaign, "dates_series_end", Series.objects.get().pk)
    sure = [Page(as_alice.post(ends)).form(button="End the series") for _ in range(2)]
    assert [form.send(as_alice).status_code for form in sure] == [302, 422]
    late = Page(as_alice.post(ends)).form(button="End the series").send(as_alice)
    assert Page(late).errors == ["This series has ended already."]
