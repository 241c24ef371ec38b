"""Deleting one's account."""
from __future__ import annotations

import uuid

import pytest

from accounts.models import User
from campaigns.models import Entry, Member
from campaigns.services.founding import found
from tests.conftest import join, logged_in

URL = "/account/delete/"


@pytest.fixture
def filled(body):
    """What the page sends."""
    return lambda **more: body(**{"password": "a long password", **more})


def test_asks_to_log_in(anonymous):
    assert anonymous.get(URL)["location"] == f"/log-in/?next={URL}"


def test_leaves_every_table_and_wipes_the_rest(as_bob, bob, bobs, charlie, as_alice, campaign, filled, anonymous):
    other = join(found(user=charlie, op_id=uuid.uuid4(), name="Elsewhere", system="pdq"), bob, "observer")
    phone = logged_in(bob)
    assert as_bob.post(URL, filled())["location"] == "/"
    for browser in (as_bob, phone):
        assert browser.get("/account/").status_code == 302
    gone = User.objects.get(pk=bob.pk)
    assert gone.username == f"gone-{bob.pk.hex}"
    assert (gone.email, gone.is_active, gone.deleted_at is None) == ("", False, False)
    for seat in (bobs, other):
        seat.refresh_from_db()
        assert not seat.active
        entry = Entry.objects.filter(campaign=seat.campaign).order_by("-seq").first()
        assert (entry.kind, entry.actor_id) == ("member.leave", seat.pk)
    assert "Bob" not in as_alice.get("/c/the-salt-road/people/").content.decode()
    assert "Your account is deleted" in as_bob.get("/").content.decode()
    again = {"username": "Bob", "password1": "quiet lanterns", "password2": "quiet lanterns"}
    assert anonymous.post("/sign-up/", again).status_code == 302


def test_refused_while_others_play_in_ones_own(as_alice, alice, bobs, campaign, filled, entries):
    before = entries()
    page = as_alice.get(URL).content.decode()
    assert "Make someone else their owner first" in page
    assert "The Salt Road" in page
    answer = as_alice.post(URL, filled())
    assert answer.status_code == 422
    assert "Others play in The Salt Road. Make someone else its owner first." in answer.content.decode()
    alice.refresh_from_db()
    assert (alice.username, alice.is_active, entries()) == ("Alice", True, before)


def test_all_or_nothing(as_alice, alice, bobs, campaign, filled):
    """One campaign could be left, the other has to be handed over: neither is left."""
    for number in range(3):
        found(user=alice, op_id=uuid.uuid4(), name=f"Alone {number}", system="pdq")
    assert as_alice.post(URL, filled()).status_code == 422
    assert Member.objects.filter(user=alice, active=True).count() == 4


def test_ones_own_that_nobody_else_plays_in_stay(as_alice, alice, campaign, filled):
    assert "nobody will be able to open them" in as_alice.get(URL).content.decode()
    assert as_alice.post(URL, filled()).status_code == 302
    assert not Member.objects.filter(campaign=campaign, active=True).exists()
    campaign.refresh_from_db()


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"password": "wrong"}, "not your password"),
        ({"password": ""}, "Fill this in."),
        ({"op_id": ""}, "Reload the page"),
    ],
)
def test_refused_with_a_sentence(as_bob, bob, bobs, filled, entries, changes, sentence):
    before = entries()
    answer = as_bob.post(URL, filled(**changes))
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    bob.refresh_from_db()
    assert (bob.is_active, entries()) == (True, before)


def test_guessing_is_counted(as_bob, bobs, filled):
    for _ in range(4):
        assert as_bob.post(URL, filled(password="wrong")).status_code == 422
    assert as_bob.post(URL, filled(password="wrong")).status_code == 429
    assert as_bob.post(URL, filled()).status_code == 429
