"""The next session in a browser: one tap from Home on a phone answers a date, and stays answered."""
from __future__ import annotations

from datetime import UTC, datetime, timedelta

from playwright.sync_api import Page, expect

from tests.browser.conftest import Sit
from tests.browser.guests import overflow
from tests.browser.test_axe import COLOURS, serious
from tests.browser.test_taps import Taps


def fine(page: Page) -> None:
    """Nothing reaches over the edge, and axe finds nothing, by light and of colours in the dark."""
    assert not overflow(page)
    assert not serious(page)
    page.emulate_media(color_scheme="dark")
    assert not serious(page, runOnly={"type": "rule", "values": COLOURS})
    page.emulate_media(color_scheme="light")


def test_a_date_is_answered_with_one_tap_from_home(sit: Sit) -> None:
    campaign, alice, bob = sit("pdq")
    alice.goto(f"{campaign}dates/propose/")
    for number in (1, 2):
        day = (datetime.now(UTC) + timedelta(days=number + 2)).date()
        alice.locator(f"[name=when_{number}]").fill(f"{day}T19:30")
    fine(alice)
    alice.get_by_role("button", name="Ask everyone").click()
    expect(alice.locator(".date")).to_have_count(2)

    bob.goto(f"{campaign}../../")
    first = bob.locator(".date").first
    count = Taps()
    count.tap(first.get_by_role("button", name="Yes", exact=True))
    expect(first.get_by_role("button", name="Yes", exact=True)).to_have_attribute("aria-pressed", "true")
    expect(first.locator(".who .yes")).to_contain_text("Bob")
    assert bob.url.endswith("/") and count.taps == 1, "no page was loaded for it"
    fine(bob)
    bob.reload()
    expect(bob.locator(".date").first.locator("[aria-pressed=true]")).to_have_text("Yes")

    expect(alice.locator(".date.best .who .yes")).to_contain_text("Bob")  # the page follows
    fine(alice)
    alice.locator(".date-acts").first.get_by_role("button", name="Set this date").click()
    expect(alice.get_by_role("heading", name="The next session")).to_be_visible()
    expect(bob.locator(".date")).to_have_count(2)
    bob.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # as when one comes back to Home
    expect(bob.locator(".date")).to_have_count(1)
    expect(bob.locator(".date.fixed [aria-pressed=true]")).to_have_text("Yes")
    for page in (bob, alice):
        page.goto(f"{campaign}dates/")
        fine(page)
