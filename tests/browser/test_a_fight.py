"""Taps of a fight in PnC: an attack with one's best, and the answer to one; players and GM, on phones and at desks."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import Sit
from tests.browser.test_more_games import fits, led, press
from tests.browser.test_taps import Taps
from tests.effort import LONG
from tests.gate import seldom

ROUNDS = 40
MOST = {"attack": 3, "defend": 2}  # for the attack one goes there, ticks what one is best at, and strikes


def begun(alice: Page, campaign: str) -> None:
    """Ilse against Old Marrow; the sides stand ready."""
    alice.goto(f"{campaign}contests/start/fight/")
    alice.get_by_label("Title (what is at stake)").fill("Knives at the well")
    alice.get_by_role("button", name="Start the fight").click()
    doing.at_its_card(alice)


def asked(page: Page) -> str:
    """What the Now bar leads to: `attack`, `defend`; "" where nothing is asked."""
    link = page.locator("#now a.button")
    match = re.search(r"#offer-([a-z_]+)-", (link.first.get_attribute("href") or "") if link.count() else "")
    return match[1] if match else ""


def acted(page: Page, action: str) -> int:
    """Does what is asked with one's best, as the page stands; answers how many taps it took."""
    taps, at_table = Taps(), page.url
    offer = page.locator(f"[id^=offer-{action}-]").first
    if action == "attack":
        led(page, taps)
        assert page.url.partition("#")[0] == at_table.partition("#")[0]  # nobody changes pages for it
        if taps.taps:
            expect(offer.locator("input:not([type=hidden])").first).to_be_focused()
    if action in MOST:
        taps.tap(offer.get_by_label(re.compile("Knife")).first)
    press(page, taps, offer.locator("button:not([type=button])").last)
    return taps.taps


@seldom
@pytest.mark.parametrize(("of_bob", "of_alice"), [("phone", "desk"), *[("desk", "phone")] * LONG])
def test_an_attack_takes_three_taps_and_its_answer_two(
    sit: Sit, of_bob: str, of_alice: str
) -> None:
    campaign, alice, bob = sit("pnc", of_bob, of_alice)
    begun(alice, campaign)
    done: set[tuple[str, str]] = set()
    wanted = {(name, action) for name in ("Alice", "Bob") for action in MOST}
    for _ in range(ROUNDS):
        for name, page in (("Alice", alice), ("Bob", bob)):
            page.goto(campaign)
            if action := asked(page):
                if (name, action) in wanted - done:
                    fits(page)
                taps = acted(page, action)
                assert taps <= MOST.get(action, 1)
                done.add((name, action))
                break
        if wanted <= done:
            return
    raise AssertionError(f"Only {sorted(done)} came up.")
