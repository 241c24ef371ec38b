"""Logging in and out, and the lock on guessing."""
from __future__ import annotations

from datetime import timedelta

import pytest
from axes.models import AccessAttempt, AccessFailureLog
from django.test import Client
from django.utils import timezone


def log_in(client, name="Alice", password="a long password", **more):
    return client.post("/log-in/", {"username": name, "password": password, **more})


def fail(client, times, name="Alice", **more):
    for _ in range(times):
        answer = log_in(client, name, "wrong", **more)
    return answer


def pass_time(**ago):
    """As if all that happened so far had happened earlier."""
    for model in (AccessAttempt, AccessFailureLog):
        for row in model.objects.all():
            model.objects.filter(pk=row.pk).update(attempt_time=row.attempt_time - timedelta(**ago))


@pytest.mark.parametrize("name", ["Alice", "alice", " ALICE "])
def test_by_the_name_however_spelt(anonymous, alice, name):
    assert log_in(anonymous, name)["location"] == "/"
    assert anonymous.get("/account/").status_code == 200


def test_goes_on_to_where_one_came_from_and_nowhere_else(anonymous, alice):
    assert log_in(anonymous, next="/join/abc/")["location"] == "/join/abc/"
    assert log_in(Client(), next="https://evil.example/")["location"] == "/"
    assert anonymous.get("/log-in/?next=/join/abc/")["location"] == "/join/abc/"


@pytest.mark.parametrize(
    ("name", "password"),
    [("Alice", "wrong"), ("Nobody", "a long password"), ("", ""), ("Al\0ice", "x"), ("🎲" * 500, "x"), ("Alice", "\0")],
)
def test_refuses_with_a_sentence(anonymous, alice, name, password):
    answer = log_in(anonymous, name, password)
    assert answer.status_code == 422
    assert 'class="error"' in answer.content.decode()


def test_keeps_the_name_that_was_typed(anonymous, alice):
    assert 'value="Alice"' in log_in(anonymous, password="wrong").content.decode()


def test_locks_after_five_and_says_until_when(anonymous, alice):
    assert fail(anonymous, 4).status_code == 422
    answer = fail(anonymous, 1)
    assert answer.status_code == 429
    assert "You can try again in 5 minutes." in answer.content.decode()
    assert log_in(anonymous).status_code == 429
    assert log_in(Client()).status_code == 429


@pytest.mark.parametrize("name", ["ALICE", " alice", "\uff21lice"])
def test_another_spelling_is_the_same_lock(anonymous, alice, name):
    fail(anonymous, 3)
    fail(anonymous, 2, name)
    assert log_in(anonymous).status_code == 429


def test_another_browser_is_the_same_lock_and_another_address_is_not(anonymous, alice):
    fail(Client(HTTP_USER_AGENT="one"), 3)
    fail(Client(HTTP_USER_AGENT="two"), 2)
    assert log_in(anonymous).status_code == 429
    assert log_in(Client(REMOTE_ADDR="192.0.2.7")).status_code == 302


def test_others_are_not_locked(anonymous, alice, bob):
    fail(anonymous, 5)
    assert log_in(anonymous, "Bob").status_code == 302


def test_opens_after_five_minutes_and_later_locks_hold_longer(anonymous, alice, bob):
    for wait in (5, 15, 60, 60):
        assert fail(anonymous, 5).status_code == 429
        pass_time(minutes=wait - 1)
        assert log_in(anonymous).status_code == 429
        # Somebody else's failure forgets nothing of Alice's.
        fail(anonymous, 1, "Bob")
        assert log_in(anonymous).status_code == 429
        pass_time(minutes=1, seconds=1)
    assert log_in(anonymous).status_code == 302


def test_after_a_day_the_first_lock_is_short_again(anonymous, alice):
    fail(anonymous, 5)
    pass_time(hours=25)
    fail(anonymous, 5)
    pass_time(minutes=5, seconds=1)
    assert log_in(anonymous).status_code == 302


def test_trying_while_locked_does_not_lengthen_it(anonymous, alice):
    fail(anonymous, 5)
    pass_time(minutes=4)
    fail(anonymous, 3)
    pass_time(minutes=1, seconds=1)
    assert log_in(anonymous).status_code == 302


def test_keeps_no_password_of_those_who_failed(anonymous, alice):
    log_in(anonymous, password="nearly my password")
    assert "nearly" not in str(list(AccessAttempt.objects.values()))
    assert AccessAttempt.objects.get().attempt_time <= timezone.now()


def test_log_out_is_a_post(as_alice):
    assert as_alice.get("/log-out/").status_code == 405
    assert as_alice.post("/log-out/")["location"] == "/"
    assert as_alice.get("/account/").status_code == 302
