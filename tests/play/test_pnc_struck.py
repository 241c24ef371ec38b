"""What a player says makes a roll of PnC easier, taken off by the GM once the dice lie: by the pages' own forms."""
from __future__ import annotations

import json
from typing import Any

import pytest
from django.test import Client

from campaigns.models import Entry
from campaigns.trail.rebuild import differences
from characters.models import Character
from play.models import Contest
from rules.sheet import Gain
from tests.html_forms import Form, Page
from tests.play.conftest import state_of, trait
from tests.play.pdq_sharp.conftest import suffers
from tests.play.questworlds.conftest import press, state
from tests.play.test_pnc_fight_by_page import at, begin, fall, in_order
from tests.play.test_pnc_table import campaign, marrow, nell, scene

__all__ = ["campaign", "fall", "marrow", "nell", "scene"]  # fixtures of those tables
pytestmark = pytest.mark.django_db

SAID = {"circumstances_0_rung": "very easy", "circumstances_0_reason": "Fog"}
WORDS = "Nell says: “Fog”, 2 bonus dice."


def to_strike(client: Client, address: str) -> list[Form]:
    return Page(client.get(address)).matching(action="/dismiss/gm/")


def strike(as_alice: Client, address: str) -> list[str]:
    """One tap of the GM's on this page; the sentences of the entry."""
    (form,) = to_strike(as_alice, address)
    assert [button.words for button in form.buttons] == [WORDS]
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    told = json.loads(Entry.objects.latest("seq").payload.text)
    assert told["dice"] is None and told["title"] == f"The GM strikes what counted: {WORDS}"
    return [step["text"] for step in told["outcome"]["steps"]]


def attack(as_alice: Client, as_bob: Client, campaign: Any, nell: Character, marrow: Character, fall: Any) -> None:
    """Nell's turn: she attacks Marrow, out of the fog."""
    in_order(as_alice, as_bob, campaign, nell, fall)
    press(as_bob, nell, "attack", words="With the boat hook", **SAID)
    fall(6, 6, 5, 1, 1)  # the lowest three are 7, the first three 17
    press(as_alice, marrow, "defend")


def test_pn_05_of_a_roll_from_the_tray_the_first_three_dice_count_again(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, fall: Any
) -> None:
    table = f"/c/{campaign.slug}/"
    tray = Page(as_bob.get(table)).form(action="/roll/")
    fall(12, 6, 6, 5, 1, 1)
    assert tray.send(as_bob, **SAID).status_code == 302
    only = Contest.objects.get()
    address = table if only.over else f"{table}contests/{only.pk}/"
    assert not to_strike(as_bob, address)
    steps = strike(as_alice, address)
    assert any(step.startswith("Before: Nell: Success: +5") for step in steps), steps
    (roller,) = state_of(Contest.objects.get()).rollers
    assert (roller.success, roller.thrown.d6, roller.weights) == (False, 17, ())
    assert not to_strike(as_alice, address)
    assert "The GM strikes what counted" in as_bob.get(table).content.decode()
    assert not list(differences(campaign.pk))


def test_pn_09_a_roll_that_somebody_lets_stand_is_not_read_again(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, fall: Any
) -> None:
    table = f"/c/{campaign.slug}/"
    fall(12, 6, 6, 5, 1, 1)
    assert Page(as_bob.get(table)).form(action="/roll/").send(as_bob, **SAID).status_code == 302
    address = f"{table}contests/{Contest.objects.get().pk}/"
    assert to_strike(as_alice, address)
    press(as_bob, nell, "stand")
    assert not to_strike(as_alice, address) and not to_strike(as_alice, table)


