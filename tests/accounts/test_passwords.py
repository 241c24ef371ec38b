"""Changing the password, and setting a new one by mail."""
from __future__ import annotations

import re

import pytest
from django.core import mail
from django.test import Client

from tests.accounts.test_log_in import fail, log_in, pass_time

NEW = {"new_password1": "quiet lanterns", "new_password2": "quiet lanterns"}


def test_change(as_alice, alice, anonymous):
    answer = as_alice.post("/account/password/", {"old_password": "a long password", **NEW})
    assert answer["location"] == "/account/"
    assert "Password changed" in as_alice.get("/account/").content.decode()
    assert log_in(anonymous, password="quiet lanterns").status_code == 302


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"old_password": "wrong"}, "not your password"),
        ({"old_password": ""}, "Fill this in."),
        ({"new_password2": "loud lanterns"}, "The two passwords differ"),
        ({"new_password1": "short", "new_password2": "short"}, "too short"),
    ],
)
def test_change_refused(as_alice, alice, changes, sentence):
    answer = as_alice.post("/account/password/", {"old_password": "a long password", **NEW, **changes})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    alice.refresh_from_db()
    assert alice.check_password("a long password")


def test_guessing_the_old_one_counts_as_log_in_does(as_alice, alice, anonymous):
    for _ in range(5):
        answer = as_alice.post("/account/password/", {"old_password": "wrong", **NEW})
    assert answer.status_code == 429
    assert log_in(anonymous).status_code == 429


def link_from(client, address="alice@example.org"):
    answer = client.post("/password/", {"email": address})
    assert answer["location"] == "/password/sent/"
    assert client.get("/password/sent/").status_code == 200
    return re.search(r"/password/[^/\s]+/[^/\s]+/", mail.outbox[0].body).group() if mail.outbox else None


def test_reset_by_mail_once(anonymous, alice):
    link = link_from(anonymous)
    assert mail.outbox[0].to == ["alice@example.org"]
    form = anonymous.get(link)["location"]
    assert anonymous.post(form, NEW)["location"] == "/log-in/"
    assert log_in(anonymous, password="quiet lanterns").status_code == 302
    assert "This link no longer works" in anonymous.get(link).content.decode()


def test_reset_refused(anonymous, alice):
    form = anonymous.get(link_from(anonymous))["location"]
    answer = anonymous.post(form, {**NEW, "new_password2": "other"})
    assert answer.status_code == 422
    assert "The two passwords differ" in answer.content.decode()


def test_reset_ends_the_wait(anonymous, alice):
    fail(anonymous, 5)
    link = link_from(anonymous)
    anonymous.post(anonymous.get(link)["location"], NEW)
    assert log_in(anonymous, password="quiet lanterns").status_code == 302


def test_reset_tells_nobody_whether_an_address_is_known(anonymous, alice):
    assert link_from(anonymous, "nobody@example.org") is None
    assert anonymous.post("/password/", {"email": "nonsense"}).status_code == 422


def ask(client, address="alice@example.org"):
    return client.post("/password/", {"email": address})


def test_an_account_gets_a_few_mails_an_hour_and_nobody_is_told(alice, bob):
    answers = [ask(Client(REMOTE_ADDR=f"192.0.2.{number}")) for number in range(6)]
    assert {answer["location"] for answer in answers} == {"/password/sent/"}
    assert len(mail.outbox) == 3
    ask(Client(), "bob@example.org")
    assert len(mail.outbox) == 4
    pass_time(minutes=61)
    ask(Client())
    assert len(mail.outbox) == 5


def test_an_address_asks_for_a_few_mails_an_hour_known_or_not(anonymous, alice):
    for number in range(6):
        assert ask(anonymous, f"nobody{number}@example.org").status_code == 302
    answer = ask(anonymous)
    assert answer.status_code == 429
    assert "Too many links were asked for from here. You can try again in 60 minutes." in answer.content.decode()
    assert ask(Client(REMOTE_ADDR="192.0.2.7")).status_code == 302
    assert len(mail.outbox) == 1
    pass_time(minutes=61)
    assert ask(anonymous).status_code == 302


@pytest.mark.parametrize("link", ["/password/x/y/", "/password/MQ/set-password/", "/password/%00/y/"])
def test_a_forged_link_is_spent(anonymous, alice, link):
    assert "This link no longer works" in anonymous.get(link).content.decode()
