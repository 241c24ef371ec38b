"""The terms of PnC’s rolls by their pages: frozen with the dice, alike at each door, struck by the GM (PN-05)."""
from __future__ import annotations

import json
import re
import uuid
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from campaigns import trail
from campaigns.models import Entry
from characters.models import Character, Trait
from play.models import ContestEvent
from rules.sheet import Gain
from tests.html_forms import Form, Page
from tests.play.conftest import trait
from tests.play.pdq_sharp.conftest import suffers
from tests.play.questworlds.conftest import press
from tests.play.test_now import bar, words
from tests.play.test_pnc_fight_by_page import at, begin, fall, form, in_order
from tests.play.test_pnc_table import campaign, marrow, nell, scene

__all__ = ["campaign", "fall", "marrow", "nell", "scene"]  # fixtures of those tables
pytestmark = pytest.mark.django_db


def tray(client: Client, campaign: Any) -> Form:
    return Page(client.get(reverse("table", args=[campaign.slug]))).form(action="/roll/")


def jump(as_bob: Client, campaign: Any, nell: Character, **more: Any) -> dict[str, Any]:
    """Nell jumps by the tray, good at it; what was written."""
    answer = tray(as_bob, campaign).send(as_bob, what="Jump", features=[str(trait(nell, "Good jumper").pk)], **more)
    assert answer.status_code == 302, Page(answer).errors
    written: dict[str, Any] = json.loads(Entry.objects.filter(campaign=campaign).latest("seq").payload.text)
    return written


def test_pn_05_what_a_roll_of_the_tray_fell_with_stands_with_its_dice(
    as_bob: Client, campaign: Any, scene: None, nell: Character
) -> None:
    jump(as_bob, campaign, nell)
    [rolled] = [json.loads(event.text) for event in ContestEvent.objects.all() if '"event":"rolled"' in event.text]
    assert [weight["reason"] for weight in rolled["terms"]["weights"]] == ["Good jumper"]


def test_pn_05_the_page_of_odds_and_the_roll_itself_say_the_same(
    as_bob: Client, campaign: Any, scene: None, nell: Character
) -> None:
    page = as_bob.get(reverse("odds", args=[campaign.slug]), {
        "of": "roll", "bonus": "1", "penalty": "0", "open_ended": "on"})
    assert "1d20 against 4d6, the lowest three: 1 bonus die." in page.content.decode()
    [rolled] = jump(as_bob, campaign, nell)["outcome"]["rolls"]
    assert (rolled["given"]["bonus"], rolled["given"]["penalty"]) == (1, 0)


def test_pn_10_a_wound_that_comes_while_the_tray_is_open_is_ticked_there_and_not_left_out_unsaid(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, alices: Any
) -> None:
    open_tray, good = tray(as_bob, campaign), str(trait(nell, "Good jumper").pk)
    with trail.entry(campaign=campaign, actor=alices, op_id=uuid.uuid4(), kind="test", title="A cut") as entry:
        entry.create(Trait(campaign=entry.campaign, character=nell, kind="wound", name="A cut", value=3, place=90))
    cut = str(trait(nell, "A cut").pk)
    refused = open_tray.send(as_bob, features=[good])
    assert refused.status_code == 422 and not Entry.objects.filter(kind="contest.tray").exists()
    (again,) = Page(refused).matching(action="/roll/")
    assert again.controls["features"].opens == [cut, good], "as it is ticked where a tray opens"
    # Who takes it off by now says so.
    assert again.send(as_bob, features=[good]).status_code == 302
    assert "Nell says that “A cut” doesn’t count here." in Entry.objects.latest("seq").payload.text


def test_pn_05_the_button_of_the_tray_says_the_dice_that_fall_as_it_is_filled_in(
    as_bob: Client, campaign: Any, scene: None, nell: Character
) -> None:
    suffers(campaign, *(Gain(str(nell.pk), "wound", name, 3) for name in ("Cut hand", "Cut arm", "Cut leg")))
    shown = as_bob.get(reverse("table", args=[campaign.slug])).content.decode()
    assert "Why 1d20 against 6d6?" in " ".join(shown.split()) and "Roll 1d20 against 6d6, the highest three" in shown
    chosen = tray(as_bob, campaign).filled(what="Jump", features=[str(trait(nell, "Good jumper").pk)])
    asked = as_bob.post(reverse("tray", args=[campaign.slug]), chosen, headers={"HX-Request": "true"}).content.decode()
    assert "Roll 1d20 against 4d6, the lowest three" in asked


def test_pn_05_what_can_not_follow_the_ticks_of_a_form_names_no_dice_that_do_not_fall(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character
) -> None:
    """The form of a competition, what is asked for it, and its page, which counts what stands ready."""
    suffers(campaign, Gain(str(nell.pk), "wound", "Cut hand", 3))
    start = as_alice.get(reverse("start_contest", args=[campaign.slug, "competition"]))
    Page(start).form(action="/competition/").send(as_alice, title="Over the gap")
    page = as_bob.get(at()).content.decode()
    assert "1d20 against 4d6, the highest three" in page and page.count("1d20 against 3d6") == 1, "Marrow’s"
    assert "Roll 1d20" in [button.words for button in form(as_bob, "roll").buttons]
    assert "roll 1d20 against" not in as_bob.get(reverse("table", args=[campaign.slug])).content.decode()


def test_pn_05_what_is_rolled_for_a_place_is_said_by_the_form_alone(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character, fall: Any
) -> None:
    suffers(campaign, Gain(str(nell.pk), "wound", "Cut hand", 3))
    begin(as_alice, campaign)
    assert "Roll initiative" in [button.words for button in form(as_bob, "initiative").buttons]
    assert "Roll initiative: 1d20" not in as_bob.get(at()).content.decode()


