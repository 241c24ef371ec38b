"""Saying what one wants to be told: nothing comes before, a link confirms the address, one click stops it."""
from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core import mail
from django.core.mail.backends.locmem import EmailBackend
from django.test import Client
from django.urls import reverse

from accounts.models import User
from accounts.services import empty
from jobs.queue import Job
from news.models import Mailbox, Pace, Subscription
from play.models import Session
from play.services import sessions
from tests.conftest import logged_in
from tests.html_forms import Page
from tests.news.conftest import work

pytestmark = pytest.mark.django_db

Minutes = Callable[[int], list[Any]]


def settings(campaign: Any) -> str:
    return reverse("mail_settings", args=[campaign.slug])


def choose(browser: Client, campaign: Any, **values: Any) -> Any:
    """Opens the page, and sends its form as it comes but for these."""
    return Page(browser.get(settings(campaign))).form(button="Save the mail settings").send(browser, **values)


def recap(campaign: Any, member: Any, text: str) -> None:
    session = Session.objects.get()
    sessions.write_recap(campaign=campaign, actor=member, op_id=uuid.uuid4(), session_id=session.pk, title="The ferry",
                         recap=text, seen=10**6)


def link(letter: Any, name: str) -> str:
    """The address of a kind in a mail, as a path."""
    match = re.search(rf"http://localhost:8000(/mail/{name}/\S+)", letter.body)
    assert match
    return match[1]


def test_nothing_comes_before_the_address_is_confirmed_by_a_press(
    as_bob: Client, anonymous: Client, campaign: Any, alices: Any, scene: Any, minutes: Minutes,
) -> None:
    assert choose(as_bob, campaign, pace="at_once").status_code == 302
    recap(campaign, alices, "By water.")
    [letter] = minutes(5)
    assert letter.subject == "Confirm your e-mail address" and "The Salt Road" not in letter.body
    assert "Mail starts once you confirm bob@example.org" in as_bob.get(reverse("mail")).content.decode()
    there = link(letter, "confirm")
    assert b"Is bob@example.org yours?" in anonymous.get(there).content
    recap(campaign, alices, "By land.")
    assert not minutes(5)  # looking is no press
    assert b"Address confirmed" in anonymous.post(there).content
    recap(campaign, alices, "By air.")
    [letter] = minutes(5)
    assert "By air." in letter.body


def test_whoever_has_no_address_is_asked_for_it_with_the_password(campaign: Any, bobs: Any, minutes: Minutes) -> None:
    User.objects.filter(pk=bobs.user_id).update(email="")
    bob = logged_in(User.objects.get(pk=bobs.user_id))
    refused = choose(bob, campaign, pace="daily")
    assert refused.status_code == 422 and "Fill it in to get mail." in refused.content.decode()
    refused = choose(bob, campaign, pace="daily", email="new@example.org", password="guessed")
    assert refused.status_code == 422 and 'value="new@example.org"' in refused.content.decode()
    assert choose(bob, campaign, pace="daily", email="new@example.org", password="a long password").status_code == 302
    [letter] = minutes(5)
    assert letter.to == ["new@example.org"]


def test_one_click_in_the_mail_program_stops_it(
    campaign: Any, alices: Any, bobs: Any, scene: Any, bob_wants: Any, minutes: Minutes,
) -> None:
    bob_wants()
    recap(campaign, alices, "By water.")
    [letter] = minutes(5)
    headers = letter.message()
    assert headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    there = headers["List-Unsubscribe"].strip("<>").removeprefix("http://localhost:8000")
    program = Client(enforce_csrf_checks=True)
    assert b"news of The Salt Road" in program.get(there).content
    assert Subscription.objects.get().pace == Pace.AT_ONCE  # looking stops nothing
    assert program.post(there, {"List-Unsubscribe": "One-Click"}).status_code == 200
    assert Subscription.objects.get().pace == Pace.NEVER
    assert b"This link is not complete" in program.get(there[:-3] + "/").content
    recap(campaign, alices, "By land.")
    assert not minutes(5)


