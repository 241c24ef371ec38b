"""A mail that comes back hours later is told by the mail server. Nobody can say so of another's mails."""
from __future__ import annotations

import io
import sys
import uuid
from collections.abc import Callable
from datetime import timedelta
from email.message import EmailMessage
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError
from django.test import Client
from django.urls import reverse

from accounts.models import User
from news.models import Mailbox
from news.services.choosing import confirm
from tests.conftest import join, logged_in, person
from tests.html_forms import Page
from tests.news.test_choosing import choose, link, recap

pytestmark = pytest.mark.django_db

Minutes = Callable[[int], list[Any]]
STOPPED = "3 mails to bob@example.org were refused or came back, so none are sent now."


def report(letter: Any, *, status: str = "5.1.1", action: str = "failed", to: str = "bob@example.org",
           message_id: str = "", whole: bool = True) -> bytes:
    """What a mail server writes about a letter that it could not deliver, as Postfix does."""
    name = message_id or letter.message()["Message-ID"]
    original = [f"Message-ID: {name}", "Subject: News", f"To: {letter.to[0]}", ""]
    kind = "message/rfc822" if whole else "text/rfc822-headers"
    return "\r\n".join([
        "From: MAILER-DAEMON@mail.example.net", "To: table@localhost", "Subject: Undelivered Mail Returned to Sender",
        "MIME-Version: 1.0", 'Content-Type: multipart/report; report-type=delivery-status; boundary="b"', "",
        "--b", "Content-Type: text/plain", "", "I'm sorry.", "",
        "--b", "Content-Type: message/delivery-status", "",
        "Reporting-MTA: dns; mail.example.net", "",
        f"Final-Recipient: rfc822; {to}", f"Action: {action}", f"Status: {status}",
        "Diagnostic-Code: smtp; 550 no such user", "",
        "--b", f"Content-Type: {kind}", "", *original, *(["Hello Bob,", ""] if whole else []), "--b--", "",
    ]).encode()


@pytest.fixture
def bounced(monkeypatch: pytest.MonkeyPatch) -> Callable[[bytes], str]:
    """Hands a mail to the command as a mail server's pipe does; answers what it says."""
    def hand_over(mail: bytes) -> str:
        said = io.StringIO()
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(mail)))
        call_command("bounced", stdout=said)
        return said.getvalue().strip()

    return hand_over


@pytest.fixture
def letters(campaign: Any, alices: Any, scene: Any, bob_wants: Any, minutes: Minutes) -> Callable[[], Any]:
    """Something is written, and the mail to Bob about it goes out; None where none does."""
    bob_wants()

    def write() -> Any:
        recap(campaign, alices, f"By water {uuid.uuid4()}.")
        return next(iter(minutes(5)), None)

    return write


def test_who_cannot_be_reached_gets_no_more_mail_reads_so_and_has_a_way_back(
    as_bob: Client, letters: Any, bounced: Any, minutes: Minutes,
) -> None:
    assert "came back" not in as_bob.get("/").content.decode()
    first = letters()
    assert bounced(report(first)) == "Noted."
    page = Page(as_bob.get("/"))
    assert [error.text for error in page.of_class("error")] == [
        "1 mail to bob@example.org was refused or came back. Check that it is right. Go to Mail"]
    for whole in (True, False):
        assert bounced(report(letters(), whole=whole)) == "Noted."
    for address in ("/", reverse("mail")):
        assert STOPPED in as_bob.get(address).content.decode()
    assert letters() is None
    Page(as_bob.get(reverse("mail"))).form(button="Send the link again").send(as_bob)
    [letter] = minutes(5)
    there = link(letter, "confirm")
    Page(as_bob.get(there)).form(button="Confirm address").send(as_bob)
    assert letters().to == ["bob@example.org"]
    assert "came back" not in as_bob.get("/").content.decode()


def test_a_mail_that_is_reported_twice_counts_once_and_is_forgotten_in_time(
    as_bob: Client, letters: Any, bounced: Any,
) -> None:
    letter = letters()
    for _ in range(4):
        assert bounced(report(letter)) == "Noted."
    assert Mailbox.objects.get().returned == 1
    assert "1 mail to" in as_bob.get(reverse("mail")).content.decode()
    box = Mailbox.objects.get()
    Mailbox.objects.update(returned=2, returned_at=(box.returned_at or pytest.fail("no time")) - timedelta(days=31))
    assert "Mail goes to bob@example.org." in as_bob.get(reverse("mail")).content.decode()
    bounced(report(letters()))
    assert Mailbox.objects.get().returned == 1


def test_a_server_that_still_tries_and_one_that_delivered_stop_nothing(letters: Any, bounced: Any) -> None:
    letter = letters()
    for action, status in (("delayed", "4.4.1"), ("delivered", "2.0.0"), ("failed", "4.2.2"), ("relayed", "2.1.9")):
        assert bounced(report(letter, action=action, status=status)) == "Nothing to note: the mail may still arrive."
    assert not Mailbox.objects.get().returned


