"""The Now bar: what is asked of whom, on every page of a campaign and on Home."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from campaigns import bounded, trail
from campaigns.models import Campaign
from campaigns.services.founding import found
from play.models import Contest, PendingAllocation
from play.now import KEPT, MOST_KEPT
from play.services.pending_modifiers import give
from tests import laid
from tests.conftest import join
from tests.play.conftest import trait
from tests.play.test_conflict import act, begin

pytestmark = pytest.mark.django_db

PAGES = ("table", "characters", "chronicle", "ledger", "odds", "people", "my_sheet")


def bar(client: Client, campaign: Any, page: str = "people") -> str:
    """What the bar says on a page, in plain words."""
    html = client.get(reverse(page, args=[campaign.slug]), follow=True).content.decode()
    match = re.search(r'<section id="now".*?</section>', html, re.DOTALL)
    assert match, f"{page} has no Now bar"
    return words(match[0])


def words(html: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", html).replace("&#x27;", "'").split())


@laid.fixture
def fight(as_alice: Client, campaign: Any, scene: Any) -> Contest:
    assert begin(as_alice, campaign).status_code == 302
    return Contest.objects.get()


@laid.fixture
def attacked(as_alice: Client, fight: Contest, ilse: Any, marrow: Any) -> Contest:
    """Old Marrow's blow is on its way to Ilse."""
    sent = act(as_alice, marrow, "attack", targets=[str(ilse.pk)], qualities=[str(trait(marrow, "Club").pk)])
    assert sent.status_code == 302
    return fight


def test_the_act_that_is_asked_for_comes_next_and_says_whose_it_is_to_whoever_acts_for_several(
    as_alice: Client, as_bob: Client, campaign: Any, fight: Contest
) -> None:
    for browser, whose in ((as_alice, ["Old Marrow"]), (as_bob, [])):
        page = browser.get(reverse("table", args=[campaign.slug])).content.decode()
        assert re.findall(r'class="[^"]* next" id="offer-(\w+?)-', page) == ["attack"]
        assert re.findall(r'class="dock" data-whose="([^"]*)"', page) == whose


def test_whoever_is_asked_reads_it_on_every_page_with_its_one_button(
    as_alice: Client, as_bob: Client, campaign: Any, attacked: Contest, ilse: Any
) -> None:
    for page in PAGES:
        assert "Your turn: react to Old Marrow" in bar(as_bob, campaign, page)
        assert "Waiting for Ilse: react to Old Marrow" in bar(as_alice, campaign, page)
    html = as_bob.get(reverse("people", args=[campaign.slug])).content.decode()
    link = re.search(r'<a class="button" href="([^"]*)">React', html)
    assert link and link[1].endswith(f"#offer-defend-{ilse.pk}")
    there = as_bob.get(link[1].partition("#")[0]).content.decode()
    assert f'id="offer-defend-{ilse.pk}"' in there


def test_the_tab_and_the_places_count_what_waits(
    as_alice: Client, as_bob: Client, campaign: Any, attacked: Contest
) -> None:
    at = reverse("people", args=[campaign.slug])
    mine, theirs = (client.get(at).content.decode() for client in (as_bob, as_alice))
    assert "<title>(1) " in mine and "<title>(" not in theirs
    assert mine.count("data-now-count>1<") == 2, "in the rail and in a phone’s bar"
    assert theirs.count("data-now-count hidden>0<") == 2


def test_home_says_whose_move_it_is(as_alice: Client, as_bob: Client, campaign: Any, attacked: Contest) -> None:
    mine, theirs = (words(client.get("/").content.decode()) for client in (as_bob, as_alice))
    assert "1 Your turn : react to Old Marrow" in mine
    assert "Your turn" not in theirs


def test_it_moves_with_the_trail(as_bob: Client, campaign: Any, attacked: Contest, ilse: Any) -> None:
    assert "react to Old Marrow" in bar(as_bob, campaign)
    assert act(as_bob, ilse, "defend", qualities=[str(trait(ilse, "Knife").pk)]).status_code == 302
    assert "react to Old Marrow" not in bar(as_bob, campaign)