def test_pn_05_between_both_parts_of_an_attack_the_dice_that_lie_are_read_without_it(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    attack(as_alice, as_bob, campaign, nell, marrow, fall)
    assert state().attack.d6 == 7
    strike(as_alice, at())
    assert state().attack.d6 == 17 and not to_strike(as_alice, at())


def test_pn_10_the_wound_of_an_attack_that_is_read_is_another_or_none(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    attack(as_alice, as_bob, campaign, nell, marrow, fall)
    fall(15)
    press(as_bob, nell, "strike")
    assert marrow.traits.filter(kind="wound").count() == 1
    steps = strike(as_alice, at())
    assert any(step.startswith("Before: +8") for step in steps), steps
    assert marrow.traits.filter(kind="wound").count() == 0 and state().aftermath.attack.degree == -2
    assert not list(differences(campaign.pk))


def test_pn_05_once_somebody_has_acted_the_attack_stays_as_it_was_read(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    attack(as_alice, as_bob, campaign, nell, marrow, fall)
    fall(15)
    press(as_bob, nell, "strike")
    assert to_strike(as_alice, at())
    press(as_alice, marrow, "act", words="Waits")
    assert not to_strike(as_alice, at())


def test_pn_06_an_opposed_roll_that_is_over_is_read_again_on_its_card(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    begin(as_alice, campaign, "opposed")
    press(as_bob, nell, "weigh", **SAID)
    fall(6, 6, 5, 1, 1)
    press(as_alice, marrow, "defend")
    fall(12)
    press(as_bob, nell, "strike")
    table = f"/c/{campaign.slug}/"
    assert Contest.objects.get().over and state_of(Contest.objects.get()).last.success
    strike(as_alice, table)
    after = state_of(Contest.objects.get())
    assert not (after.attack or after.last).success
    assert not list(differences(campaign.pk))


def test_pn_07_the_dice_for_the_order_give_another_place_until_somebody_has_acted(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    begin(as_alice, campaign)
    fall(12, 6, 6, 5, 1, 1)  # the lowest three are 7, the first three 17
    press(as_bob, nell, "initiative", **SAID)
    fall(10, 3, 3, 3)
    press(as_alice, None, "roll_the_rest")
    assert [who.name for who in state().on_turn] == ["Nell"] and not to_strike(as_bob, at())
    steps = strike(as_alice, at())
    assert any(step.startswith("Before: Nell: +5") and "Now: Nell: −5" in step for step in steps), steps
    assert any(step == "The order is: Marrow; Nell." for step in steps), steps
    assert [who.name for who in state().on_turn] == ["Marrow"] and state().round == 1
    assert not to_strike(as_alice, at()) and not list(differences(campaign.pk))


def test_pn_07_once_somebody_has_acted_the_order_stands(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    begin(as_alice, campaign)
    fall(15, 3, 3, 3, 3, 3)
    press(as_bob, nell, "initiative", **SAID)
    fall(5, 4, 4, 4)
    press(as_alice, None, "roll_the_rest")
    assert to_strike(as_alice, at())
    press(as_bob, nell, "act", words="Waits")
    assert not to_strike(as_alice, at())


def told() -> str:
    """What the last entry is called."""
    return str(json.loads(Entry.objects.latest("seq").payload.text)["title"])


SLOW = "Nell says: “Slow”, 1 penalty die."


def test_pn_05_a_feature_that_was_ticked_is_struck_after_the_dice_and_a_wound_is_not(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, fall: Any
) -> None:
    table = f"/c/{campaign.slug}/"
    suffers(campaign, Gain(str(nell.pk), "wound", "Cut hand", 3))
    fall(13, 1, 1, 5, 6, 6)  # a penalty die for the feature, one for the wound: the highest three are 17
    ticked = [str(trait(nell, "Slow").pk), str(nell.traits.get(kind="wound").pk)]
    tray = Page(as_bob.get(table)).form(action="/roll/")
    assert tray.send(as_bob, features=ticked).status_code == 302
    only = Contest.objects.get()
    address = table if only.over else f"{table}contests/{only.pk}/"
    (form,) = to_strike(as_alice, address)
    assert [button.words for button in form.buttons] == [SLOW], "the wound binds"
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    assert told() == f"The GM strikes what counted: {SLOW}"
    (roller,) = state_of(Contest.objects.get()).rollers
    assert (roller.thrown.d6, [weight.reason for weight in roller.weights]) == (12, ["Cut hand"])
    assert not list(differences(campaign.pk))


def test_pn_05_of_an_attack_the_features_of_players_alone_are_struck(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    in_order(as_alice, as_bob, campaign, nell, fall)
    press(as_bob, nell, "attack", words="From above", features=[str(trait(nell, "Good jumper").pk)])
    fall(6, 6, 5, 4, 1)  # the coat is as much as two penalty dice, the jump a bonus die
    press(as_alice, marrow, "defend", features=[str(trait(marrow, "Heavy coat").pk)])
    assert not to_strike(as_alice, at()), "another die would be wanted"
    fall(15)
    press(as_bob, nell, "strike")
    assert not to_strike(as_alice, at()), "the coat is the GM’s own word"


def test_pn_06_a_feature_that_a_player_defends_with_is_struck(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Any, marrow: Any, fall: Any
) -> None:
    in_order(as_alice, as_bob, campaign, nell, fall, first=False)
    press(as_alice, marrow, "attack", words="With the pole")
    fall(6, 6, 1, 1)  # a penalty die: the highest three are 13, the first three too
    press(as_bob, nell, "defend", features=[str(trait(nell, "Good jumper").pk)])
    fall(13)
    press(as_alice, marrow, "strike")
    (form,) = to_strike(as_alice, at())
    words = "Nell says: “Good jumper”, 1 penalty die."
    assert [button.words for button in form.buttons] == [words]
    assert form.send(as_alice, form.buttons[0]).status_code == 302
    assert told() == f"The GM strikes what counted: {words}"
    assert not list(differences(campaign.pk))