def test_nobody_stops_the_mails_of_another(
    campaign: Any, alices: Any, letters: Any, bounced: Any, minutes: Minutes,
) -> None:
    letter = letters()
    forged = letter.message()["Message-ID"]
    for attempt in (
        report(letter, message_id="<0ad2f7c2@localhost>"), report(letter, message_id=f"{forged[:-20]}0@localhost>"),
        report(letter, message_id=forged.upper()),
    ):
        with pytest.raises(CommandError, match="This site sent no such mail to that address") as refused:
            bounced(attempt)
        assert refused.value.returncode == 65
    letter.to = ["alice@example.org"]  # Bob's own mail, passed off as one to Alice
    with pytest.raises(CommandError, match="no such mail"):
        bounced(report(letter, to="alice@example.org"))
    assert not Mailbox.objects.filter(returned__gt=0).exists()


def test_an_address_that_forwards_is_known_by_the_mail_itself(letters: Any, bounced: Any) -> None:
    assert bounced(report(letters(), to="somewhere.else@example.com")) == "Noted."
    assert Mailbox.objects.get().returned == 1


def test_others_go_on_getting_mail_and_a_new_address_begins_anew(
    as_bob: Client, campaign: Any, alices: Any, bobs: Any, letters: Any, bounced: Any, minutes: Minutes,
) -> None:
    mails = [letters() for _ in range(3)]
    for letter in mails:
        bounced(report(letter))
    otto = join(campaign, person("Otto"), "player")
    choose(logged_in(otto.user), campaign, pace="at_once")
    confirm(user=otto.user)
    minutes(5)
    assert letters().to == ["otto@example.org"]
    User.objects.filter(pk=bobs.user_id).update(email="bob@example.net")
    said = as_bob.get(reverse("mail")).content.decode()
    assert "Mail starts once you confirm bob@example.net" in said and "came back" not in said
    assert bounced(report(mails[0])) == "Nothing to note: nobody has this address now."


def test_a_link_that_comes_back_is_said(
    as_bob: Client, campaign: Any, bobs: Any, bounced: Any, minutes: Minutes,
) -> None:
    choose(as_bob, campaign, pace="at_once")
    [letter] = minutes(5)
    assert bounced(report(letter)) == "Noted."
    said = "The mail with a link to confirm bob@example.org came back. Check that it is right."
    assert said in as_bob.get("/").content.decode() and said in as_bob.get(reverse("mail")).content.decode()


def answer_of_a_person() -> bytes:
    mail = EmailMessage()
    mail["From"], mail["Subject"] = "otto@example.org", "Re: When can you play?"
    mail.set_content("Thursday!")
    return mail.as_bytes()


def within(many: int) -> bytes:
    """A report of reports of reports."""
    heads = "".join(f'Content-Type: multipart/report; boundary="b{number}"\n\n--b{number}\n' for number in range(many))
    return heads.encode()


@pytest.mark.parametrize("mail", [
    b"", b"\x00\xff" * 5000, answer_of_a_person(), within(3000),
    b"Content-Type: multipart/report; boundary=b\n\n--b\nContent-Type: message/delivery-status\n\n\n--b--\n",
    b"Content-Type: message/delivery-status\n\nAction: failed\nStatus: 5.1.1\n",
    b"Content-Type: multipart/report; boundary=b; charset*=x'y'%zz\n\n--b\nContent-Type: message/rfc822\n\n--b--",
    b"A: b\n" * 500_000,
])
def test_what_is_no_report_is_refused_in_a_sentence(db: None, bounced: Any, mail: bytes) -> None:
    with pytest.raises(CommandError, match=r"^[A-Z][^\n]+\.$") as refused:
        bounced(mail)
    assert refused.value.returncode == 65


def test_a_report_in_a_report_is_not_believed(letters: Any, bounced: Any) -> None:
    """Somebody forwards a report of another mail server: what is in their mail is theirs."""
    inner = report(letters())
    outer = (b"Content-Type: multipart/report; boundary=o\n\n--o\nContent-Type: message/rfc822\n\n"
             + inner + b"\n--o--\n")
    with pytest.raises(CommandError, match="no report"):
        bounced(outer)


def test_a_database_that_is_away_asks_the_mail_server_to_come_again(
    letters: Any, bounced: Any, monkeypatch: pytest.MonkeyPatch,
) -> None:
    letter = letters()

    def fail(**_: Any) -> int:
        raise DatabaseError("no connection")

    monkeypatch.setattr("news.management.commands.bounced.came_back", fail)
    with pytest.raises(CommandError, match="Try again later") as refused:
        bounced(report(letter))
    assert refused.value.returncode == 75
