"""The people's page."""
from __future__ import annotations

import uuid

from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns.models import Member
from characters.models import Character
from tests.conftest import join, person

URL = "/c/the-salt-road/people/"


def test_shows_who_sits_here(as_bob, bobs, doras, campaign):
    Character.objects.create(campaign=campaign, name="Ilse", player=bobs)
    Character.objects.create(campaign=campaign, name="Hidden", player=bobs, hidden=True)
    Character.objects.create(campaign=campaign, name="Gone", player=bobs, retired=True)
    page = as_bob.get(URL).content.decode()
    for word in ("Alice", "Owner", "Bob", "Player", "Dora", "GM", "1 character<"):
        assert word in page
    assert "Leave the campaign" in page
    for body in ("Remove", "Invite", "Change role", "Make owner"):
        assert body not in page


def test_a_gm_sees_deeds_for_players_only(as_dora, doras, bobs, alices, campaign):
    page = as_dora.get(URL).content.decode()
    assert f"{URL}{bobs.pk}/remove/" in page
    assert f"{URL}{alices.pk}/remove/" not in page
    assert f"{URL}{doras.pk}/remove/" not in page
    assert "Make owner" not in page


def test_the_owner_sees_deeds_for_all_others(as_alice, alices, doras, bobs):
    page = as_alice.get(URL).content.decode()
    for other in (bobs, doras):
        assert f"{URL}{other.pk}/remove/" in page
        assert f"{URL}{other.pk}/hand-over/" in page
    assert f"{URL}{alices.pk}/remove/" not in page


def test_who_was_removed_is_gone_from_it(as_alice, bobs):
    Member.objects.filter(pk=bobs.pk).update(active=False)
    assert "Bob" not in as_alice.get(URL).content.decode()


def test_outsiders_find_nothing(as_charlie, anonymous, campaign):
    assert as_charlie.get(URL).status_code == 404
    assert anonymous.get(URL)["location"] == f"/log-in/?next={URL}"
    assert anonymous.get("/c/no-such-road/people/").status_code == 302
    assert as_charlie.get("/c/no-such-road/people/").status_code == 404


def test_htmx_gets_the_fragment_and_the_log_in_page_as_a_whole(as_alice, anonymous, campaign):
    page = as_alice.get(URL, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in page
    assert "Alice" in page
    answer = anonymous.get(URL, headers={"HX-Request": "true", "HX-Current-URL": f"http://testserver{URL}?x=1"})
    assert answer["HX-Redirect"] == f"/log-in/?next={URL}%3Fx%3D1"


def test_as_many_queries_for_many_people(as_alice, campaign, bobs, make_link):
    make_link()
    with CaptureQueriesContext(connection) as few:
        as_alice.get(URL)
    for number in range(10):
        join(campaign, person(f"Guest{number}"), "observer")
        make_link()
    with CaptureQueriesContext(connection) as many:
        page = as_alice.get(URL).content.decode()
    assert "Guest9" in page
    assert len(many) == len(few)


def test_goes_on_by_key(as_alice, campaign, monkeypatch):
    monkeypatch.setattr("campaigns.queries.PEOPLE_PAGE", 2)
    for number in range(3):
        join(campaign, person(f"Guest{number}"), "observer")
    page = as_alice.get(URL).content.decode()
    assert "Guest0" in page
    assert "Guest1" not in page
    after = page.split("?after=")[1].split('"')[0]
    page = as_alice.get(URL, {"after": after}).content.decode()
    assert "Guest1" in page
    assert "Guest2" in page
    assert "Guest0" not in page
    assert as_alice.get(URL, {"after": uuid.uuid4()}).status_code == 200
