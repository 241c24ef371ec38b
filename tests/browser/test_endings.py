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
        taps.tap(alice.locator("#acts").get_by_role("button", name="Finish"))
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