def test_where_nothing_is_asked_it_is_quiet(as_bob: Client, as_alice: Client, campaign: Any, scene: Any) -> None:
    html = as_bob.get(reverse("people", args=[campaign.slug])).content.decode()
    assert 'class="now idle"' in html and "<title>(" not in html
    assert "You’re up to date." in bar(as_bob, campaign, "table")


def test_a_modifier_that_waits_is_said_and_is_no_duty(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, scene: Any, ilse: Any
) -> None:
    give(campaign=campaign, actor=alices, op_id=uuid.uuid4(), character_id=ilse.pk, kind="upshift",
         reason="the rope trick")
    html = as_bob.get(reverse("people", args=[campaign.slug])).content.decode()
    assert "On your next roll: upshift (the rope trick)" in words(html)
    assert "<title>(" not in html, "it may wait for as long as one likes"
    assert "rope trick" not in bar(as_alice, campaign)


def test_the_gm_is_asked_for_whom_nobody_plays(
    as_alice: Client, as_bob: Client, campaign: Any, fight: Contest, ilse: Any, marrow: Any
) -> None:
    act(as_bob, ilse, "attack", targets=[str(marrow.pk)], qualities=[str(trait(ilse, "Knife").pk)])
    assert "Your turn for Old Marrow: react to Ilse" in bar(as_alice, campaign)
    assert "Waiting for the GM: react to Ilse" in bar(as_bob, campaign)


def test_an_onlooker_is_asked_for_nothing(as_charlie: Client, charlie: Any, campaign: Any, attacked: Contest) -> None:
    join(campaign, charlie, "observer")
    assert "Waiting for Ilse: react to Old Marrow" in bar(as_charlie, campaign)


def test_a_contest_of_a_scene_that_is_over_still_asks(
    as_alice: Client, as_bob: Client, campaign: Any, attacked: Contest
) -> None:
    Campaign.objects.filter(pk=campaign.pk).update(scene_id=None, head_seq=campaign.head_seq + 5)
    assert "Your turn: react to Old Marrow" in bar(as_bob, campaign)


def test_damage_to_place_is_asked_for_and_leads_there(
    as_alice: Client, as_bob: Client, campaign: Any, scene: Any, ilse: Any
) -> None:
    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="contest.end", title="Hurt") as entry:
        due = entry.create(PendingAllocation(
            campaign=entry.campaign, character=ilse, type="damage", amount=2, reason="the falling beam"))
    assert "Your turn: assign 2 damage the falling beam Assign" in bar(as_bob, campaign)
    assert "Waiting for Ilse: assign 2 damage" in bar(as_alice, campaign)
    html = as_bob.get(reverse("people", args=[campaign.slug])).content.decode()
    assert f'href="{reverse("place", args=[campaign.slug, due.pk])}"' in html


def test_it_costs_the_same_whatever_the_history_and_nothing_once_it_is_known(
    as_alice: Client, as_bob: Client, campaign: Any, attacked: Contest, ilse: Any, marrow: Any
) -> None:
    at = reverse("people", args=[campaign.slug])

    def cost() -> int:
        with CaptureQueriesContext(connection) as seen:
            as_bob.get(at)
        return len(seen)

    KEPT.clear()
    cold, warm = cost(), cost()
    assert warm < cold
    act(as_bob, ilse, "defend", qualities=[str(trait(ilse, "Knife").pk)])
    for number in range(4):
        begin(as_alice, campaign)
        write_note(campaign, f"Fact {number}")
    KEPT.clear()
    assert cost() <= cold
    assert cost() == warm
    assert len(KEPT) <= MOST_KEPT


def write_note(campaign: Any, title: str) -> None:
    with trail.entry(campaign=campaign, actor=None, op_id=uuid.uuid4(), kind="note.write", title=title):
        pass


def test_home_asks_as_much_for_many_campaigns_as_for_one(
    as_bob: Client, campaign: Any, attacked: Contest, alice: Any, bob: Any
) -> None:
    def cost() -> int:
        bounded.forget()
        with CaptureQueriesContext(connection) as seen:
            as_bob.get("/")
        return len(seen)

    one = cost()
    for number in range(6):
        join(found(user=alice, op_id=uuid.uuid4(), name=f"Road {number}", system="pdq"), bob, "player")
    assert cost() == one
