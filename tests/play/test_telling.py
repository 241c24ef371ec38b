"""What happened, in sentences: on Home, of the campaign where something waits first."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from campaigns import trail
from campaigns.models import Member
from campaigns.services.founding import found
from play.models import Contest
from play.now import KEPT as ASKED
from play.waiting import KEPT as WAITS
from tests import laid
from tests.conftest import join
from tests.html_forms import Page
from tests.play.conftest import trait
from tests.play.test_conflict import act, begin

pytestmark = pytest.mark.django_db


def home(browser: Client) -> str:
    return browser.get("/").content.decode().partition("<main")[2]


@laid.fixture
def attacked(as_alice: Client, campaign: Any, scene: Any, ilse: Any, marrow: Any, bobs: Any) -> Contest:
    """Bob has looked; since then a fight began, and Old Marrow's blow is on its way to Ilse."""
    Member.objects.filter(pk=bobs.pk).update(seen_seq=campaign.head_seq)
    begin(as_alice, campaign)
    act(as_alice, marrow, "attack", targets=[str(ilse.pk)], qualities=[str(trait(marrow, "Club").pk)])
    return Contest.objects.get()


def test_a_contest_is_one_sentence_that_leads_to_it(
    as_alice: Client, as_bob: Client, as_charlie: Client, campaign: Any, attacked: Contest,
) -> None:
    page = home(as_bob)
    assert page.count("Knives at the well") == 1
    assert f'<a href="/c/{campaign.slug}/contests/{attacked.pk}/">Knives at the well goes on: your turn.</a>' in page
    assert "Knives at the well goes on." in home(as_alice)
    assert act(as_alice, None, "end", words="They part").status_code == 302 and Contest.objects.get().over
    page = home(as_bob)
    assert "Knives at the well: " in page and "goes on" not in page


def test_a_roll_says_what_came_of_it(as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any) -> None:
    Member.objects.filter(user__username="Alice").update(seen_seq=scene.campaign.head_seq)
    put = Page(as_alice.get(f"/c/{campaign.slug}/obstacles/put/")).form(action="/obstacles/put/")
    assert put.send(as_alice, name="The wall", difficulty="average").status_code == 302
    table = Page(as_bob.get(f"/c/{campaign.slug}/"))
    rolled = table.form(action="/roll/").send(as_bob, what="Up and over")
    assert rolled.status_code == 302
    (told,) = [link.text for link in Page(as_alice.get("/")).of_class("news", "a") if "Ilse" in link.text]
    assert re.fullmatch(r"Ilse (beat|failed against) the wall, \d+ against 7: Up and over\.", told), told


def test_where_something_waits_comes_first_and_sealed_things_are_in_none(
    as_bob: Client, alice: Any, bob: Any, campaign: Any, alices: Any, attacked: Contest,
) -> None:
    other = found(user=alice, op_id=uuid.uuid4(), name="The Ferry", system="pdq")
    join(other, bob, "player")
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="character.note", title="A ghoul",
                     audience=trail.GM):
        pass
    page = home(as_bob)
    assert page.index("The Salt Road</a>") < page.index("The Ferry</a>")
    assert "ghoul" not in page


def test_as_many_queries_for_many_contests_and_campaigns(
    as_bob: Client, as_alice: Client, alice: Any, bob: Any, campaign: Any, attacked: Contest,
) -> None:
    def asked() -> int:
        for kept in (ASKED, WAITS):
            kept.clear()
        with CaptureQueriesContext(connection) as queries:
            home(as_bob)
        return len(queries)

    before = asked()
    for number in range(3):
        join(found(user=alice, op_id=uuid.uuid4(), name=f"Road {number}", system="pdq"), bob, "player")
        begin(as_alice, campaign)
    assert asked() == before
