"""What came of a contest, for all: its outcome on its card, and what the GM says of it wherever it is told."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.access import viewer
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.contexts.evening import recap_begins
from play.models import Afterword, Contest, Session
from tests import laid
from tests.html_forms import Page
from tests.play.conftest import body
from tests.play.test_endings import fight

pytestmark = pytest.mark.django_db

SAID = "Marrow has the keys no more; Ilse’s side has."


def card(client: Client, campaign: Any) -> str:
    """The contest's card in the story at the table."""
    table = client.get(f"/c/{campaign.slug}/").content.decode()
    return table.partition('<li class="story-card"')[2].partition("<form")[0]


@laid.fixture
def fought(as_alice: Client, campaign: Any, scene: Any, ilse: Character, marrow: Character) -> str:
    return fight(as_alice, campaign)


def test_a_fight_that_is_over_says_on_its_card_how_it_ended_and_its_rounds_are_folded(
    as_bob: Client, campaign: Any, fought: str
) -> None:
    told = card(as_bob, campaign)
    assert "It ended without a winner" in told.partition("<details")[0]
    assert told.partition("<summary>")[2].startswith("1 earlier")


def test_what_the_gm_says_came_of_it_stands_on_the_card_in_the_chronicle_and_in_the_recap(
    as_alice: Client, as_bob: Client, alice: Any, campaign: Any, fought: str
) -> None:
    sent = Page(as_alice.get(fought)).form(action="/afterword/").send(as_alice, words=SAID)
    assert sent["Location"] == f"{fought}#afterword"
    assert SAID in card(as_bob, campaign) and SAID in as_bob.get(fought).content.decode()
    assert SAID in as_bob.get(f"/c/{campaign.slug}/chronicle/").content.decode()
    assert f"Knives: It ended without a winner after 1 round. {SAID}" in recap_begins(
        viewer(alice, campaign.slug), Session.objects.get())
    assert not list(differences(campaign.pk))
    form = Page(as_alice.get(fought)).form(action="/afterword/")
    assert form.send(as_alice, words="")["Location"]
    assert not Afterword.objects.exists() and "afterword" not in Page(as_bob.get(fought)).ids


def test_an_undo_takes_it_back_and_the_cards_own_undo_still_takes_the_fights_end(
    as_alice: Client, campaign: Any, fought: str
) -> None:
    Page(as_alice.get(fought)).form(action="/afterword/").send(as_alice, words=SAID)
    Page(as_alice.get(f"/c/{campaign.slug}/")).form(action="/undo/").send(as_alice)
    assert not Contest.objects.get().over
    assert "afterword" not in Page(as_alice.get(fought)).ids, "it goes on"


def test_only_the_gm_says_it_and_what_is_too_long_is_not_lost(
    as_alice: Client, as_bob: Client, campaign: Any, fought: str
) -> None:
    assert not Page(as_bob.get(fought)).matching(action="/afterword/")
    assert as_bob.post(f"{fought}afterword/", body(words=SAID)).status_code == 404
    long = "a" * 501
    refused = as_alice.post(f"{fought}afterword/", body(words=long))
    assert refused.status_code == 422 and long in refused.content.decode() and Page(refused).errors
    assert not Afterword.objects.exists()


def test_it_is_said_of_what_is_over_and_not_twice_the_same(as_alice: Client, campaign: Any, fought: str) -> None:
    form = Page(as_alice.get(fought)).form(action="/afterword/")
    assert form.send(as_alice, words=SAID).status_code == 302
    again = Page(as_alice.get(fought)).form(action="/afterword/").send(as_alice, words=SAID)
    assert again.status_code == 422 and "what it says already" in again.content.decode()
    Page(as_alice.get(f"/c/{campaign.slug}/")).form(action="/undo/").send(as_alice)
    assert not Contest.objects.get().over
    late = as_alice.post(f"{fought}afterword/", body(words="Too early"))
    assert late.status_code == 422 and "still going on" in late.content.decode()
    assert Afterword.objects.get().words == SAID
