"""The end of an evening is counted: the scene, the session, and the review of what lasts."""
from __future__ import annotations

import os
import re

from playwright.sync_api import expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, Sit, logged_in
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_axe import serious
from tests.browser.test_taps import Taps

PICTURES = os.environ.get("PICTURES", "")
ILSE = [("ability", "Knife", 13), ("consequence", "Broken wrist", 2)]


def test_a_session_ends_with_its_scene_and_its_review_in_six_taps(sit: Sit) -> None:
    campaign, alice, bob = sit("questworlds", ilse=ILSE)
    alice.goto(campaign)
    taps = Taps()
    taps.tap(alice.locator("details.menu > summary"))
    taps.tap(alice.get_by_role("link", name="End the session"))
    with alice.expect_navigation(url=re.compile("/ended/$")):
        taps.tap(alice.get_by_role("button", name="End the session"))
    ended = alice.url
    assert not overflow(alice) and not serious(alice)
    with alice.expect_navigation(url=re.compile("/contests/")):
        taps.tap(alice.get_by_role("button", name="Review consequences"))
    with doing.answered(alice):
        taps.tap(alice.get_by_role("button", name="Lower by a rank"))
    with doing.answered(alice):
        taps.tap(alice.locator("#acts").get_by_role("button", name="Finish the"))
    assert taps.taps == 6
    bob.goto(ended)
    assert bob.get_by_role("heading", name="Your session, Ilse").is_visible()
    assert not overflow(bob) and not serious(bob)


def test_qw_81_an_advance_from_what_one_did_is_one_tap_on_a_phone(server: Server, guest: MakeGuest) -> None:
    laid = server.lay("table", "questworlds")
    server.lay("used_two", laid["address"], "Bob")
    alice, bob = (logged_in(guest(screen), server, laid["cookies"][name])
                  for screen, name in (("desk", "Alice"), ("phone", "Bob")))
    alice.goto(f"{server.url}{laid['address']}chronicle/close/")
    with alice.expect_navigation(url=re.compile("/ended/$")):
        alice.get_by_role("button", name="End the session").last.click()
    for page in (alice, bob):
        page.goto(alice.url)
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            assert not overflow(page) and not serious(page)
        if PICTURES:
            page.screenshot(path=f"{PICTURES}/advance-{page.viewport_size['width']}.png", full_page=True)  # type: ignore[index]
    assert bob.get_by_role("region", name=re.compile("^An advance for")).get_by_text("→").count() == 2
    with bob.expect_navigation():
        bob.get_by_role("button", name=re.compile("^Take both")).tap()
    expect(bob.get_by_text("Saved as entry")).to_be_visible()


def test_who_is_out_asks_with_one_tap_and_one_grants_it(server: Server, guest: MakeGuest) -> None:
    laid = server.lay("table", "pdq")
    alice, bob = (logged_in(guest(screen), server, laid["cookies"][name])
                  for screen, name in (("desk", "Alice"), ("phone", "Bob")))
    server.lay("put_out", laid["address"], "Bob")
    for page in (alice, bob):
        page.goto(f"{server.url}{laid['address']}")
    with doing.answered(bob):
        bob.locator("#forecast").get_by_role("button", name="Ask the GM to let me recover").tap()
    expect(bob.locator("#now")).to_contain_text("Waiting for the GM: let")
    grants = alice.locator("#now").get_by_role("button", name="All damage")
    expect(grants).to_be_visible()
    if PICTURES:
        alice.screenshot(path=f"{PICTURES}/asked.png")
    with doing.answered(alice):
        grants.click()
    expect(bob.locator("#now")).not_to_contain_text("recover")
    expect(bob.locator("#forecast").get_by_role("button", name="Roll")).to_be_visible()


def test_a_fight_that_is_over_leads_on_for_all(server: Server, guest: MakeGuest) -> None:
    laid = server.lay("table", "pdq")
    alice, bob = (logged_in(guest(screen), server, laid["cookies"][name])
                  for screen, name in (("desk", "Alice"), ("phone", "Bob")))
    at = f"{laid['address']}contests/{server.lay('begin', laid['address'], 'conflict')}/"
    server.lay("put_out", laid["address"], "Bob")
    assert server.lay("act", laid["address"], "Alice", "end") == at
    alice.goto(f"{server.url}{at}")
    alice.get_by_label("In a sentence").fill("The keys are in the reeds.")
    with alice.expect_navigation():
        alice.get_by_role("button", name="Save the sentence").click()
    for page, address in ((alice, at), (bob, at), (alice, laid["address"]), (bob, laid["address"])):
        page.goto(f"{server.url}{address}")
        if PICTURES:
            width = page.viewport_size["width"]  # type: ignore[index]
            name = "ending" if address == at else "card"
            for scheme in ("light", "dark"):
                page.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
                page.screenshot(path=f"{PICTURES}/{name}-{width}-{scheme}.png", full_page=True)
        expect(page.get_by_role("main").get_by_text("The keys are in the reeds.").first).to_be_visible()
        assert not overflow(page) and not serious(page)
