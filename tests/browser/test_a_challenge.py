"""A challenge of PDQ# from the tray: what counts with its techniques, the dice, and what is added to them."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.browser.guests import DESK, PHONE, overflow
from tests.browser.serving import Server
from tests.browser.test_axe import serious
from tests.browser.test_taps import Taps
from tests.effort import some

LINES = (("forte", "Knife", 2), ("forte", "Rooftops", 1), ("technique", "Thrown", 3), ("technique", "Grim", 1),
         ("motivation", "Home again", 1), ("foible", "Vain", 0))
SIZES = {"1280": DESK, "390": PHONE}


@pytest.mark.parametrize("width", some(SIZES, "390"))
def test_ps_10_a_routine_roll_of_the_tray_is_two_taps(sit: Sit, server: Server, width: str) -> None:
    """What counts, and the roll; the chance of it stands on the page before the second."""
    campaign, _, bob = sit("pdq_sharp", ilse=LINES)
    server.lay("move", campaign, "obstacle", ())
    bob.set_viewport_size(SIZES[width])  # type: ignore[arg-type]
    bob.goto(campaign)
    tray, count = bob.locator("#tray"), Taps()
    if width == "390":
        bob.goto(f"{campaign}#side")
    count.tap(tray.get_by_label(re.compile("Knife")).first)
    expect(tray.locator("#forecast .line")).to_contain_text(re.compile(r"2d6, \+\d+ against \d+"))
    expect(tray.locator("#forecast")).to_contain_text("%")
    assert not overflow(bob) and not serious(bob)
    with bob.expect_navigation(url=re.compile(r"rolled=\d+|#contest")):
        count.tap(tray.locator("#forecast button.primary"))
    assert count.taps == 2
    assert not overflow(bob) and not serious(bob)
