"""Challenges at the table through their pages (PS-10 to PS-17)."""
from __future__ import annotations

from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from play.services import pools
from rules.sheet import Spend
from tests import laid
from tests.html_forms import Page
from tests.play.conftest import body, trait
from tests.play.pdq_sharp.conftest import suffers
from tests.play.test_conflict_deaths import marks, taken_back
from tests.play.test_now import bar
from tests.play.tray_page import shown

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


@laid.fixture
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
    assert "Let it stand" in page and "enough: 50%" in page  # 11 against 13: a 4 makes it
    assert 'name="what"' not in as_alice.get(at("challenge")).content.decode().partition("<aside")[0]
    rapier = trait(perpetua, "Rapier").pk
    page = press(as_bob, "challenge", "add", perpetua.pk, what=f"{rapier}|die")
    assert "11 becomes 15" in page and "a success" in page
    moments = Entry.objects.filter(kind__in=["contest.roll", "contest.add"])
    assert moments.count() == 2, "the trail has both moments"


def test_ps_17_a_page_may_let_it_stand_by_itself_for_this_campaign_and_kind_alone(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, climbing: str, dice: list[int]
) -> None:
    press(as_alice, "challenge", "set", "gm", difficulty="master", harm="none")
    dice += [5, 2, 6]
    page = press(as_bob, "challenge", "roll", perpetua.pk, fortes=[climbing], style="0")
    assert f'data-stands="{campaign.pk} pdq_sharp.challenge_at_table"' in page


def test_ps_17_no_page_lets_it_stand_by_itself_where_failing_hurts(
    as_bob: Client, campaign: Any, perpetua: Character, climbing: str, dice: list[int]
) -> None:
    dice += [5, 2, 6]
    page = press(as_bob, "challenge", "roll", perpetua.pk, fortes=[climbing], style="0")
    assert "Let it stand" in page and "data-stands" not in page, "failing costs failure ranks"
    assert "data-stands" not in press(as_bob, "challenge", "stand", perpetua.pk), "nor is damage placed so"


def test_ps_14_failing_teaches_and_costs_the_difference_where_the_player_likes(
    as_bob: Client, campaign: Any, perpetua: Character, climbing: str, dice: list[int]
) -> None:
    dice += [1, 2]
    press(as_bob, "challenge", "roll", perpetua.pk, fortes=[climbing], style="0")
    page = press(as_bob, "challenge", "stand", perpetua.pk)
    assert perpetua.pools.get(name="training_points").value == 1 and "Assign 6 failure ranks" in page
    place = next(act for act in as_bob.get(at("challenge")).context["acts"] if act.offer.action == "place")
    named = {label.partition(",")[0]: f"spread_{n}" for n, (_, label) in enumerate(place.offer.options["spread"])}
    press(as_bob, "challenge", "place", perpetua.pk, **{named["Gambler"]: 3, named["Ropewalker"]: 3})
    assert [trait.name for trait in perpetua.traits.filter(failures=3)] == ["Gambler", "Ropewalker"]
    assert perpetua.traits.filter(kind="hook").exists() and not list(differences(campaign.pk))


@pytest.mark.parametrize("before", [False, True])
def test_ps_30_what_takes_the_first_hit_of_the_scene_is_asked_for_that_one_alone(
    as_bob: Client, campaign: Any, perpetua: Character, climbing: str, dice: list[int], before: bool
) -> None:
    if before:
        suffers(campaign, Spend(str(perpetua.pk), "scene_hits", 1))
    dice += [1, 2]
    press(as_bob, "challenge", "roll", perpetua.pk, fortes=[climbing], style="0")
    press(as_bob, "challenge", "stand", perpetua.pk)
    form = Page(as_bob.get(at("challenge"))).form(action=f"/place/{perpetua.pk}/")
    assert ("first" in form.controls) is not before
    assert form.send(as_bob).status_code == 302
    assert perpetua.traits.filter(kind="hook").exists() is not before


def flashy(client: Client, campaign: Any, **entered: str) -> None:
    """A flashy challenge is begun by its page."""
    begins = Page(client.get(f"/c/{campaign.slug}/contests/start/flashy/")).form(button="Start a flashy challenge")
    answer = begins.send(client, **entered)
    assert answer.status_code == 302, Page(answer).errors


def test_ps_16_a_flashy_challenge_gives_a_style_die_from_the_box(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int],
) -> None:
    flashy(as_bob, campaign, who=str(perpetua.pk), beside=str(corvin.pk))
    dice += [6, 6, 1, 1]
    press(as_bob, "flashy", "roll", perpetua.pk, fortes=[str(trait(perpetua, "Fencing").pk)], style="0")
    press(as_alice, "flashy", "roll", corvin.pk, style="0")
    while "Let it stand" in as_alice.get(at("flashy")).content.decode():
        press(as_alice, "flashy", "stand", corvin.pk)
    assert "Perpetua Vane wins" in as_bob.get(at("flashy")).content.decode()
    press(as_alice, "flashy", "place", corvin.pk)
    assert perpetua.pools.get(name="style_dice").value == 1
    assert sum(trait.failures for trait in corvin.traits.all()) == 1


