"""What a player said of a roll, struck by the GM at one tap: on the card after the dice, on a request before them."""
from __future__ import annotations

import os
import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_axe import serious
from tests.browser.test_taps import Taps
from tests.effort import some

PICTURES = os.environ.get("PICTURES", "")
SAID = "Ilse says: 1 upshift for “High ground”."
KNIFE = re.compile(r"^Ilse says: Knife .*counts\.$")


def says(bob: Page) -> None:
    """An upshift, in the player's own tray."""
    tray = bob.locator("#tray")
    tray.get_by_label(re.compile("Knife")).first.check()
    tray.get_by_text("More options", exact=True).click()
    tray.locator("[name=lines_0_kind]").select_option("upshift")
    tray.locator("[name=lines_0_reason]").fill("High ground")
    tray.get_by_label("What do you try?").fill("Over the wall")


def looks_well(page: Page, called: str) -> None:
    """The chip is large enough, nothing reaches over the edge, and axe finds nothing, by light and in the dark."""
    sizes = [page.get_by_role("button", name=name).bounding_box() for name in (SAID, KNIFE)]
    least = 44 if page.viewport_size["width"] < 500 else 40  # type: ignore[index]
    assert all(size and size["height"] >= least for size in sizes) and not overflow(page)
    for scheme in ("dark", "light"):
        page.emulate_media(color_scheme=scheme)
        assert not serious(page)
        if PICTURES:
            where = f"{PICTURES}/{called}-{page.viewport_size['width']}-{scheme}.png"  # type: ignore[index]
            page.screenshot(path=where, full_page=True)


@pytest.mark.parametrize("screen", some(["desk", "phone"], "phone"))
def test_the_gm_strikes_what_was_said_on_the_card_of_the_roll(guest: MakeGuest, server: Server, screen: str) -> None:
    laid = server.lay("scene", "pdq")
    server.lay("move", laid["address"], "obstacle", [])
    alice, bob = (logged_in(guest(size), server, laid["cookies"][name])
                  for size, name in ((screen, "Alice"), ("desk", "Bob")))
    for page in (alice, bob):
        page.goto(f"{server.url}{laid['address']}")
    alice.evaluate("window.first = true")
    says(bob)
    with doing.answered(bob):
        bob.locator("#forecast button.primary").click()
    chip = alice.get_by_role("button", name=SAID)
    expect(chip).to_be_visible()  # the open page of the GM's gets the card by itself
    expect(bob.get_by_role("button", name=SAID)).to_have_count(0)
    looks_well(alice, "struck-card")
    taps = Taps()
    with doing.answered(alice):
        taps.tap(chip)
    for page in (alice, bob):
        expect(page.locator("#story")).to_contain_text(f"The GM strikes what counted: {SAID}")
    expect(alice.get_by_role("button", name=SAID)).to_have_count(0)
    assert taps.taps == 1 and alice.evaluate("window.first"), "the page stays"
    with doing.answered(alice):
        alice.get_by_role("button", name=KNIFE).click()
    expect(bob.locator("#story")).to_contain_text(re.compile("The GM strikes what counted: Ilse says: Knife"))
    expect(alice.get_by_role("button", name=KNIFE)).to_have_count(0)


@pytest.mark.parametrize("screen", some(["desk", "phone"], "phone"))
def test_the_gm_strikes_what_was_said_before_saying_how_hard_it_is(
    guest: MakeGuest, server: Server, screen: str
) -> None:
    laid = server.lay("scene", "pdq")
    alice, bob = (logged_in(guest(size), server, laid["cookies"][name])
                  for size, name in ((screen, "Alice"), ("desk", "Bob")))
    for page in (alice, bob):
        page.goto(f"{server.url}{laid['address']}")
    says(bob)
    with doing.answered(bob):
        bob.get_by_role("button", name=re.compile("Ask the GM")).first.click()
    expect(alice.locator("#now, .request").filter(visible=True).first).to_contain_text(SAID.rstrip("."))
    if screen == "phone":  # the bar has the answers there, and leads on to the rest
        alice.locator("#now").get_by_role("link", name=re.compile("^Answer")).click()
    expect(alice.get_by_role("button", name=SAID)).to_be_visible()
    looks_well(alice, "struck-request")
    with doing.answered(alice):
        alice.get_by_role("button", name=SAID).click()
    expect(bob.locator("#story")).to_contain_text(f"The GM strikes what counted: {SAID}")
    expect(alice.get_by_role("button", name=SAID)).to_have_count(0)
