"""Taps of the games beside QuestWorlds: a request to the GM, a decision after the dice."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import doing
from tests.browser.conftest import Sit
from tests.browser.guests import PHONE, overflow
from tests.browser.test_axe import serious
from tests.browser.test_taps import Taps
from tests.effort import some

ROUNDS = 14
BAR = 56  # of a phone, in pixels
ROLLED = re.compile(r"rolled=\d+|#contest")


def fits(*pages: Page) -> None:
    for page in pages:
        assert not overflow(page)
        assert not serious(page)


def under_the_thumb(button: Locator) -> bool:
    """Whether it lies just above the bar of the phone, without any scrolling."""
    expect(button).to_be_visible()
    box = button.bounding_box()
    height = PHONE["height"]
    return box is not None and box["y"] > height / 2 and box["y"] + box["height"] <= height - BAR


def led(page: Page, count: Taps) -> Locator:
    """Where what is asked first is answered. The Now bar leads there, unless it lies under the thumb already."""
    link = page.locator("#now a.button").first
    offer = page.locator(f"[id='{(link.get_attribute('href') or '').partition('#')[2]}']")
    if link.is_visible():
        count.tap(link)
    else:
        button = offer.locator("button:not([type=button]):visible").first
        assert under_the_thumb(offer if offer.evaluate("place => place.matches('button')") else button)
    offer.wait_for(state="visible")
    return offer


def press(page: Page, count: Taps, button: Locator) -> None:
    with doing.answered(page):
        count.tap(button)


@pytest.mark.parametrize("system", some(["danger_world", "pdq", "pdq_sharp", "pnc"], "danger_world"))
def test_a_request_is_answered_with_one_tap_from_any_page(sit: Sit, system: str) -> None:
    """How hard it is, asked from the tray: two taps of the player, one of the GM, and it is rolled."""
    campaign, alice, bob = sit(system)
    of_alice, of_bob = Taps(), Taps()
    bob.goto(campaign)
    tray = bob.locator("#tray")
    if system != "danger_world":  # the two stats there are stand ready
        of_bob.tap(tray.get_by_label(re.compile("Knife")).first)
    ask = tray.get_by_role("button", name="Ask the GM for the difficulty")
    expect(tray.get_by_label("Roll as soon as the GM answers")).to_be_checked()
    # Whoever presses in the moment in which a new forecast is fetched meets a box that is not filled in yet.
    tray.locator("[data-when-answered]").evaluate("box => { box.checked = false; box.disabled = true; }")
    press(bob, of_bob, ask)
    alice.goto(f"{campaign}people/")
    chip = alice.locator("#now .answers button").first
    fits(alice, bob)
    with bob.expect_navigation(url=ROLLED):
        press(alice, of_alice, chip)
    if bob.url.endswith("#rolled"):
        expect(bob.locator("#rolled")).to_be_focused()
    else:  # something is left to decide
        expect(bob.get_by_role("group", name="Your decision")).to_be_visible()
        expect(bob.locator("#rolled")).to_have_count(0)
    assert of_alice.taps == 1 and of_bob.taps <= 2
    fits(alice, bob)


@pytest.mark.parametrize("system", some(["danger_world", "pnc"], "pnc"))
def test_what_is_left_after_the_dice_is_decided_with_one_tap(sit: Sit, system: str) -> None:
    """Both answers stand on the table with what they lead to."""
    campaign, alice, bob = sit(system)
    alice.goto(f"{campaign}obstacles/put/")
    alice.get_by_label("Obstacle").fill("The wet wall")
    alice.get_by_role("button", name="Add to the scene").click()
    for _ in range(ROUNDS):
        bob.goto(campaign)
        tray = bob.locator("#tray")
        if system == "pnc":
            tray.get_by_label(re.compile("Knife")).first.check()
        press(bob, Taps(), tray.locator("#forecast button.primary"))
        stand = bob.get_by_role("button", name=re.compile("^(Let it stand|Keep all dice): "))
        if stand.count():
            again = bob.get_by_role("button", name=re.compile(r"^(Roll again: .*% better|Roll these again)"))
            expect(again).to_be_visible()
            assert under_the_thumb(stand) and under_the_thumb(again)
            fits(bob)
            press(bob, count := Taps(), stand)
            assert count.taps == 1
            return
    raise AssertionError("Nothing was left to decide.")


def with_a_style_die(alice: Page, campaign: str) -> None:
    """The GM's first act of a session: whoever is here gets one."""
    alice.goto(campaign)
    with alice.expect_navigation():
        alice.locator("#now a.button").first.click()
    press(alice, Taps(), alice.locator("[id^=offer-award-] button:not([type=button])").last)


@pytest.mark.parametrize("screen", some(["desk", "phone"], "phone"))
def test_pdq_sharp_rolls_from_the_tray_and_decides_after_the_dice(
    sit: Sit, screen: str
) -> None:
    """Two taps for a roll against an obstacle; one lets a challenge stand, beside what could be added to it."""
    campaign, alice, bob = sit("pdq_sharp", screen)
    alice.goto(f"{campaign}obstacles/put/")
    alice.get_by_label("Obstacle").fill("The wet wall")
    alice.locator("[name=difficulty]").first.select_option("expert")
    alice.get_by_role("button", name="Add to the scene").click()
    bob.goto(campaign)
    (count := Taps()).tap(bob.locator("#tray").get_by_label(re.compile("Knife")).first)
    press(bob, count, bob.locator("#forecast button.primary"))
    expect(bob.locator("#rolled")).to_be_focused()
    assert count.taps == 2
    with_a_style_die(alice, campaign)
    for _ in range(ROUNDS):
        bob.goto(campaign)
        press(bob, Taps(), bob.locator("#forecast button.primary"))
        stand = bob.locator("[id^=offer-stand-] button")
        if stand.count():  # else it has succeeded, and nothing is left to decide
            fits(bob)
            more = bob.locator(".decision .answer").nth(1)
            expect(more).to_be_visible()
            assert screen == "desk" or (under_the_thumb(stand) and under_the_thumb(more))
            press(bob, count := Taps(), stand)
            assert count.taps == 1
            expect(bob.locator("#rolled")).to_contain_text("against 11: failure")
            return
    raise AssertionError("Nothing was left to decide.")
