"""A sheet, or the Chronicle, shown by a link to somebody without an account."""
from __future__ import annotations

import re
import uuid

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from campaigns import trail
from campaigns.models import Payload, Role, SharedLink, View
from campaigns.services import members, sharing
from campaigns.trail.rebuild import by_tables, rebuild
from characters.services import lifecycle, portraits, sight
from play.models import Scene, Session
from play.services import sessions
from rules.codec import read
from tests.characters.conftest import at, last
from tests.conftest import join, logged_in, person, refusal
from tests.html_forms import Page
from tests.test_every_url import PICTURE

pytestmark = pytest.mark.django_db


def linked(browser, place, words="Create link"):
    """Makes a link as a person does; the address that is shown once."""
    answer = Page(browser.get(place)).form(button=words).send(browser)
    assert "no-store" in answer["Cache-Control"]
    return re.search(r'value="http://testserver(/shared/[\w-]{22}/)"', answer.content.decode())[1]


def test_the_player_shows_a_sheet_to_somebody_without_an_account(as_bob, anonymous, ilse, bobs, campaign):
    portraits.put(campaign=campaign, actor=bobs, op_id=uuid.uuid4(), character_id=ilse.pk, picture=PICTURE)
    assert at("share_sheet", ilse) in as_bob.get(at("sheet", ilse)).content.decode()
    address = linked(as_bob, at("share_sheet", ilse))
    answer = anonymous.get(address)
    page = answer.content.decode()
    assert answer.status_code == 200
    assert all(words in page for words in ("Ilse", "Duellist out of work", "Fencing", "Expert [+4]", "The Salt Road"))
    assert not [words for words in ("Bob", "Alice", "why", "Edit", "/c/", "Log in", "<form") if words in page]
    assert answer["X-Robots-Tag"].startswith("noindex") and '<meta name="robots" content="noindex' in page
    assert answer["Referrer-Policy"] == "no-referrer" and '<meta name="referrer" content="no-referrer">' in page
    assert anonymous.get(re.search(r'src="(/shared/[^"]+\.webp)"', page)[1])["Content-Type"] == "image/webp"
    assert anonymous.post(address).status_code == 405


def test_who_opens_it_makes_no_difference(as_alice, as_bob, as_charlie, anonymous, ilse):
    address = linked(as_bob, at("share_sheet", ilse))
    assert len({browser.get(address).content for browser in (as_alice, as_bob, as_charlie, anonymous)}) == 1


def test_only_the_hash_of_the_token_is_kept(as_bob, ilse, campaign):
    token = linked(as_bob, at("share_sheet", ilse)).split("/")[2]
    entry = last(campaign)
    assert (entry.kind, entry.audience, read(entry.payload.text)["title"]) == (
        "share.make", "all", "A link shows Ilse’s sheet to anyone who has it")
    assert not [kept for kept in (*SharedLink.objects.values(), *Payload.objects.values()) if token in str(kept)]
    assert token not in as_bob.get(at("share_sheet", ilse)).content.decode()
    held = by_tables(campaign.pk)
    SharedLink.objects.update(closed=True)
    assert rebuild(campaign.pk) and by_tables(campaign.pk) == held


@pytest.mark.parametrize("who", ["as_alice", "as_bob"])
def test_its_player_and_the_gm_close_it(request, who, as_bob, anonymous, ilse, campaign):
    address = linked(as_bob, at("share_sheet", ilse))
    browser = request.getfixturevalue(who)
    Page(browser.get(at("share_sheet", ilse))).form(button="Close link").send(browser)
    answer = anonymous.get(address)
    assert (answer.status_code, last(campaign).kind) == (410, "share.close")
    assert "This link was closed." in answer.content.decode()
    assert "noindex" in answer["X-Robots-Tag"]


