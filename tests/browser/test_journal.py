"""A journal on a phone: two taps and the text, and what was typed outlives a page that is lost with the connection."""
from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser.conftest import Sit
from tests.browser.test_more_taps import fits
from tests.browser.test_taps import Taps

WORDS = "The rope **held**, and I did not look down."


def begun(page: Page, campaign: str, count: Taps) -> Page:
    """From the Chronicle to where one writes."""
    page.goto(f"{campaign}chronicle/")
    count.tap(page.get_by_role("link", name="Write your journal"))
    expect(page.get_by_label("Your text")).to_be_visible()
    return page


def test_a_journal_takes_two_taps_and_the_text(sit: Sit) -> None:
    campaign, alice, bob = sit("pdq")
    alice.goto(f"{campaign}chronicle/")
    expect(alice.get_by_text("Nobody has written a journal about it yet.")).to_be_visible()
    count = Taps()
    begun(bob, campaign, count).get_by_label("Your text").fill(WORDS)
    fits(bob)
    count.tap(bob.get_by_role("button", name="Save your journal"))
    expect(bob.locator(".journal strong")).to_have_text("held")
    assert count.taps == 2
    fits(bob)
    expect(alice.locator(".journal")).to_contain_text("I did not look down")  # her page follows
    expect(alice.get_by_text("Nobody has written a journal")).to_have_count(0)


def test_a_draft_outlives_a_lost_connection_and_is_gone_once_it_is_saved(sit: Sit) -> None:
    campaign, _, bob = sit("pdq")
    writing = begun(bob, campaign, Taps())
    address = writing.url
    bob.context.set_offline(True)
    writing.get_by_label("Your text").press_sequentially("The rope held.")
    expect(writing.get_by_text("Draft kept on this device")).to_be_visible()
    bob.goto("about:blank")  # the phone let go of the page
    bob.context.set_offline(False)
    bob.goto(address)
    expect(bob.get_by_label("Your text")).to_have_value("The rope held.")
    expect(bob.get_by_text("isn’t saved yet")).to_be_visible()
    fits(bob)
    bob.get_by_role("button", name="Save your journal").click()
    expect(bob.locator(".journal")).to_contain_text("The rope held.")
    assert not bob.evaluate("Object.keys(localStorage).filter((key) => key.startsWith('draft:'))")
    bob.get_by_role("link", name="Change your journal").click()
    expect(bob.get_by_label("Your text")).to_have_value("The rope held.")
    expect(bob.get_by_text("isn’t saved yet")).to_be_hidden()
