"""Logging in and out, and what guessing costs."""
from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client

from accounts import guessing
from accounts.models import Tally


def log_in(client, name="Alice", password="a long password", **more):
    return client.post("/log-in/", {"username": name, "password": password, **more})


def fail(client, times, name="Alice", **more):
    for _ in range(times):
        answer = log_in(client, name, "wrong", **more)
    return answer


def pass_time(**ago):
    """As if all that happened so far had happened earlier."""
    for row in Tally.objects.all():
        row.since, row.last = row.since - timedelta(**ago), row.last - timedelta(**ago)
        row.save()


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


def test_after_five_wrong_ones_one_waits_and_is_told_how_long(anonymous, alice):
    assert fail(anonymous, 4).status_code == 422
    answer = fail(anonymous, 1)
    assert answer.status_code == 429
    assert "You can try again in 1 minute." in answer.content.decode()
    assert 'value="Alice"' in answer.content.decode()
    assert 0 < int(answer["Retry-After"]) <= 60
    assert log_in(anonymous).status_code == 429
    assert log_in(Client()).status_code == 429


@pytest.mark.parametrize("name", ["ALICE", " alice", "\uff21lice"])
def test_another_spelling_is_the_same_count(anonymous, alice, name):
    fail(anonymous, 3)
    fail(anonymous, 2, name)
    assert log_in(anonymous).status_code == 429


def test_another_browser_waits_too_and_another_address_does_not(anonymous, alice):
    fail(Client(HTTP_USER_AGENT="one"), 3)
    fail(Client(HTTP_USER_AGENT="two"), 2)
    assert log_in(anonymous).status_code == 429
    assert log_in(Client(REMOTE_ADDR="192.0.2.7")).status_code == 302


def test_a_name_that_nobody_has_is_counted_the_same(anonymous, alice):
    assert fail(anonymous, 5, "Nobody").status_code == 429


def test_others_at_the_same_address_are_not_kept_out(anonymous, alice, bob):
    fail(anonymous, 5)
    assert log_in(anonymous, "Bob").status_code == 302


def test_each_further_one_doubles_the_wait_up_to_an_hour(anonymous, alice, bob):
    fail(anonymous, 4)
    for wait in (1, 2, 4, 8, 16, 32, 60, 60):
        assert fail(anonymous, 1).status_code == 429
        pass_time(seconds=wait * 60 - 5)
        assert log_in(anonymous).status_code == 429
        pass_time(seconds=6)
    assert log_in(anonymous).status_code == 302
    assert fail(Client(), 4).status_code == 422  # and begins anew


def test_after_a_day_all_is_forgotten(anonymous, alice):
    fail(anonymous, 5)
    pass_time(hours=25)
    assert fail(anonymous, 4).status_code == 422
    assert log_in(anonymous).status_code == 302


def test_somebody_elses_wrong_ones_neither_end_nor_lengthen_it(anonymous, alice, bob):
    fail(anonymous, 5)
    pass_time(seconds=55)
    fail(anonymous, 1, "Bob")
    assert log_in(anonymous).status_code == 429
    pass_time(seconds=6)
    assert log_in(anonymous).status_code == 302


def test_trying_too_early_does_not_lengthen_the_wait(anonymous, alice):
    fail(anonymous, 5)
    pass_time(seconds=30)
    fail(anonymous, 3)
    pass_time(seconds=31)
    assert log_in(anonymous).status_code == 302


def test_many_names_from_one_address_are_counted_together(anonymous, alice):
    answers = [fail(anonymous, 1, f"Person{number}").status_code for number in range(20)]
    assert answers == [422] * 19 + [429]
    assert log_in(anonymous).status_code == 429
    assert log_in(Client(REMOTE_ADDR="192.0.2.7")).status_code == 302


def test_a_right_password_for_ones_own_name_buys_no_tries_for_others(anonymous, alice, bob):
    for number in range(19):
        fail(anonymous, 1, f"Person{number}")
        assert log_in(Client(), "Bob").status_code == 302
    assert fail(anonymous, 1, "Person").status_code == 429


def test_the_addresses_of_a_64_are_one_and_those_of_another_are_not(anonymous, alice):
    for number in range(5):
        answer = fail(Client(REMOTE_ADDR=f"2001:db8:1:2::{number + 1:x}"), 1)
    assert answer.status_code == 429
    assert log_in(Client(REMOTE_ADDR="2001:db8:1:2:ffff::1")).status_code == 429
    assert log_in(Client(REMOTE_ADDR="2001:db8:1:3::1")).status_code == 302


def test_a_name_tried_from_everywhere_has_fewer_free_tries_and_its_owner_is_never_kept_out(anonymous, alice):
    for number in range(guessing.ATTACK):
        fail(Client(REMOTE_ADDR=f"192.0.2.{number}"), 1)
    assert fail(Client(REMOTE_ADDR="198.51.100.1"), 1).status_code == 429
    assert log_in(Client(REMOTE_ADDR="198.51.100.2")).status_code == 302


def test_a_try_counts_before_it_is_looked_at(anonymous, alice, monkeypatch):
    """Eight at once: while the first is being looked at, the others are counted already."""
    looked_at = []

    def slow(request, username, password):
        if len(looked_at) < 8:
            looked_at.append(password)
            fail(Client(), 1)

    monkeypatch.setattr("accounts.guessing.authenticate", slow)
    fail(anonymous, 1)
    assert len(looked_at) == guessing.FREE


def test_keeps_no_password_no_name_and_no_address_of_those_who_failed(anonymous, alice):
    log_in(Client(REMOTE_ADDR="192.0.2.77"), password="nearly my password")
    kept = str(list(Tally.objects.values())).lower()
    assert Tally.objects.count() == 3
    assert not [word for word in ("nearly", "alice", "192.0.2.77") if word in kept]


def test_an_address_that_is_none_is_counted_too(alice):
    assert fail(Client(REMOTE_ADDR="nonsense"), 5).status_code == 429
    assert fail(Client(REMOTE_ADDR=""), 1).status_code == 429


def test_log_out_is_a_post(as_alice):
    assert as_alice.get("/log-out/")["Location"] == "/", "nothing is done by a link"
    assert as_alice.post("/log-out/")["location"] == "/"
    assert as_alice.get("/account/").status_code == 302
