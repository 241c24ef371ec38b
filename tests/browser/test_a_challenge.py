"""A challenge of PDQ# from the tray: what counts with its techniques, the dice, and what is added to them."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_axe import serious
from tests.browser.test_taps import Taps

LINES = (("forte", "Knife", 2), ("forte", "Rooftops", 1), ("technique", "Thrown", 3), ("technique", "Grim", 1),
         ("motivation", "Home again", 1), ("foible", "Vain", 0))
WIDE, NARROW = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


@pytest.mark.parametrize("size", [WIDE, NARROW], ids=["1280", "390"])
def test_ps_10_a_routine_roll_of_the_tray_is_two_taps(sit: Sit, server: Server, size: dict[str, int]) -> None:
    """What counts, and the roll; the chance of it stands on the page before the second."""
    campaign, _, bob = sit("pdq_sharp", ilse=LINES)
    server.lay("move", campaign, "obstacle", ())
    bob.set_viewport_size(size)  # type: ignore[arg-type]
    bob.goto(campaign)
    tray, count = bob.locator("#tray"), Taps()
    if size is NARROW:
        bob.goto(f"{campaign}#side")
    count.tap(tray.get_by_label(re.compile("Knife")).first)
    expect(tray.locator("#forecast .line")).to_contain_text(re.compile(r"2d6, \+\d+ against \d+"))
    expect(tray.locator("#forecast")).to_contain_text("%")
    assert not overflow(bob) and not serious(bob)
    with bob.expect_navigation(url=re.compile(r"rolled=\d+|#contest")):
        count.tap(tray.locator("#forecast button.primary"))
    assert count.taps == 2
    assert not overflow(bob) and not serious(bob)
