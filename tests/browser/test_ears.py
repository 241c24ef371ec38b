"""For ears and hands: one sentence for another's roll, the focus on one's own result, and the keys."""
from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser import doing
from tests.browser.conftest import Sit
from tests.browser.serving import Server
from tests.browser.test_axe import serious

WITHIN = 2_000


def test_another_persons_roll_is_one_sentence_and_ones_own_has_the_focus(sit: Sit, server: Server) -> None:
    campaign, alice, bob = sit("pdq")
    server.lay("move", campaign, "obstacle", ())
    alice.goto(campaign)
    bob.goto(campaign)
    tray = doing.tray(bob)
    doing.say(tray, "Climb the crane")
    tray.locator("#forecast button.primary").click()
    expect(bob.locator("#rolled")).to_be_focused()
    heard = alice.locator("#notice p")
    expect(heard).to_have_text(re.compile("Bob.*: .*Climb the crane"), timeout=WITHIN)
    expect(heard).to_have_count(1)
    expect(bob.locator("#notice p")).to_have_count(0)

    alice.keyboard.press("r")
    expect(alice.locator("#tray :focus")).to_have_count(1)
    alice.locator("main").focus()
    alice.keyboard.press("?")
    keys = alice.get_by_role("dialog", name="Keyboard shortcuts")
    expect(keys).to_contain_text("Jump to the roll form")
    assert not serious(alice)
    alice.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    alice.keyboard.press("/")
    expect(alice.get_by_label("Search the campaign")).to_be_focused()
    bob.locator("nav.bar").get_by_text("More").click()
    bob.locator("nav.bar").get_by_role("button", name="Keyboard shortcuts").click()
    expect(bob.get_by_role("dialog", name="Keyboard shortcuts")).to_be_visible()
    bob.get_by_role("button", name="Close", exact=True).last.click()
    expect(bob.get_by_role("dialog")).to_be_hidden()
