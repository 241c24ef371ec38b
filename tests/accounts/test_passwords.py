"""Changing the password, and setting a new one by mail."""
from __future__ import annotations

import re

import pytest
from django.core import mail

from tests.accounts.test_log_in import fail, log_in

NEW = {"new_password1": "quiet lanterns", "new_password2": "quiet lanterns"}


def test_change(as_alice, alice, anonymous):
    answer = as_alice.post("/account/password/", {"old_password": "a long password", **NEW})
    assert answer["location"] == "/account/"
    assert "The new password counts" in as_alice.get("/account/").content.decode()
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


def test_guessing_the_old_one_locks_as_log_in_does(as_alice, alice, anonymous):
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
    assert "This link is spent" in anonymous.get(link).content.decode()


def test_reset_refused(anonymous, alice):
    form = anonymous.get(link_from(anonymous))["location"]
    answer = anonymous.post(form, {**NEW, "new_password2": "other"})
    assert answer.status_code == 422
    assert "The two passwords differ" in answer.content.decode()


def test_reset_opens_the_lock(anonymous, alice):
    fail(anonymous, 5)
    link = link_from(anonymous)
    anonymous.post(anonymous.get(link)["location"], NEW)
    assert log_in(anonymous, password="quiet lanterns").status_code == 302


def test_reset_tells_nobody_whether_an_address_is_known(anonymous, alice):
    assert link_from(anonymous, "nobody@example.org") is None
    assert anonymous.post("/password/", {"email": "nonsense"}).status_code == 422


@pytest.mark.parametrize("link", ["/password/x/y/", "/password/MQ/set-password/", "/password/%00/y/"])
def test_a_forged_link_is_spent(anonymous, alice, link):
    assert "This link is spent" in anonymous.get(link).content.decode()
