"""The home page."""
from __future__ import annotations

import uuid

from django.db import connection
from django.test.utils import CaptureQueriesContext

from campaigns import trail
from campaigns.models import Member
from campaigns.services.founding import found
from tests.conftest import join


def home(client, **query):
    return client.get("/", query).content.decode()


def write(campaign, title, audience="all", kind="note.write", actor=None):
    with trail.entry(
        campaign=campaign, actor=actor, op_id=uuid.uuid4(), kind=kind, title=title, audience=audience
    ):
        pass


def test_tells_a_stranger_what_this_is(anonymous):
    page = home(anonymous)
    assert "/sign-up/" in page
    assert "Ledger" in page


def test_lists_mine_and_nobody_elses(as_alice, as_charlie, campaign):
    assert "The Salt Road" in home(as_alice)
    page = home(as_charlie)
    assert "The Salt Road" not in page
    assert "New campaign" in page


def test_forgets_what_one_was_removed_from(as_bob, bobs):
    assert "The Salt Road" in home(as_bob)
    Member.objects.filter(pk=bobs.pk).update(active=False)
    assert "The Salt Road" not in home(as_bob)


def test_tells_what_happened_since(as_bob, campaign, bobs, alices):
    Member.objects.filter(pk=bobs.pk).update(seen_seq=campaign.head_seq)
    assert "Nothing new" in home(as_bob)
    for title in ("A first", "B second", "C third", "D fourth", "E fifth"):
        write(campaign, title, actor=alices)
    page = home(as_bob)
    assert "A first" not in page and " new" not in page.partition("<main")[2].partition("samples")[0]
    assert page.index("E fifth.") < page.index("D fourth.") < page.index("C third.") < page.index("B second.")


def test_keeps_the_gms_secrets(as_alice, as_bob, campaign, bobs):
    write(campaign, "The duke is a ghoul", audience="gm")
    write(campaign, "Only Bob dreams", audience=str(bobs.pk))
    assert "ghoul" in home(as_alice)
    assert "ghoul" not in home(as_bob)
    assert "dreams" in home(as_bob)
    assert "dreams" not in home(as_alice)


def test_as_many_queries_for_many_campaigns(as_bob, alice, bob, bobs):
    with CaptureQueriesContext(connection, ) as one:
        home(as_bob)
    for number in range(12):
        join(found(user=alice, op_id=uuid.uuid4(), name=f"Road {number}", system="pdq"), bob, "player")
    with CaptureQueriesContext(connection) as many:
        page = home(as_bob)
    assert "Road 11" in page
    assert len(many) == len(one)


def test_goes_on_by_key(as_alice, alice):
    for number in range(23):
        found(user=alice, op_id=uuid.uuid4(), name=f"Road {number:02}", system="pdq")
    page = home(as_alice)
    assert "Road 22" in page
    assert "Road 02" not in page
    after = page.split("?after=")[1].split('"')[0]
    page = home(as_alice, after=after)
    assert "Road 02" in page
    assert "Road 00" in page
    assert "Road 03" not in page
    assert "Road 22" in home(as_alice, after="forged")
