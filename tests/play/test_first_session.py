"""The list that a GM finds on the table of a new campaign, until all of it is done."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Campaign, Entry
from play.models import Scene, Session
from play.services import scenes, sessions
from tests.play.conftest import body

pytestmark = pytest.mark.django_db


def table(client: Client, campaign: Any) -> str:
    return client.get(reverse("table", args=[campaign.slug])).content.decode()


def steps(page: str) -> list[bool]:
    """Which of the three are done."""
    match = re.search(r'<section class="first".*?</section>', page, re.DOTALL)
    assert match
    return ["done" in attribute for attribute in re.findall(r"<li( class=\"done\")?><h3>", match[0])]


def test_a_new_campaign_says_what_comes_first(as_alice: Client, campaign: Any) -> None:
    page = table(as_alice, campaign)
    assert steps(page) == [False, False, False]
    assert "New names appear here." in page and "Create invitation link" in page
    assert campaign.rules.sheet.ready_made[0].concept in page and "Try a roll now" in page
    link = re.search(r'href="([^"]*characters/begin/)"', page.partition('<section class="first"')[2])
    assert link
    link = re.search(r'href="([^"]*characters/new/[^"]*)"', as_alice.get(link[1]).content.decode())
    assert link
    assert '<option value="nobody" selected>Player character without a player' in as_alice.get(link[1]).content.decode()


def test_the_link_is_made_there_and_can_be_copied(as_alice: Client, campaign: Any) -> None:
    sent = body(role="player", lasts="month", uses="many")
    answer = as_alice.post(reverse("invite", args=[campaign.slug]), sent, headers={"HX-Request": "true"})
    part = answer.content.decode()
    assert 'id="first-invite" data-touched' in part and 'data-copy="address"' in part
    assert "http://testserver/join/" in part


def test_session_and_first_scene_open_in_one_step(
    as_alice: Client, as_bob: Client, campaign: Any, ilse: Any, marrow: Any
) -> None:
    assert steps(table(as_alice, campaign)) == [True, True, False]
    sent = body(title="The ferry that came back empty")
    for _ in range(2):  # the second is a press too many
        answer = as_alice.post(reverse("open_first_scene", args=[campaign.slug]), sent)
        assert answer.status_code == 302
    scene, session = Scene.objects.get(), Session.objects.get()
    assert scene.session_id == session.pk and session.closed is None
    assert [presence.character.name for presence in scene.presences.select_related("character")] == ["Ilse"]
    assert Entry.objects.filter(kind__in=("session.open", "scene.open")).count() == 2
    page = table(as_alice, campaign)
    assert 'class="first"' not in page and "The ferry that came back empty" in page


def test_where_a_session_is_open_only_the_scene_opens(as_alice: Client, campaign: Any, alices: Any) -> None:
    sessions.open_session(campaign=campaign, actor=alices, op_id=uuid.uuid4())
    answer = as_alice.post(reverse("open_first_scene", args=[campaign.slug]), body(title="The pier"))
    assert answer.status_code == 302 and Session.objects.count() == 1 and Scene.objects.count() == 1


def test_a_scene_needs_a_name_and_nothing_opens_without(as_alice: Client, campaign: Any) -> None:
    answer = as_alice.post(reverse("open_first_scene", args=[campaign.slug]), body(title=""))
    assert answer.status_code == 422 and not Session.objects.exists()


def test_players_and_later_evenings_do_without(as_alice: Client, as_bob: Client, campaign: Any, alices: Any) -> None:
    assert 'class="first"' not in table(as_bob, campaign)
    for step in (sessions.open_session, sessions.close_session):
        step(campaign=Campaign.objects.get(), actor=alices, op_id=uuid.uuid4())
    assert 'class="first"' not in table(as_alice, campaign)


def test_the_list_does_not_come_back_when_the_first_scene_ends(as_alice: Client, campaign: Any, alices: Any) -> None:
    as_alice.post(reverse("open_first_scene", args=[campaign.slug]), body(title="The well"))
    assert 'class="first"' in table(as_alice, campaign)
    campaign.refresh_from_db()
    scenes.close_scene(campaign=campaign, actor=alices, op_id=uuid.uuid4(), values={})
    assert 'class="first"' not in table(as_alice, campaign)
