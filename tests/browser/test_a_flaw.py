"""A flaw comes up: its owner acts against it on a phone, or the GM compels it; each sees the other’s act (QW-24)."""
from __future__ import annotations

import os
import re

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_axe import serious

PICTURES = os.environ.get("PICTURES", "")
UNFOLDED = """(each) => {
  for (let at = each; at; at = at.parentElement) if (at.tagName == "DETAILS") at.open = true;
}"""
ILSE = [("ability", "Knife", 17), ("flaw", "In debt", 15)]


def looks_well(page: Page, called: str) -> None:
    assert not overflow(page) and not serious(page)
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{called}-{page.viewport_size['width']}.png", full_page=True)  # type: ignore[index]


def comes_up(guest: MakeGuest, server: Server) -> tuple[Page, Page]:
    """Alice, at her desk, says that Ilse's flaw comes up; both stand at its card, Bob on a phone."""
    laid = server.lay("scene", "questworlds", ILSE)
    alice, bob = (logged_in(guest(screen), server, laid["cookies"][name])
                  for screen, name in (("desk", "Alice"), ("phone", "Bob")))
    bob.goto(f"{server.url}{laid['address']}")
    bob.evaluate("window.first = true")
    alice.goto(f"{server.url}{laid['address']}contests/start/flaw/")
    alice.locator("main form [name=title]").fill("The lender stands at the door")
    alice.locator("main form [name=who]").select_option(label="Ilse")
    looks_well(alice, "flaw-start")
    alice.get_by_role("button", name="Compel the flaw").click()
    doing.at_its_card(alice)
    return alice, bob


def test_qw_24_its_owner_acts_against_a_flaw_by_the_card_on_a_phone(guest: MakeGuest, server: Server) -> None:
    alice, bob = comes_up(guest, server)
    expect(bob.locator("#now")).to_contain_text("act against the flaw, or wait until it is compelled")
    resist = bob.locator("form[action*='/resist/']").first
    expect(resist).to_be_attached()
    resist.evaluate(UNFOLDED)
    expect(resist.get_by_label(re.compile("In debt")).first).to_be_checked()
    looks_well(bob, "flaw-owner")
    with doing.answered(bob):
        resist.get_by_role("button", name="Act against a flaw").click()
    for page in (alice, bob):
        expect(page.locator("#story, #happened").first).to_contain_text(
            "Ilse acts against In debt, which resists with 15.")
    looks_well(bob, "flaw-against")
    assert bob.evaluate("window.first"), "the page stays"


def test_qw_24_the_gm_compels_it_and_its_owner_sees_what_it_taught(guest: MakeGuest, server: Server) -> None:
    alice, bob = comes_up(guest, server)
    compel = alice.locator("form[action*='/compel/']").first
    with doing.answered(alice):
        compel.get_by_role("button", name="Compel a flaw").click()
    for page in (alice, bob):
        expect(page.locator("#story, #happened").first).to_contain_text("Ilse acts as In debt dictates")
    looks_well(alice, "flaw-compelled")
    looks_well(bob, "flaw-compelled")
