"""The end of an evening is counted: the scene, the session, and the review of what lasts."""
from __future__ import annotations

import re

from tests.browser.conftest import Sit
from tests.browser.guests import overflow
from tests.browser.test_axe import serious
from tests.browser.test_taps import Taps

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
    with alice.expect_navigation():
        taps.tap(alice.get_by_role("button", name="Lower by a rank"))
    with alice.expect_navigation():
        taps.tap(alice.locator("#acts").get_by_role("button", name="Finish"))
    assert taps.taps == 6
    bob.goto(ended)
    assert bob.get_by_role("heading", name="Your evening, Ilse").is_visible()
    assert not overflow(bob) and not serious(bob)