def test_once_a_day_is_one_mail_for_all_campaigns_in_the_morning_of_its_reader(
    campaign: Any, alices: Any, bobs: Any, alice: Any, scene: Any, bob_wants: Any, minutes: Minutes,
) -> None:
    from campaigns.services.founding import found
    from tests.conftest import join

    other = found(user=alice, op_id=uuid.uuid4(), name="The Ferry", system="pdq")
    member = join(other, bobs.user, "player")
    bob_wants(Pace.DAILY)
    Subscription.objects.create(campaign=other, member=member, pace=Pace.DAILY, told_seq=other.head_seq)
    recap(campaign, alices, "By water.")
    gm = other.members.get(user=alice)
    sessions.open_session(campaign=other, actor=gm, op_id=uuid.uuid4())
    sessions.write_recap(campaign=other, actor=gm, op_id=uuid.uuid4(), title="Two", recap="By air.", seen=10**6,
                         session_id=Session.objects.get(campaign=other).pk)
    work()
    User.objects.filter(pk=bobs.user_id).update(time_zone="Asia/Tokyo")
    [job] = Job.objects.all()
    assert job.run_after.strftime("%H:%M") == "08:00"
    [letter] = minutes(60 * 24)
    assert letter.subject == "News of 2 campaigns"
    assert "By water." in letter.body and "By air." in letter.body
    assert not minutes(60 * 24)


def test_a_refused_address_is_counted_said_and_given_up(
    as_bob: Client, campaign: Any, alices: Any, bobs: Any, scene: Any, bob_wants: Any, minutes: Minutes,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bob_wants()
    tried = []

    def refuse(self: Any, messages: Any) -> int:
        tried.append(messages)
        raise SMTPRecipientsRefused({"bob@example.org": (550, b"no such user")})

    with monkeypatch.context() as refused:
        refused.setattr(EmailBackend, "send_messages", refuse)
        for number in range(5):
            recap(campaign, alices, f"By water, {number}.")
            minutes(5)
            if number == 1:
                page = as_bob.get(reverse("mail")).content.decode()
                assert "2 mails to bob@example.org were refused or came back. Check" in page
    assert len(tried) == 3 and not Job.objects.exists()
    said = as_bob.get(reverse("mail")).content.decode()
    assert "3 mails to bob@example.org were refused or came back, so none are sent now" in said
    assert as_bob.post(reverse("mail_link")).status_code == 302
    [letter] = minutes(5)
    as_bob.post(link(letter, "confirm"))
    assert Mailbox.objects.get().failures == 0


def test_what_fails_for_a_while_is_sent_later_with_the_same_message_id(
    campaign: Any, alices: Any, bobs: Any, scene: Any, bob_wants: Any, monkeypatch: pytest.MonkeyPatch,
) -> None:
    bob_wants()
    recap(campaign, alices, "By water.")
    work()
    tried = []

    def fail(self: Any, messages: Any) -> int:
        tried.extend(messages)
        raise ConnectionError("no mail server")

    with monkeypatch.context() as failing:
        failing.setattr(EmailBackend, "send_messages", fail)
        work(timedelta(minutes=4))
        work(timedelta(minutes=2))
    [letter] = work(timedelta(minutes=4))
    ids = {sent.message()["Message-ID"] for sent in (*tried, letter)}
    assert len(tried) == 2 and len(ids) == 1
    assert mail.outbox == [letter]


def test_what_somebody_wants_is_their_own_and_goes_with_their_account(
    as_bob: Client, as_alice: Client, as_charlie: Client, campaign: Any, bobs: Any, bob_wants: Any,
) -> None:
    bob_wants()
    assert as_charlie.get(settings(campaign)).status_code == 404
    as_alice.post(reverse("view_as", args=[campaign.slug, bobs.pk]))
    assert "When a player asks you" in as_alice.get(settings(campaign)).content.decode()  # Alice's own page
    empty(user=bobs.user)
    assert not Subscription.objects.exists() and not Mailbox.objects.exists()
