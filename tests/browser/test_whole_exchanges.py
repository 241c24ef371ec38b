"""Taps of a whole exchange, from the attack until its damage lies: the player on a phone, the GM at a desk."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page

from tests.browser import doing
from tests.browser.conftest import Sit
from tests.browser.test_a_fight import asked
from tests.browser.test_more_games import led
from tests.browser.test_taps import Taps
from tests.effort import some

TURNS = 60
# What ends an exchange; an attack that does nothing is followed by another.
GAMES = {"pdq": ("conflict", "take_damage"), "pnc": ("fight", "strike")}
TICKED = {"attack", "defend"}
MOST = 5


def acted(page: Page, action: str) -> int:
    """Does what is asked with one's best; answers how many taps it took."""
    taps, offer = Taps(), page.locator(f"[id^=offer-{action}-]").first
    best = offer.get_by_label(re.compile("Knife")).first
    if not (best if action in TICKED else offer.locator("button:not([type=button])").last).is_visible():
        led(page, taps)
    if action in TICKED:
        taps.tap(best)
    with doing.answered(page):
        taps.tap(offer.locator("button:not([type=button])").last)
    return taps.taps


@pytest.mark.parametrize("system", some(GAMES, "pnc"))
def test_an_exchange_with_damage_takes_five_taps_in_all(sit: Sit, system: str) -> None:
    (kind, last), (campaign, alice, bob) = GAMES[system], sit(system)
    alice.goto(f"{campaign}contests/start/{kind}/")
    alice.get_by_label("Title (what is at stake)").fill("Knives at the well")
    alice.get_by_role("button", name=re.compile("^Start the")).click()
    doing.at_its_card(alice)
    taps, counted = 0, False
    for _ in range(TURNS):
        for page in (bob, alice):
            page.goto(campaign)
            if not (action := asked(page)):
                continue
            if action == "attack":
                taps, counted = 0, True
            taps += acted(page, action)
            if counted and action == last:
                assert taps <= MOST
                return
            break
    raise AssertionError("Nobody was hurt.")
