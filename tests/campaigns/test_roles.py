"""Roles given and changed; members removed and leaving."""
from __future__ import annotations

import uuid

import pytest

from campaigns.errors import Refused
from campaigns.models import Member, Role
from campaigns.services import members
from campaigns.services.founding import found

URL = "/c/the-salt-road/people/"


def role_of(member):
    member.refresh_from_db()
    return member.role, member.active


class TestRole:
    def test_the_owner_makes_a_gm(self, as_alice, bobs, body, last):
        assert "<button>Save the role</button>" in as_alice.get(f"{URL}{bobs.pk}/role/").content.decode()
        assert as_alice.post(f"{URL}{bobs.pk}/role/", body(role="gm"))["location"] == URL
        assert role_of(bobs) == ("gm", True)
        assert last() == ("member.role", "A player becomes a GM", "all")

    def test_a_gm_makes_an_observer(self, as_dora, doras, bobs, body):
        assert as_dora.post(f"{URL}{bobs.pk}/role/", body(role="observer")).status_code == 302
        assert role_of(bobs) == ("observer", True)

    def test_a_second_click_finds_the_first(self, as_alice, bobs, body, entries):
        twice, before = body(role="gm"), entries()
        for _ in range(2):
            assert as_alice.post(f"{URL}{bobs.pk}/role/", twice).status_code == 302
        assert entries() == before + 1

    @pytest.mark.parametrize("role", ["", "owner", "king", "player"])
    def test_refused(self, as_alice, bobs, body, entries, role):
        before = entries()
        answer = as_alice.post(f"{URL}{bobs.pk}/role/", body(role=role))
        assert answer.status_code == 422
        assert 'class="error"' in answer.content.decode()
        assert (role_of(bobs), entries()) == (("player", True), before)

    def test_a_gm_makes_no_gm_and_moves_none(self, as_dora, dora, doras, alices, bobs, body, campaign, entries):
        before = entries()
        assert as_dora.post(f"{URL}{bobs.pk}/role/", body(role="gm")).status_code == 422
        for other in (alices, doras):
            assert as_dora.post(f"{URL}{other.pk}/role/", body(role="player")).status_code == 422
            page = as_dora.get(f"{URL}{other.pk}/role/").content.decode()
            assert "<button>Save the role</button>" not in page
        assert (role_of(alices), role_of(doras), entries()) == (("owner", True), ("gm", True), before)

    def test_the_owner_stays_the_owner(self, as_alice, alices, body):
        assert as_alice.post(f"{URL}{alices.pk}/role/", body(role="player")).status_code == 422
        assert role_of(alices) == ("owner", True)


class TestRemove:
    def test_takes_effect_with_the_next_request(self, as_alice, as_bob, bobs, body, last):
        assert as_bob.get(URL).status_code == 200
        assert "Remove Bob" in as_alice.get(f"{URL}{bobs.pk}/remove/").content.decode()
        assert as_alice.post(f"{URL}{bobs.pk}/remove/", body())["location"] == URL
        for path in ("", "people/", "settings/", "people/leave/"):
            assert as_bob.get(f"/c/the-salt-road/{path}").status_code == 404
        assert last() == ("member.remove", "A player is removed", "all")

    def test_a_second_click_finds_the_first(self, as_alice, bobs, body, entries):
        twice, before = body(), entries()
        for _ in range(2):
            assert as_alice.post(f"{URL}{bobs.pk}/remove/", twice)["location"] == URL
        assert entries() == before + 1
        answer = as_alice.post(f"{URL}{bobs.pk}/remove/", body())
        assert answer.status_code == 422
        assert "is no longer in the campaign" in answer.content.decode()
        assert as_alice.get(f"{URL}{bobs.pk}/remove/").status_code == 404

    def test_a_gm_removes_players_and_no_gm(self, as_dora, doras, alices, bobs, body):
        for other in (alices, doras):
            assert as_dora.post(f"{URL}{other.pk}/remove/", body()).status_code == 422
            assert role_of(other)[1]
        assert as_dora.post(f"{URL}{bobs.pk}/remove/", body()).status_code == 302

    def test_the_owner_does_not_remove_themself(self, as_alice, alices, body, entries):
        before = entries()
        assert as_alice.post(f"{URL}{alices.pk}/remove/", body()).status_code == 422
        assert (role_of(alices), entries()) == (("owner", True), before)


