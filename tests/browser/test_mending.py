"""Somebody who is hurt is mended from the table: taps counted, healer and GM together (DW-14, DW-16)."""
from __future__ import annotations

import re

import pytest

from tests.browser import doing
from tests.browser.conftest import Sit
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_axe import serious
from tests.browser.test_taps import Taps
from tests.effort import some

TRIES, MOST = 30, 6
HEALER = [("stat", "Agility", 5), ("stat", "Speed", 5), ("stat", "Wits", 1), ("move", "Healing", 0)]
HURT = [("stat", "Agility", 4), ("stat", "Speed", 3), ("boxes", "bashed", 3), ("boxes", "dead", 1)]


@pytest.mark.parametrize("screen", some(["desk", "phone"], "phone"))
def test_dw_16_a_healing_takes_six_taps_from_the_table(server: Server, sit: Sit, screen: str) -> None:
    """From the button beside who is hurt: two stats, the roll, what is kept; a single box opens by itself."""
    campaign, _, bob = sit("danger_world", of_bob=screen, ilse=HEALER, marrow=HURT)
    server.lay("move", campaign, "damage", [["Old Marrow", "bashed", 3]])
    for number in range(TRIES):
        bob.goto(campaign)
        taps = Taps()
        heal = bob.locator("#present").get_by_role("link", name="Heal Old Marrow: bashed")
        if not heal.is_visible():  # on a phone, while the last check goes on
            taps.tap(bob.get_by_text("Characters and obstacles"))
        with bob.expect_navigation():
            taps.tap(heal)
        tray = bob.locator("#tray")
        for stat in ("Agility", "Speed"):
            taps.tap(tray.get_by_label(re.compile(stat)).first)
        if number == 0:
            assert not overflow(bob) and not serious(bob)
        with doing.answered(bob):
            taps.tap(tray.locator("#forecast button.primary"))
        stand = bob.get_by_role("button", name=re.compile("^Keep all dice"))
        with doing.answered(bob):
            taps.tap(stand)
        assert taps.taps <= MOST
        if bob.get_by_text(re.compile("heals Old Marrow: a box of bashed opens")).count():
            return
    raise AssertionError("No healing was accomplished.")
