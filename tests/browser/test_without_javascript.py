"""The site without scripts: each action is a form and each page stands alone."""
from __future__ import annotations

import re

from playwright.sync_api import expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest


def test_from_signing_up_to_a_sound_ledger(guest: MakeGuest) -> None:
    page = guest("desk", java_script_enabled=False).page
    doing.sign_up(page, doing.unique("Alma"))
    campaign = doing.found(page, doing.unique("Without scripts"))
    doing.make_character(page, campaign, "Ilse", strengths=("Maps and charts", "Ropes"), weakness="Heights")
    doing.open_session(page, campaign)
    doing.set_scene(page, campaign, "The dry well", "Ilse")

    tray = doing.tray(page)
    doing.say(tray, "Climb down to the bell")
    tray.locator("details.why > summary").click()
    tray.locator(".idle-ones > summary").click()
    tray.locator(".sources > li", has_text="Ropes").locator(".count-it").click()
    expect(tray.get_by_label(re.compile("Ropes"))).to_be_checked()
    tray.locator("#forecast button.primary").click()
    expect(page.locator("#rolled")).to_contain_text("Climb down to the bell")
    expect(page.locator("#rolled")).to_contain_text(re.compile("success|failure"))
    expect(page.locator("#rolled svg").first).to_be_visible()

    page.goto(f"{campaign}ledger/")
    expect(doing.ledger(page).first).to_contain_text("Climb down to the bell")
    doing.check_the_chain(page, campaign)
    # No browser's seed: the page says so instead of hiding it.
    expect(page.get_by_text("1 roll worked out again from their secrets; 1 of them without")).to_be_visible()
