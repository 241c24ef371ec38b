"""A tray that stands open follows what the table does, and keeps what was chosen and typed: nobody reloads the page."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.serving import Server
from tests.browser.staging import OF_GAMES
from tests.effort import some

WORDS = "Over the wet planks"
TICKED = {"danger_world": "Agility"}
POOLS = {  # where an open page shows what somebody is given or what befalls them, and its words
    "pdq": ("#tray", "The rope trick"), "pdq_sharp": ("#tray", "Style dice"),
    "danger_world": ("#tray", "Story points left: 2"), "questworlds": ("#present", "Story points 5"),
    "pnc": ("#forecast", "Ilse is unconscious, until the scene ends."),
}


def kept(tray: Locator, name: str) -> None:
    """What was chosen and typed is there still, and the focus is where it was."""
    expect(tray.get_by_label(re.compile(name)).first).to_be_checked()
    expect(tray.get_by_label("What do you try?")).to_have_value(WORDS)
    expect(tray.get_by_label("What do you try?")).to_be_focused()


def odds(tray: Locator) -> str:
    """The button with its chance, and the bar above it."""
    return tray.locator("#forecast").inner_text()


def moved_on(page: Page, before: str) -> None:
    """The odds are other ones, as one reads them."""
    for _ in range(60):
        if odds(page.locator("#tray")) != before:
            return
        page.wait_for_timeout(100)
    raise AssertionError(f"The odds are still: {before}")


def never_again(page: Page) -> None:
    """From here on the page is the one that it is: a reload would forget this mark."""
    page.evaluate("window.first = true")


@pytest.mark.parametrize("system", some(sorted(OF_GAMES), "danger_world", "pdq_sharp", "questworlds"))
def test_an_open_tray_follows_the_table(guest: MakeGuest, server: Server, system: str) -> None:
    laid, lines, name = server.lay("scene", system), OF_GAMES[system], TICKED.get(system, "Knife")
    bob = logged_in(guest("desk"), server, laid["cookies"]["Bob"])

    def moves(what: str) -> None:
        server.lay("move", laid["address"], what, lines)

    bob.goto(f"{server.url}{laid['address']}")
    never_again(bob)
    tray = bob.locator("#tray")
    tray.get_by_label(re.compile(name)).first.check()
    tray.get_by_text("More options", exact=True).click()
    tray.get_by_label("What do you try?").fill(WORDS)
    before = odds(tray)

    moves("obstacle")
    expect(tray.get_by_role("status")).to_contain_text("The obstacle is now Fog over the bar")
    expect(tray.locator("[name=obstacle]").first).to_be_attached()
    moved_on(bob, before)
    expect(tray.get_by_role("alert")).to_have_count(0)
    kept(tray, name)

    moves("consequence")
    expect(tray.get_by_role("status")).to_contain_text("On Ilse’s sheet there is now Ink on the fingers")
    kept(tray, name)

    there, words = POOLS[system]
    expect(bob.locator(there)).not_to_contain_text(words)
    moves("pool")
    expect(bob.locator(there)).to_contain_text(words)
    kept(tray, name)
    if system == "pnc":  # nobody unconscious rolls
        expect(tray.locator("#forecast [data-rolls]")).to_have_count(0)
        moves("brought round")
        expect(tray.locator("#forecast [data-rolls]")).to_be_visible()
        kept(tray, name)

    moves("person")
    if system == "pdq":
        expect(tray.locator("[name=help]").first).to_be_attached()
        expect(tray).to_contain_text("The ferryman")
        expect(tray).not_to_contain_text("Old Marrow")
    expect(bob.locator("#present")).to_contain_text("The ferryman")
    kept(tray, name)

    moves("character")
    expect(tray.get_by_role("link", name="Wren")).to_have_count(1)
    kept(tray, name)

    moves("scene")
    expect(tray.get_by_role("status")).to_contain_text("Fog over the bar is no longer an obstacle")
    expect(tray.locator("[name=obstacle]")).to_have_count(0)
    kept(tray, name)

    moves("obstacle")
    expect(tray.locator("[name=obstacle]").first).to_be_attached()
    kept(tray, name)
    assert bob.evaluate("window.first")
    tray.locator("#forecast button.primary").click()
    # Where something is left to decide, its dice stand in the contest, and nowhere twice.
    expect(bob.locator("#rolled, #contest")).to_contain_text(re.compile(f"Ilse|{WORDS}"))


@pytest.mark.parametrize("system", some(OF_GAMES, "pdq", "questworlds"))
def test_whoever_has_nobody_gets_a_tray_with_their_character(guest: MakeGuest, server: Server, system: str) -> None:
    laid, lines = server.lay("scene", system), OF_GAMES[system]
    server.lay("move", laid["address"], "nobody", lines)
    bob = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    bob.goto(f"{server.url}{laid['address']}")
    never_again(bob)
    expect(bob.locator("form#tray")).to_have_count(0)
    server.lay("move", laid["address"], "character", lines)
    tray = bob.locator("form#tray")
    expect(tray.locator("#forecast button.primary")).to_be_visible()
    expect(tray).to_contain_text(lines[0][1])
    server.lay("move", laid["address"], "obstacle", lines)
    expect(tray.get_by_role("status")).to_contain_text("The obstacle is now Fog over the bar")
    assert bob.evaluate("window.first")