def test_pn_10_a_defence_names_no_dice_that_do_not_fall_and_its_page_counts_what_stands_ready(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character, fall: Any
) -> None:
    """What hinders whoever defends helps the attack: where it is ticked in the form, four dice fall and not three."""
    in_order(as_alice, as_bob, campaign, nell, fall, first=False)
    suffers(campaign, Gain(str(nell.pk), "wound", "Cut hand", 3))
    assert "Your d20 against their 3d6" not in as_alice.get(at()).content.decode()
    press(as_alice, marrow, "attack", words="With a chair")
    defence, page = form(as_bob, "defend"), as_bob.get(at()).content.decode()
    assert defence.controls["features"].opens == [str(trait(nell, "Cut hand").pk)]
    assert [button.words for button in defence.buttons] == ["Defend"]
    assert "roll against Marrow" in bar(as_bob, campaign)
    assert "As it is now: 1d20 against 4d6, the lowest three" in page and "Why 1d20 against 4d6?" in page
    assert "Cut hand" in page.partition("As it is now")[0], "the factors that the chances count"
    fall(1, 2, 3, 6)
    press(as_bob, nell, "defend")
    assert "1d20 against 4d6, the lowest three" in Entry.objects.latest("seq").payload.text


def test_pn_05_what_is_told_before_the_dice_says_that_more_factors_may_come(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character
) -> None:
    """A factor that is put down or taken off says what the factors come to, not what falls: wounds are ticked still."""
    suffers(campaign, Gain(str(nell.pk), "wound", "Cut hand", 3))
    start = as_alice.get(reverse("start_contest", args=[campaign.slug, "competition"]))
    Page(start).form(action="/competition/").send(as_alice, title="Over the gap")
    press(as_bob, nell, "weigh", features=[str(trait(nell, "Good jumper").pk)])
    told = Entry.objects.latest("seq").payload.text
    assert "Nell: the factors so far make it 1d20 against 4d6, the lowest three." in told
    press(as_bob, nell, "drop", which="0")
    told = Entry.objects.latest("seq").payload.text
    assert "“Good jumper” no longer counts for Nell; the factors so far make it 1d20 against 3d6." in told


def test_pn_06_the_page_of_odds_tells_a_miss_that_may_turn_on_the_attacker_from_another_as_a_fight_does(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character, fall: Any
) -> None:
    """Each row stands for itself: all together are everything that can come of an attack."""
    in_order(as_alice, as_bob, campaign, nell, fall)
    press(as_bob, nell, "attack", words="With the boat hook")
    bar_of_fight = re.search(r'aria-label="(Destroyed [^"]*)"', as_bob.get(at()).content.decode())
    page = as_bob.get(reverse("odds", args=[campaign.slug])).content.decode()
    table = re.search(r'aria-label="Attacks".*?<tbody>(.*?)</tbody>', page, re.DOTALL)
    assert bar_of_fight and table
    rows = [re.findall(r">([^<>]+)</", row) for row in table[1].split("</tr>") if "<td" in row]
    assert ", ".join(f"{row[0]} {row[4]}" for row in rows) == bar_of_fight[1], "of no dice added, after three bonuses"


def chances(client: Client, of: Form, **filled: Any) -> str:
    """What a form says of its roll while it is filled in."""
    answer = client.post(f"{of.action}odds/", of.filled(**filled), headers={"HX-Request": "true"})
    return words(answer.content.decode())


def test_pn_10_the_chances_of_an_attack_count_the_wounds_that_stand_ready_in_the_other_ones_form(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character, fall: Any
) -> None:
    """Before an attack is declared and after it they are the same, as long as nobody says more."""
    in_order(as_alice, as_bob, campaign, nell, fall)
    suffers(campaign, Gain(str(marrow.pk), "wound", "Split lip", 6))
    told = chances(as_bob, form(as_bob, "attack"))
    assert "Why 1d20 against 5d6?" in told and "Split lip Marrow, very hard: 2 bonus dice" in told
    press(as_bob, nell, "attack")
    page = words(as_bob.get(at()).content.decode())
    assert "As it is now: 1d20 against 5d6, the lowest three" in page
    hurt = re.search(r"Badly hurt [\d.]+%", page)
    assert hurt and hurt[0] in told


def test_pn_05_who_adds_to_an_opposed_roll_sees_better_chances_by_what_is_easy(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character
) -> None:
    suffers(campaign, Gain(str(marrow.pk), "wound", "Split lip", 6))
    begin(as_alice, campaign, "opposed")
    told = chances(as_bob, form(as_bob, "weigh"), features=[str(trait(nell, "Good jumper").pk)])
    assert "Why 1d20 against 6d6?" in told, "one die of hers, two of his wound"


def test_pn_05_a_defence_says_of_what_is_not_ticked_what_it_would_do_there(
    as_alice: Client, as_bob: Client, campaign: Any, scene: None, nell: Character, marrow: Character, fall: Any
) -> None:
    """What is easy for whoever defends is a penalty for the attack, ticked or not yet."""
    in_order(as_alice, as_bob, campaign, nell, fall, first=False)
    press(as_alice, marrow, "attack")
    jumper, defence = str(trait(nell, "Good jumper").pk), form(as_bob, "defend")
    assert "−1 Good jumper not counted, easy" in chances(as_bob, defence)
    assert "−1 Good jumper Nell, easy: 1 penalty die" in chances(as_bob, defence, features=[jumper])
