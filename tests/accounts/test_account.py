"""One's own name and address."""
from __future__ import annotations

import pytest

from accounts.services import empty


def keep(client, **changes):
    return client.post("/account/", {"username": "Alice", "email": "alice@example.org", "password": "", **changes})


def test_asks_to_log_in(anonymous):
    assert anonymous.get("/account/")["location"] == "/log-in/?next=/account/"


def test_another_name(as_alice, alice):
    assert keep(as_alice, username="Alicia")["location"] == "/account/"
    alice.refresh_from_db()
    assert (alice.username, alice.name_key) == ("Alicia", "alicia")
    assert keep(as_alice, username="ALICIA").status_code == 302


def test_another_address_asks_for_the_password(as_alice, alice):
    answer = keep(as_alice, email="new@example.org")
    assert answer.status_code == 422
    assert "not your password" in answer.content.decode()
    assert 'value="new@example.org"' in answer.content.decode()
    assert keep(as_alice, email="new@example.org", password="a long password").status_code == 302
    alice.refresh_from_db()
    assert alice.email == "new@example.org"


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"username": "bob"}, "This name is taken"),
        ({"username": ""}, "Fill this in."),
        ({"username": "A B"}, "no spaces"),
    ],
)
def test_refused(as_alice, alice, bob, changes, sentence):
    answer = keep(as_alice, **changes)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    alice.refresh_from_db()
    assert alice.username == "Alice"
    assert ">Alice<" in answer.content.decode()  # the head of the page does not show the refused name


def test_an_emptied_account_is_gone(as_alice, alice, anonymous):
    empty(user=alice)
    alice.refresh_from_db()
    assert alice.username == f"gone-{alice.pk.hex}"
    assert (alice.email, alice.is_active, alice.shown_name) == ("", False, "someone who left")
    assert not alice.has_usable_password()
    assert as_alice.get("/account/").status_code == 302
    answer = anonymous.post("/log-in/", {"username": alice.username, "password": "a long password"})
    assert answer.status_code == 422
