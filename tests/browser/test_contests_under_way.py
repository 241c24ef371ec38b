"""Contests of each game under way, at the table: what is asked leads on, and axe has nothing serious against it."""
from __future__ import annotations

import itertools

import pytest
from playwright.sync_api import Locator, Page

from tests.browser.conftest import Sit
from tests.browser.guests import DESK, PHONE
from tests.browser.test_more_games import fits, led, press
from tests.browser.test_taps import Taps
from tests.effort import some, tries
from tests.gate import seldom

STEPS = tries(4, 12)
KIND = {"pdq": "conflict", "pdq_sharp": "duel", "pnc": "fight", "danger_world": "check", "questworlds": "scored"}
LOOKS = list(itertools.product((DESK, PHONE), ("light", "dark")))


def begun(alice: Page, campaign: str, system: str) -> None:
    """Everybody who is here, as the form opens."""
    alice.goto(f"{campaign}contests/start/{KIND[system]}/")
    for words, box in (("Knives at the well", "title"), ("Captain Vey low", "opponents")):
        field = alice.locator(f"[name={box}]")
        if field.count() and not field.input_value():
            field.fill(words)
    with alice.expect_navigation():
        alice.get_by_role("main").locator("form button").last.click()


def asked(page: Page) -> Locator | None:
    """Where what is asked first is answered; None where nothing is."""
    return led(page, Taps()) if page.locator("#now a.button").count() else None


def answered(page: Page, offer: Locator) -> None:
    """With what stands ready: the first answer, what has to be chosen being the first of it."""
    if offer.evaluate("each => each.matches('button')"):
        press(page, Taps(), offer)
        return
    for locator in offer.locator("fieldset:has([type=radio])").all():
        if locator.is_visible() and not locator.locator(":checked").count():
            locator.locator("[type=radio]").first.check()
    for locator in offer.locator("input[name=stats]").all():
        locator.check()
    for locator in offer.locator("[required]:is(input[type=text], textarea)").all():
        locator.fill("By the rope")
    press(page, Taps(), offer.locator("button:not([type=button])").first)


@seldom
@pytest.mark.parametrize("system", some(sorted(KIND), "pnc"))
def test_a_contest_under_way(sit: Sit, system: str) -> None:
    campaign, alice, bob = sit(system)
    begun(alice, campaign, system)
    acted = set()
    for step in range(STEPS):
        for shift, page in enumerate((alice, bob)):
            viewport, scheme = LOOKS[(step + 2 * shift) % len(LOOKS)]
            page.set_viewport_size(viewport)  # type: ignore[arg-type]
            page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
            page.goto(campaign)
            fits(page)
        for page in (bob, alice):
            page.goto(campaign)  # axe has unfolded what was folded
            if (offer := asked(page)) is not None:
                answered(page, offer)
                acted.add(page)
                break
        else:
            break
    assert acted, "nothing was ever asked"