def test_ps_11_techniques_and_style_dice_before_the_roll_are_dice_or_one_more(
    as_bob: Client, campaign: Any, perpetua: Character, climbing: str, dice: list[int]
) -> None:
    suffers(campaign, Spend(str(perpetua.pk), "style_dice", 1))
    rapier, roofs = str(trait(perpetua, "Rapier").pk), str(trait(perpetua, "Rooftops").pk)
    twice = as_bob.post(f"{at('challenge')}roll/{perpetua.pk}/", body(
        fortes=[climbing], techniques=[rapier], flat=[rapier], style="0"))
    assert twice.status_code == 422 and "as a die or as +1, not both" in twice.content.decode()
    dice += [1, 2, 5, 3]
    page = press(as_bob, "challenge", "roll", perpetua.pk, fortes=[climbing], techniques=[rapier], flat=[roofs],
                 style="1")
    assert "13 against 13: a success" in page and perpetua.pools.get(name="style_dice").value == 0  # 5 + 3 + 4 + 1
    assert pools.held(campaign, "bowl") == 5


def test_ps_13_a_foible_is_rolled_as_poor(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, climbing: str
) -> None:
    foible = str(trait(perpetua, "Must have the last word").pk)
    assert "Must have the last word, poor" in as_bob.get(at("challenge")).content.decode()
    tray = as_alice.post(f"/c/{campaign.slug}/tray/", body(
        character=str(perpetua.pk), shown=shown(as_alice, campaign, perpetua), difficulty="good",
        fortes=[foible]), headers={"HX-Request": "true"}).content.decode()
    assert "2d6, −2 against 9" in tray


def test_ps_15_another_player_helps_and_one_rolls(
    as_alice: Client, as_bob: Client, campaign: Any, perpetua: Character, corvin: Character, climbing: str,
    dice: list[int],
) -> None:
    press(as_alice, "challenge", "help", corvin.pk, fortes=[str(trait(corvin, "Schemes").pk)])
    assert "Corvin Ashgrove helps." in as_bob.get(at("challenge")).content.decode()
    dice += [3, 2]
    page = press(as_bob, "challenge", "roll", perpetua.pk, fortes=[climbing], style="0")
    assert "13 against 13: a success" in page  # 5 + 4 + 4
    refused = as_bob.post(f"{at('challenge')}help/{corvin.pk}/", body(fortes=[]))
    assert refused.status_code == 409


def test_ps_32_who_dies_before_the_dice_rolls_no_challenge_and_undoing_that_goes_on(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, perpetua: Character, climbing: str
) -> None:
    written = marks(as_alice, perpetua)
    assert "Perpetua Vane is dead: the challenge is called off." in written.payload.text
    assert not as_bob.get(at("challenge")).context["acts"] and "roll" not in bar(as_bob, campaign)
    taken_back(campaign, alices, written)
    assert "Your turn: roll" in bar(as_bob, campaign) and not list(differences(campaign.pk))


def test_ps_15_who_dies_before_the_dice_helps_no_longer(
    as_alice: Client, as_bob: Client, campaign: Any, alices: Any, perpetua: Character, corvin: Character,
    climbing: str, dice: list[int],
) -> None:
    press(as_alice, "challenge", "help", corvin.pk, fortes=[str(trait(corvin, "Schemes").pk)])
    written = marks(as_alice, corvin)
    assert "Corvin Ashgrove is dead, and no longer helps." in written.payload.text
    assert "Corvin Ashgrove helps." not in as_bob.get(at("challenge")).content.decode()
    taken_back(campaign, alices, written)
    assert "Corvin Ashgrove helps." in as_bob.get(at("challenge")).content.decode()
    marks(as_alice, corvin)
    dice += [3, 2]
    assert "9 against 13" in press(as_bob, "challenge", "roll", perpetua.pk, fortes=[climbing], style="0")
    assert not marks(as_alice, perpetua).payload.text.count("called off"), "dice that lie stay"
    assert not list(differences(campaign.pk))


def test_ps_16_whoever_challenges_themselves_reads_so_where_the_challenged_one_is_chosen(
    as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character
) -> None:
    at = f"/c/{campaign.slug}/contests/start/flashy/"
    begins = Page(as_bob.get(at)).form(action=at)
    assert begins.controls["beside"].opens == [str(corvin.pk)], "someone else stands chosen"
    again = Page(begins.send(as_bob, beside=str(perpetua.pk))).form(action=at)
    assert again.controls["beside"].refused and again.controls["beside"].opens == [str(perpetua.pk)]


def test_ps_16_the_chances_stand_on_the_page_before_a_flashy_roll(
    as_alice: Client, as_bob: Client, campaign: Any, session: None, perpetua: Character, corvin: Character,
    dice: list[int],
) -> None:
    flashy(as_bob, campaign)
    page = as_bob.get(at("flashy")).content.decode()
    assert f"{at('flashy')}roll/{perpetua.pk}/odds/" in page
    fencing = str(trait(perpetua, "Fencing").pk)
    asked = as_bob.post(f"{at('flashy')}roll/{perpetua.pk}/odds/", body(fortes=[fencing], style="0")).content.decode()
    assert "Against Corvin Ashgrove, Fencing" in asked and "You win" in asked and "55.6%" in asked
    dice += [5, 4]
    press(as_alice, "flashy", "roll", corvin.pk, style="0", fortes=[str(trait(corvin, "Fencing").pk)])
    asked = as_bob.post(f"{at('flashy')}roll/{perpetua.pk}/odds/", body(fortes=[fencing], style="0")).content.decode()
    assert "Against Corvin Ashgrove, 13" in asked and "27.8%" in asked  # 9 and more of two dice
