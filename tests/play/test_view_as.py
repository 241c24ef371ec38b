"""A GM looks as a player does: exactly what that player gets, and nothing can be done meanwhile."""
from __future__ import annotations

import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.models import Entry, Member
from tests.play.conftest import body
from tests.play.test_conflict import begin

pytestmark = pytest.mark.django_db

ONCE = re.compile(r'name="(?:csrfmiddlewaretoken|op_id)" value="[^"]*"')


def look(client: Client, campaign: Any, member: Any) -> Any:
    return client.post(reverse("view_as", args=[campaign.slug, member.pk]))


def shown(client: Client, address: str) -> str:
    """What a page shows between the frame's own parts."""
    html = client.get(address).content.decode()
    desk = re.search(r'<div class="middle">.*</aside>', html, re.DOTALL)
    return ONCE.sub("", desk[0] if desk else html)


def test_every_page_is_the_players_to_the_byte(
    as_alice: Client, as_bob: Client, campaign: Any, bobs: Any, scene: Any, ilse: Any, marrow: Any, whisper: Any
) -> None:
    begin(as_alice, campaign)
    assert look(as_alice, campaign, bobs).status_code == 302
    for page in ("table", "characters", "chronicle", "ledger", "people", "odds"):
        address = reverse(page, args=[campaign.slug])
        assert shown(as_alice, address) == shown(as_bob, address)
    for who in (ilse, marrow):
        address = reverse("sheet", args=[campaign.slug, who.pk])
        assert shown(as_alice, address) == shown(as_bob, address)
    for address in (reverse("sheet", args=[campaign.slug, whisper.pk]), reverse("prepare", args=[campaign.slug])):
        assert as_alice.get(address).status_code == as_bob.get(address).status_code == 404


def test_nothing_is_sent_and_nothing_is_marked_as_read_meanwhile(
    as_alice: Client, campaign: Any, bobs: Any, scene: Any
) -> None:
    Member.objects.filter(pk=bobs.pk).update(seen_seq=1)
    look(as_alice, campaign, bobs)
    page = as_alice.get(reverse("table", args=[campaign.slug])).content.decode()
    assert "You are viewing this campaign as Bob." in page and 'class="campaign viewing' in page
    assert "data-dice" not in page, "the GM’s browser keeps no receipts of Bob’s"
    before = Entry.objects.count()
    answer = as_alice.post(reverse("roll", args=[campaign.slug]), body(what="Sneak"))
    assert answer.status_code == 409 and Entry.objects.count() == before
    bobs.refresh_from_db()
    assert bobs.seen_seq == 1


def test_back_to_ones_own_view(as_alice: Client, campaign: Any, bobs: Any) -> None:
    look(as_alice, campaign, bobs)
    assert as_alice.post(reverse("own_view", args=[campaign.slug])).status_code == 302
    page = as_alice.get(reverse("table", args=[campaign.slug])).content.decode()
    assert "You are viewing this campaign as" not in page
    assert as_alice.get(reverse("prepare", args=[campaign.slug])).status_code == 200


def test_only_a_gm_looks_and_only_as_a_player(
    as_alice: Client, as_bob: Client, as_charlie: Client, campaign: Any, alices: Any, bobs: Any
) -> None:
    assert look(as_bob, campaign, bobs).status_code == 404
    assert look(as_charlie, campaign, bobs).status_code == 404
    assert look(as_alice, campaign, alices).status_code == 404
    assert as_alice.post(reverse("view_as", args=[campaign.slug, uuid.uuid4()])).status_code == 404
    assert "View as Bob" in as_alice.get(reverse("people", args=[campaign.slug])).content.decode()
    assert "View as" not in as_bob.get(reverse("people", args=[campaign.slug])).content.decode()