def test_a_link_is_closed_once_and_made_by_who_may_still_share(as_bob, as_alice, ilse, campaign, bobs):
    linked(as_bob, at("share_sheet", ilse))
    pages = [Page(browser.get(at("share_sheet", ilse))).form(button="Close link") for browser in (as_bob, as_alice)]
    pages[0].send(as_bob)
    late = pages[1].send(as_alice)
    assert late.status_code == 422 and "This link is already closed." in late.content.decode()
    pia = join(campaign, person("Pia"), Role.PLAYER)
    assert refusal(sharing.share, campaign=campaign, actor=pia, of="sheet", object_id=ilse.pk, token="a token") == (
        "", sharing.MAY_NOT)


def test_an_unknown_link_is_a_sentence(anonymous, ilse):
    answer = anonymous.get(reverse("shared", args=["A" * 22]))
    assert answer.status_code == 404
    assert "There is no such link." in answer.content.decode()


def test_another_player_makes_and_closes_none(as_bob, ilse, campaign):
    linked(as_bob, at("share_sheet", ilse))
    other = logged_in(join(campaign, person("Pia"), Role.PLAYER).user)
    assert other.get(at("share_sheet", ilse)).status_code == 404
    assert at("share_sheet", ilse) not in other.get(at("sheet", ilse)).content.decode()
    close = reverse("close_shared", args=["the-salt-road", SharedLink.objects.get().pk])
    assert other.post(close, {"op_id": str(uuid.uuid4())}).status_code == 404
    assert not SharedLink.objects.get().closed


def test_it_stops_when_its_maker_may_no_longer_share_it(as_bob, anonymous, ilse, campaign, alices, bobs):
    address = linked(as_bob, at("share_sheet", ilse))
    members.remove(campaign=campaign, actor=alices, op_id=uuid.uuid4(), member_id=bobs.pk)
    answer = anonymous.get(address)
    assert answer.status_code == 410
    assert "may no longer share" in answer.content.decode()


def test_a_guest_knows_nothing_that_single_players_know(as_alice, anonymous, guard, campaign, alices, bobs):
    """A hidden NPC is not shared, also where one player knows all of it; one that is hidden later is shown no more."""
    who = {"campaign": campaign, "actor": alices, "character_id": guard.pk}
    sight.tell(**who, op_id=uuid.uuid4(), views={bobs.pk: View.ALL})
    assert as_alice.get(at("share_sheet", guard)).status_code == 404
    lifecycle.show(**who, op_id=uuid.uuid4())
    lifecycle.note(**who, op_id=uuid.uuid4(), words="Paid by the reeve")
    address = linked(as_alice, at("share_sheet", guard))
    page = anonymous.get(address).content.decode()
    assert "Fighting" in page and "Paid by the reeve" not in page
    lifecycle.hide(**who, op_id=uuid.uuid4())
    answer = anonymous.get(address)
    assert answer.status_code == 410 and "Fighting" not in answer.content.decode()


def test_the_gm_shows_the_chronicle(as_alice, as_bob, anonymous, campaign, alices, bobs, ilse):
    who = {"campaign": campaign, "actor": alices}
    sessions.open_session(**who, op_id=uuid.uuid4(), title="Low water")
    sessions.open_scene(**who, op_id=uuid.uuid4(), title="The dry well", text="Nobody drinks.", characters=[ilse.pk])
    share = reverse("share_chronicle", args=["the-salt-road"])
    assert share in as_alice.get(reverse("chronicle", args=["the-salt-road"])).content.decode()
    assert as_bob.get(share).status_code == 404
    address = linked(as_alice, share)
    page = anonymous.get(address).content.decode()
    assert all(words in page for words in ("Low water", "The dry well", "Nobody drinks."))
    assert not [words for words in ("Bob", "Alice", "/c/", "<form", "Ledger</a>") if words in page]
    with CaptureQueriesContext(connection) as few:
        anonymous.get(address)
    with trail.entry(**who, op_id=uuid.uuid4(), kind="scene.open", title="More") as entry:
        for number in range(2, 6):
            entry.create(Scene(campaign=campaign, session=Session.objects.get(), number=number, title="More",
                               opened=timezone.now()))
    with CaptureQueriesContext(connection) as many:
        anonymous.get(address)
    assert len(few) == len(many)
