"""Following a link."""
from __future__ import annotations

from datetime import timedelta
from types import SimpleNamespace

import pytest
from django.utils import timezone

from campaigns.invitations import OLDER
from campaigns.models import Invitation, Member, Role
from campaigns.services import inviting, members
from tests.conftest import refusal

TABLE = "/c/the-salt-road/"


def test_looking_says_what_it_is_and_uses_nothing_up(as_charlie, anonymous, make_link):
    token = make_link(most_uses=1)
    for client in (anonymous, as_charlie, as_charlie):
        answer = client.get(f"/join/{token}/")
        page = answer.content.decode()
        assert answer.status_code == 200
        for word in ("The Salt Road", "Alice", "a player"):
            assert word in page
    assert "<button>Join</button>" in page
    assert client.head(f"/join/{token}/").status_code == 200
    assert Invitation.objects.get().uses == 0


def test_a_stranger_signs_up_and_comes_back(anonymous, make_link):
    token = make_link()
    page = anonymous.get(f"/join/{token}/").content.decode()
    assert f"/sign-up/?next=%2Fjoin%2F{token}%2F" in page
    assert "<button>Join</button>" not in page
    new = {"username": "Eve", "password1": "quiet lanterns", "password2": "quiet lanterns", "next": f"/join/{token}/"}
    assert anonymous.post("/sign-up/", new)["location"] == f"/join/{token}/"
    assert "<button>Join</button>" in anonymous.get(f"/join/{token}/").content.decode()


def test_a_stranger_who_posts_logs_in_first(anonymous, make_link, body):
    token = make_link()
    assert anonymous.post(f"/join/{token}/", body())["location"] == f"/log-in/?next=/join/{token}/"
    assert Member.objects.count() == 1


def test_takes_the_seat(as_charlie, charlie, campaign, make_link, body, last):
    token = make_link(role=Role.OBSERVER)
    assert as_charlie.post(f"/join/{token}/", body())["location"] == TABLE
    seat = Member.objects.get(user=charlie)
    assert (seat.role, seat.active, seat.seen_seq > 0) == ("observer", True, True)
    assert Invitation.objects.get().uses == 1
    assert last() == ("member.join", "An observer joins", "all")
    assert as_charlie.get(TABLE + "people/").status_code == 200


def test_a_second_click_takes_one_seat(as_charlie, charlie, make_link, body, entries):
    token, twice = make_link(), body()
    before = entries()
    for _ in range(2):
        assert as_charlie.post(f"/join/{token}/", twice)["location"] == TABLE
    # The joining, and the dice of whoever joined.
    assert (Member.objects.filter(user=charlie).count(), entries()) == (1, before + 2)
    assert Invitation.objects.get().uses == 1


def test_who_sits_there_goes_to_the_table(as_bob, bobs, make_link, body):
    token = make_link(role=Role.OBSERVER)
    assert as_bob.get(f"/join/{token}/")["location"] == TABLE
    assert as_bob.post(f"/join/{token}/", body())["location"] == TABLE
    bobs.refresh_from_db()
    assert (bobs.role, Invitation.objects.get().uses) == ("player", 0)


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"uses": 1}, "has been used"),
        ({"expires": timezone.now() - timedelta(seconds=1)}, "has expired"),
        ({"revoked": True}, "was closed"),
    ],
)
def test_a_dead_link_says_why(as_charlie, charlie, make_link, body, entries, changes, sentence):
    token = make_link(most_uses=1)
    Invitation.objects.update(**changes)
    before = entries()
    for answer in (as_charlie.get(f"/join/{token}/"), as_charlie.post(f"/join/{token}/", body())):
        assert answer.status_code == 410
        assert sentence in answer.content.decode()
        assert "The Salt Road" not in answer.content.decode()
    assert not Member.objects.filter(user=charlie).exists()
    assert entries() == before


@pytest.mark.parametrize("token", ["x", "A" * 22, "A" * 5000, "%00", "🎲", "..%2f.."])
def test_a_forged_link(as_charlie, campaign, body, token):
    for answer in (as_charlie.get(f"/join/{token}/"), as_charlie.post(f"/join/{token}/", body())):
        assert answer.status_code == 404


def test_a_link_dies_with_the_right_of_who_made_it(as_charlie, campaign, alices, doras, make_link, body):
    token = make_link(actor=doras)
    assert as_charlie.get(f"/join/{token}/").status_code == 200
    members.change_role(campaign=campaign, actor=alices, op_id=body()["op_id"], member_id=doras.pk, role=Role.PLAYER)
    answer = as_charlie.post(f"/join/{token}/", body())
    assert answer.status_code == 410
    assert "may no longer invite" in answer.content.decode()


def remove(campaign, alices, seat, body):
    members.remove(campaign=campaign, actor=alices, op_id=body()["op_id"], member_id=seat.pk)


def test_who_was_removed_needs_a_newer_link(as_bob, bobs, campaign, alices, make_link, body, entries):
    old = make_link()
    remove(campaign, alices, bobs, body)
    before = entries()
    for answer in (as_bob.get(f"/join/{old}/"), as_bob.post(f"/join/{old}/", body())):
        assert answer.status_code == 410
        assert "You were removed" in answer.content.decode()
    assert entries() == before
    new = make_link(role=Role.OBSERVER)
    assert as_bob.post(f"/join/{new}/", body())["location"] == TABLE
    bobs.refresh_from_db()
    assert (bobs.active, bobs.role) == (True, "observer")
    assert Member.objects.filter(user=bobs.user).count() == 1


def test_who_left_may_come_back_by_an_old_one(as_bob, bobs, campaign, make_link, body):
    old = make_link()
    members.leave(campaign=campaign, actor=bobs, op_id=body()["op_id"])
    assert as_bob.post(f"/join/{old}/", body())["location"] == TABLE


def test_the_lock_decides_and_not_the_page(as_charlie, charlie, campaign, make_link, body, entries, monkeypatch):
    """The page saw an open link; by the time of the lock it is used up."""
    token = make_link(most_uses=1)
    before = entries()

    def used_meanwhile(**given):
        Invitation.objects.update(uses=1)
        return inviting.join(**given)

    monkeypatch.setattr("campaigns.views.inviting.inviting", SimpleNamespace(join=used_meanwhile))
    answer = as_charlie.post(f"/join/{token}/", body())
    assert answer.status_code == 422
    assert "has been used" in answer.content.decode()
    assert (Member.objects.filter(user=charlie).exists(), entries()) == (False, before)


def test_who_joins_by_two_pages_at_once_or_is_removed_meanwhile_is_told(campaign, alices, bobs, make_link, body):
    make_link()
    given = {"invitation": Invitation.objects.get(), "user": bobs.user}
    assert refusal(inviting.join, **given) == ("", "You are in this campaign already.")
    remove(campaign, alices, bobs, body)
    assert refusal(inviting.join, **given) == ("", OLDER)