class TestLeave:
    def test_leaves(self, as_bob, bobs, body, last):
        assert "Leave the campaign" in as_bob.get(f"{URL}leave/").content.decode()
        assert as_bob.post(f"{URL}leave/", body())["location"] == "/"
        assert role_of(bobs) == ("player", False)
        assert as_bob.get(URL).status_code == 404
        assert last() == ("member.leave", "A player leaves the campaign", "all")

    def test_the_owner_hands_over_first(self, as_alice, alices, body, entries):
        before = entries()
        assert "Make someone else the owner first" in as_alice.get(f"{URL}leave/").content.decode()
        answer = as_alice.post(f"{URL}leave/", body())
        assert answer.status_code == 422
        assert "Make someone else the owner first" in answer.content.decode()
        assert (role_of(alices), entries()) == (("owner", True), before)


class TestHandOver:
    def test_the_owner_becomes_a_gm(self, as_alice, alices, bobs, body, last, entries):
        assert "Make Bob the owner" in as_alice.get(f"{URL}{bobs.pk}/hand-over/").content.decode()
        twice, before = body(), entries()
        for _ in range(2):
            assert as_alice.post(f"{URL}{bobs.pk}/hand-over/", twice)["location"] == URL
        assert (role_of(alices), role_of(bobs)) == (("gm", True), ("owner", True))
        assert entries() == before + 1
        assert last() == ("member.hand_over", "The campaign has another owner", "all")

    def test_a_second_owner_can_not_come_of_an_old_page(self, as_alice, alices, bobs, doras, body, entries):
        as_alice.post(f"{URL}{bobs.pk}/hand-over/", body())
        before = entries()
        answer = as_alice.post(f"{URL}{doras.pk}/hand-over/", body())
        assert answer.status_code == 422
        assert "Only the owner can do this" in answer.content.decode()
        assert entries() == before
        assert Member.objects.filter(role=Role.OWNER).count() == 1

    def test_not_to_oneself_and_not_to_who_left(self, as_alice, alices, bobs, body):
        assert as_alice.post(f"{URL}{alices.pk}/hand-over/", body()).status_code == 422
        Member.objects.filter(pk=bobs.pk).update(active=False)
        assert as_alice.post(f"{URL}{bobs.pk}/hand-over/", body()).status_code == 422
        assert role_of(alices) == ("owner", True)

    def test_a_gm_can_not(self, as_dora, doras, bobs, body):
        assert as_dora.get(f"{URL}{bobs.pk}/hand-over/").status_code == 404
        assert as_dora.post(f"{URL}{doras.pk}/hand-over/", body()).status_code == 422


@pytest.mark.parametrize("what", ["role", "remove", "hand-over"])
def test_players_outsiders_and_strangers_find_nothing(as_bob, as_charlie, anonymous, bobs, alices, body, entries, what):
    before, path = entries(), f"{URL}{alices.pk}/{what}/"
    for client in (as_bob, as_charlie):
        assert client.get(path).status_code == 404
        assert client.post(path, body(role="player")).status_code == 404
    assert anonymous.get(path)["location"] == f"/log-in/?next={path}"
    assert anonymous.post(path, body())["location"] == "/log-in/?next=/c/the-salt-road/"
    assert entries() == before


@pytest.mark.parametrize("what", ["role", "remove", "hand-over"])
def test_a_member_of_another_campaign_is_not_here(as_alice, campaign, charlie, body, what):
    elsewhere = found(user=charlie, op_id=uuid.uuid4(), name="Elsewhere", system="pdq").members.get()
    for pk in (elsewhere.pk, uuid.uuid4()):
        assert as_alice.get(f"{URL}{pk}/{what}/").status_code == 404
        assert as_alice.post(f"{URL}{pk}/{what}/", body(role="player")).status_code == 404
    assert role_of(elsewhere) == ("owner", True)


def test_the_lock_decides_and_not_the_page(campaign, alices, doras, bobs, body):
    """Dora's request was let through; by the time of the lock she is a player."""
    Member.objects.filter(pk=doras.pk).update(role=Role.PLAYER)
    with pytest.raises(Refused, match="Only the GM"):
        members.remove(campaign=campaign, actor=doras, op_id=uuid.uuid4(), member_id=bobs.pk)
    assert role_of(bobs) == ("player", True)
