"""Making links that let people in, and closing them."""
from __future__ import annotations

import re
import uuid
from datetime import timedelta

import pytest
from django.utils import timezone

from campaigns.invitations import hash_of
from campaigns.models import Entry, Invitation, Member, Payload, Role
from campaigns.services import inviting
from campaigns.services.founding import found
from tests.conftest import refusal
from tests.html_forms import Page

URL = "/c/the-salt-road/people/"
GOOD = {"role": "player", "lasts": "week", "uses": "one"}


def test_shows_the_address_once_and_keeps_only_a_hash(as_alice, campaign, body, last):
    answer = as_alice.post(f"{URL}invite/", body(**GOOD))
    token = re.search(r"http://testserver/join/([\w-]{22})/", answer.content.decode()).group(1)
    assert "no-store" in answer["cache-control"]
    link = Invitation.objects.get()
    assert link.token_hash == hash_of(token)
    assert (link.role, link.most_uses, link.uses) == ("player", 1, 0)
    assert timedelta(days=6, hours=23) < link.expires - timezone.now() <= timedelta(days=7)
    assert last() == ("invitation.make", "Invitation link created: anyone who opens it becomes a player", "gm")
    for kept in [*Invitation.objects.values(), *Entry.objects.values(), *Payload.objects.values()]:
        assert token not in str(kept)
    assert token not in as_alice.get(URL).content.decode()


def test_a_second_click_makes_no_second_link(as_alice, campaign, body):
    twice = body(**GOOD)
    as_alice.post(f"{URL}invite/", twice)
    page = as_alice.post(f"{URL}invite/", twice).content.decode()
    assert "This link was shown before" in page
    assert "/join/" not in page
    assert Invitation.objects.count() == 1


@pytest.mark.parametrize(("lasts", "days"), [("day", 1), ("week", 7), ("month", 30)])
def test_lasts_as_long_as_said(as_alice, campaign, body, lasts, days):
    as_alice.post(f"{URL}invite/", body(**{**GOOD, "lasts": lasts, "uses": "many"}))
    link = Invitation.objects.get()
    assert round((link.expires - timezone.now()) / timedelta(days=1)) == days
    assert link.most_uses is None


@pytest.mark.parametrize("changes", [{"role": ""}, {"role": "owner"}, {"lasts": "ever"}, {"uses": "2"}, {"op_id": "x"}])
def test_refused(as_alice, campaign, body, entries, changes):
    before = entries()
    answer = as_alice.post(f"{URL}invite/", {**body(**GOOD), **changes})
    assert answer.status_code == 422
    assert 'class="error"' in answer.content.decode()
    assert (Invitation.objects.count(), entries()) == (0, before)


def test_a_gm_invites_players_and_no_gm(as_dora, doras, body):
    assert as_dora.post(f"{URL}invite/", body(**GOOD)).status_code == 200
    assert as_dora.post(f"{URL}invite/", body(**{**GOOD, "role": "gm"})).status_code == 422
    assert Invitation.objects.count() == 1


def test_who_was_an_owner_when_the_page_was_opened_gives_what_a_gm_gives(campaign, doras):
    given = {"campaign": campaign, "actor": doras, "lasts": timedelta(days=7), "most_uses": None, "token": "a token"}
    assert refusal(inviting.invite, **given, role=Role.GM) == ("role", "You can’t give this role. Ask the owner.")


def test_players_and_outsiders_find_nothing(as_bob, as_charlie, bobs, body, make_link, entries):
    make_link()
    before, link = entries(), Invitation.objects.get()
    for client in (as_bob, as_charlie):
        assert client.get(f"{URL}invite/").status_code == 404
        assert client.post(f"{URL}invite/", body(**GOOD)).status_code == 404
        assert client.post(f"{URL}links/{link.pk}/close/", body()).status_code == 404
    assert "Invitation links" not in as_bob.get(URL).content.decode()
    assert entries() == before


def test_closing(as_alice, campaign, body, last, make_link, entries):
    make_link()
    link = Invitation.objects.get()
    once = body()
    assert as_alice.post(f"{URL}links/{link.pk}/close/", once)["location"] == URL
    assert last() == ("invitation.revoke", "A link is closed", "gm")
    before = entries()
    assert as_alice.post(f"{URL}links/{link.pk}/close/", once).status_code == 302
    answer = as_alice.post(f"{URL}links/{link.pk}/close/", body())
    assert answer.status_code == 422
    assert "already closed" in answer.content.decode()
    assert as_alice.post(f"{URL}links/{link.pk}/close/", {}).status_code == 422
    assert entries() == before
    assert as_alice.get(f"{URL}links/{link.pk}/close/").status_code == 302, "nothing is done by a link"


def test_another_campaigns_link_is_not_there(as_charlie, charlie, campaign, make_link, body):
    make_link()
    other = found(user=charlie, op_id=uuid.uuid4(), name="Elsewhere", system="pdq")
    link = Invitation.objects.get()
    assert as_charlie.post(f"/c/{other.slug}/people/links/{link.pk}/close/", body()).status_code == 404
    assert not Invitation.objects.get().revoked


def test_the_list_tells_what_became_of_each(as_alice, campaign, make_link, doras):
    make_link()
    used = hash_of(make_link(most_uses=1))
    Invitation.objects.filter(token_hash=used).update(uses=1)
    late = hash_of(make_link())
    Invitation.objects.filter(token_hash=late).update(expires=timezone.now())
    shut = hash_of(make_link())
    Invitation.objects.filter(token_hash=shut).update(revoked=True)
    make_link(actor=doras)
    Member.objects.filter(pk=doras.pk).update(active=False)
    page = as_alice.get(URL).content.decode()
    for state in ("active", "used up", "expired", "closed", "lapsed"):
        assert page.count(f'<span class="chip">{state}</span>') == 1
    assert page.count("Close link") == 2
    assert "used once" not in page, "its state says that it is used up"


def test_a_lost_link_is_shown_again_at_another_address(as_alice, as_charlie, campaign, body):
    first = re.search(r"/join/[\w-]{22}/", as_alice.post(f"{URL}invite/", body(**GOOD)).content.decode()).group()
    shown = Page(as_alice.get(URL)).form(action="/renew/").send(as_alice).content.decode()
    again = re.search(r"/join/[\w-]{22}/", shown).group()
    assert again != first
    old, new = Invitation.objects.order_by("revoked")[1], Invitation.objects.get(revoked=False)
    assert (new.role, new.expires, new.most_uses) == (old.role, old.expires, 1)
    assert "Join" not in as_charlie.get(first).content.decode().partition("<main")[2]
    assert Page(as_charlie.get(again)).form(button="Join").send(as_charlie).status_code == 302
    assert Member.objects.filter(user__username__iexact="charlie").exists()
