"""Challenges at the table through their pages (PS-10 to PS-17)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from tests.play.conftest import body, trait

pytestmark = pytest.mark.django_db


def at(name: str) -> str:
    contest = Contest.objects.select_related("campaign").get(kind=f"pdq_sharp.{name}_at_table")
    return f"/c/{contest.campaign.slug}/contests/{contest.pk}/"


def begin(client: Client, campaign: Any, slug: str, **sent: Any) -> None:
    answer = client.post(f"/c/{campaign.slug}/contests/start/{slug}/", body(title="Up the wall", **sent))
    assert answer.status_code == 302, answer.content.decode()


def press(client: Client, name: str, action: str, by: Any, **sent: Any) -> str:
    answer = client.post(f"{at(name)}{action}/{by}/", body(**sent))
    assert answer.status_code == 302, answer.content.decode()
    return client.get(at(name)).content.decode()


@pytest.fixture
def climbing(as_bob: Client, as_alice: Client, campaign: Any, session: None, perpetua: Character) -> str:
    """Bob tries something, and Alice has set the difficulty."""
    begin(as_bob, campaign, "challenge", who=str(perpetua.pk), difficulty="", harm="none")
    assert "set the difficulty" in as_alice.get(at("challenge")).content.decode()
    press(as_alice, "challenge", "set", "gm", difficulty="master", harm="failure")
    return str(trait(perpetua, "Fencing").pk)


def test_ps_10_a_player_tries_it_and_the_gm_says_how_hard_it_is(
    as_bob: Client, campaign: Any, perpetua: Character, climbing: str, dice: list[int]
) -> None:
    given = body(fortes=[climbing], style="0")
    odds = as_bob.post(f"{at('challenge')}roll/{perpetua.pk}/odds/", given).content.decode()
    assert "Success" in odds and "%" in odds
    dice += [6, 5]
    page = press(as_bob, "challenge", "roll", perpetua.pk, fortes=[climbing], style="0")
    assert "Success" in page and "15 against 13: a success" in page
    assert not list(differences(campaign.pk))


def test_ps_17_after_the_dice_it_waits_and_each_way_says_the_chance(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, climbing: str, dice: list[int]
) -> None:
    dice += [5, 2, 6]
    page = press(as_bob, "challenge", "roll", perpetua.pk, fortes=[climbing], style="0")
    assert "Let it stand" in page and "enough: <b>50 %</b>" in page  # 11 against 13: a 4 makes it
    assert 'name="what"' not in as_alice.get(at("challenge")).content.decode().partition("<aside")[0]
    rapier = trait(perpetua, "Rapier").pk
    page = press(as_bob, "challenge", "add", perpetua.pk, what=f"{rapier}|die")
    assert "11 becomes 15" in page and "a success" in page
    moments = Entry.objects.filter(kind__in=["contest.roll", "contest.add"])
    assert moments.count() == 2, "the trail has both moments"


def test_ps_14_failing_teaches_and_costs_the_difference_where_the_player_likes(
    as_bob: Client, campaign: Any, perpetua: Character, climbing: str, dice: list[int]
) -> None:
    dice += [1, 2]
    press(as_bob, "challenge", "roll", perpetua.pk, fortes=[climbing], style="0")
    page = press(as_bob, "challenge", "stand", perpetua.pk)
    assert perpetua.pools.get(name="training_points").value == 1 and "Place 6 failure ranks" in page
    place = next(each for each in as_bob.get(at("challenge")).context["acts"] if each.offer.action == "place")
    named = {label.partition(",")[0]: f"spread_{n}" for n, (_, label) in enumerate(place.offer.options["spread"])}
    press(as_bob, "challenge", "place", perpetua.pk, **{named["Gambler"]: 3, named["Ropewalker"]: 3})
    assert [each.name for each in perpetua.traits.filter(failures=3)] == ["Gambler", "Ropewalker"]
    assert perpetua.traits.filter(kind="hook").exists() and not list(differences(campaign.pk))


def test_ps_16_a_flashy_challenge_gives_a_style_die_from_the_box(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int],
) -> None:
    begin(as_bob, campaign, "flashy", who=str(perpetua.pk), beside=str(corvin.pk))
    dice += [6, 6, 1, 1]
    press(as_bob, "flashy", "roll", perpetua.pk, fortes=[str(trait(perpetua, "Fencing").pk)], style="0")
    press(as_alice, "flashy", "roll", corvin.pk, style="0")
    while "Let it stand" in as_alice.get(at("flashy")).content.decode():
        press(as_alice, "flashy", "stand", corvin.pk)
    assert "Perpetua Vane wins" in as_bob.get(at("flashy")).content.decode()
    press(as_alice, "flashy", "place", corvin.pk)
    assert perpetua.pools.get(name="style_dice").value == 1
    assert sum(each.failures for each in corvin.traits.all()) == 1
