"""A sound and a notification for one’s move; a decision that stands by itself: each only where it is switched on."""
from __future__ import annotations

import re
import uuid

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Sit
from tests.browser.guests import overflow
from tests.browser.test_axe import serious
from tests.browser.test_receipts import until

pytestmark = pytest.mark.usefixtures("own_browsers")  # they hold a clock that has stopped
# What the browser would show and play is written down instead.
STUBS = """
  window.heard = 0; window.shown = []; window.asked = 0;
  class Tone {
    frequency = { setValueAtTime() {} }; gain = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
    connect(next) { return next; } start() { window.heard += 1; } stop() {}
  }
  window.AudioContext = class {
    currentTime = 0; destination = {}; resume() {} createOscillator() { return new Tone(); }
    createGain() { return new Tone(); }
  };
  window.Notification = class {
    static permission = "granted";
    static async requestPermission() { window.asked += 1; return "granted"; }
    constructor(title, more) { window.shown.push(more.body); } close() {}
  };
"""
ROUNDS = 12
BOX = "Accept my results automatically after 10 seconds"


def ask(alice: Page, campaign: str, resistance: str) -> None:
    """The GM asks Ilse for a roll."""
    alice.goto(f"{campaign}rolls/ask/")
    if not alice.get_by_label("Knife").is_visible():
        alice.get_by_text("Suggested traits", exact=True).click()
    alice.get_by_label("Knife").check()
    alice.get_by_label("Resistance").fill(resistance)
    alice.get_by_role("button", name="Ask for the roll").click()


def test_a_move_is_heard_and_seen_once_where_it_was_switched_on(sit: Sit) -> None:
    campaign, alice, bob = sit("questworlds")
    bob.add_init_script(STUBS)
    bob.goto("/account/")
    assert not bob.get_by_label("Play a sound").is_checked()
    assert bob.evaluate("window.asked") == 0
    bob.goto(f"{campaign}people/")
    ask(alice, campaign, "14")
    expect(bob.locator("#now a.button")).to_be_visible()
    assert bob.evaluate("[window.heard, window.shown]") == [0, []]

    bob.goto("/account/")
    bob.get_by_label("Play a sound").check()
    bob.get_by_label("Show a browser notification").check()
    expect(bob.get_by_text("Saved on this device.")).to_be_visible()
    assert bob.evaluate("window.asked") == 1
    assert not overflow(bob)
    assert not serious(bob)

    other = bob.context.new_page()  # a second tab of the same browser says nothing
    other.add_init_script(STUBS)
    bob.goto(f"{campaign}people/")
    bob.wait_for_timeout(300)
    other.goto(f"{campaign}ledger/")
    ask(alice, campaign, "17")
    until(bob, "() => window.heard > 0")
    expect(other.locator("#now a.button")).to_have_count(2)
    heard, shown = bob.evaluate("[window.heard, window.shown]")
    assert heard == 1 and len(shown) == 1 and "The GM asks for" in shown[0]
    assert other.evaluate("[window.heard, window.shown]") == [0, []]


def to_a_decision(alice: Page, bob: Page, campaign: str) -> None:
    """Ilse rolls until something is left to decide."""
    for _ in range(ROUNDS):
        ask(alice, campaign, "1M")
        bob.goto(f"{campaign}people/")
        bob.locator("#now a.button").first.click()
        with bob.expect_navigation():
            bob.locator("#forecast button.primary").click()
        if bob.locator("#now a[href*='#offer-stand-']").count():
            return
    raise AssertionError("Nothing was left to decide.")


def test_a_decision_stands_by_itself_unless_it_is_stopped(sit: Sit) -> None:
    campaign, alice, bob = sit("questworlds")
    bob.clock.install()
    to_a_decision(alice, bob, campaign)
    stand = bob.locator("[id^='offer-stand-']")
    bob.clock.run_for(15_000)  # it is off until somebody switches it on
    expect(stand).to_have_count(1)
    bob.get_by_label(BOX).check()
    expect(bob.get_by_role("timer")).to_have_text(re.compile(r"Accepting in \d+ s\."))
    bob.get_by_role("button", name="Stop the timer").click()
    bob.clock.run_for(15_000)
    expect(bob.get_by_role("timer")).to_have_text("Stopped. Choose when you are ready.")
    expect(stand).to_have_count(1)
    assert not overflow(bob)
    assert not serious(bob)
    bob.reload()  # the setting is kept, the stop was for this time
    expect(bob.get_by_role("timer")).to_contain_text("Accepting in")
    with bob.expect_navigation():
        bob.clock.run_for(11_000)
    expect(bob.locator("[id^='offer-stand-']")).to_have_count(0)


def test_what_is_ticked_holds_for_this_campaign_and_kind_alone_and_never_for_harm(sit: Sit) -> None:
    campaign, alice, bob = sit("questworlds")
    bob.clock.install()
    to_a_decision(alice, bob, campaign)
    box, stand = bob.get_by_label(BOX), bob.locator("[id^='offer-stand-']")
    box.check()
    bob.get_by_role("button", name="Stop the timer").click()
    # What another campaign or kind would ask; then what the server does not mark, as somebody would be harmed.
    asks_for = """(kind) => { for (const link of document.querySelectorAll("#now a[data-stands]")) {
        if (kind) link.dataset.stands = kind; else delete link.dataset.stands; }
        document.dispatchEvent(new Event("followed")); }"""
    for other in (f"{uuid.uuid4()} questworlds.contest", "pdq_sharp.duel"):
        bob.evaluate(asks_for, other)
        expect(box).not_to_be_checked()
        bob.clock.run_for(15_000)
        expect(stand).to_have_count(1)
    bob.evaluate(asks_for, "")
    expect(box).to_have_count(0)
    bob.clock.run_for(15_000)
    expect(stand).to_have_count(1)
    bob.reload()
    expect(box).to_be_checked()
