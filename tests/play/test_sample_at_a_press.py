"""A sample of each game, one press from Home: it is one's own, checks out, and is thrown away with one press."""
from __future__ import annotations

import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns.errors import Refused
from campaigns.models import Campaign, Role
from campaigns.services import closing
from campaigns.trail.rebuild import differences
from campaigns.trail.verifying import whole
from characters.models import Character
from play.models import Obstacle
from rules.registry import SYSTEMS
from tests.conftest import join
from tests.games import SAMPLED
from tests.play.conftest import body

pytestmark = pytest.mark.django_db
GAMES = pytest.mark.parametrize("game", SAMPLED)


def begin(client: Client, game: str, **more: str) -> Campaign:
    answer = client.post(reverse("sample_begin", args=[game]), body(**more))
    made: Campaign = Campaign.objects.get(sample=True, system=game)
    assert answer["location"] == reverse("table", args=[made.slug]) + ("#tray" if more else "")
    return made


@GAMES
def test_it_opens_and_checks_out(as_alice: Client, alice: Any, game: str) -> None:
    assert reverse("sample_begin", args=[game]) in as_alice.get("/").content.decode()
    made = begin(as_alice, game)
    assert made.members.get().role == Role.OWNER and made.scene_id and made.session_id
    assert not whole(made).fault and not list(differences(made.pk))
    page = as_alice.get(reverse("table", args=[made.slug])).content.decode()
    sample = SYSTEMS[game].sample
    assert sample and sample.title in page and 'id="tray"' in page and 'class="first"' not in page
    assert Obstacle.objects.get(campaign=made).name == sample.obstacle.name
    names = {ready_made.name for ready_made in SYSTEMS[game].sheet.ready_made[:3]}
    assert set(Character.objects.filter(campaign=made, npc=False).values_list("name", flat=True)) == names


@GAMES
def test_a_second_press_finds_it_and_one_throws_it_away(as_alice: Client, alice: Any, game: str) -> None:
    made = begin(as_alice, game)
    assert begin(as_alice, game, roll="1") == made
    home = as_alice.get("/").content.decode()
    assert "Delete sample" in home and ">Open<span" in home, "what throws it away is not its only button"
    answer = as_alice.post(reverse("campaign_throw_away", args=[made.slug]), body())
    assert answer["location"] == "/"
    assert as_alice.get(reverse("table", args=[made.slug])).status_code == 404
    assert not Character.objects.filter(campaign=made).exists()
    assert begin(as_alice, game) != made


def test_everybody_has_their_own(as_alice: Client, as_charlie: Client, alice: Any, charlie: Any) -> None:
    one = begin(as_alice, "pdq")
    as_charlie.post(reverse("sample_begin", args=["pdq"]), body())
    assert Campaign.objects.filter(sample=True).count() == 2
    assert as_charlie.get(reverse("table", args=[one.slug])).status_code == 404
    assert as_charlie.post(reverse("campaign_throw_away", args=[one.slug]), body()).status_code == 404


def test_what_others_play_in_asks_for_its_name(as_alice: Client, alice: Any, bob: Any, campaign: Campaign) -> None:
    made = begin(as_alice, "pdq")
    owner = made.members.get()
    assert "Delete sample" in as_alice.get(reverse("table", args=[made.slug])).content.decode()
    join(made, bob, "player")
    for page in (reverse("table", args=[made.slug]), "/"):
        assert "Delete sample" not in as_alice.get(page).content.decode(), "it would be refused"
    for pair, actor in ((made, owner), (campaign, campaign.members.get(role=Role.OWNER))):
        with pytest.raises(Refused):
            closing.throw_away(campaign=pair, actor=actor, op_id=uuid.uuid4())
    answer = as_alice.post(reverse("campaign_throw_away", args=[made.slug]), body())
    assert answer["location"] == reverse("campaign_delete", args=[made.slug])
    assert Character.objects.filter(campaign=made).exists()


def test_there_is_none_of_a_game_that_is_not_or_has_none(
    as_alice: Client, alice: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert as_alice.post(reverse("sample_begin", args=["chess"]), body()).status_code == 404
    monkeypatch.setattr(type(SYSTEMS["pdq"]), "sample", None)
    answer = as_alice.post(reverse("sample_begin", args=["pdq"]), body(), follow=True)
    assert "There is no sample of this game." in answer.content.decode() and not Campaign.objects.exists()
