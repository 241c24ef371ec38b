"""A connection that goes: it is said, what is pressed keeps its form, and goes again once, when one says so."""
from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import Guest
from tests.browser.serving import Server

WITHIN = 2_000


def award(page: Page, campaign: str, sheet: str, amount: str) -> None:
    """Opens the form that awards points to Ilse, and fills it."""
    page.goto(f"{sheet}award/")
    page.get_by_label("Change").or_(page.locator("[name=amount]")).first.fill(amount)
    page.locator("[name=reason]").fill("For the dry well")


def test_a_sheet_follows_and_a_lost_press_is_sent_once(desk: Guest, phone: Guest) -> None:
    alice, bob = desk.page, phone.page
    doing.sign_up(alice, doing.unique("Alice"))
    campaign = doing.found(alice, "The Long Wire")
    doing.sign_up_by_the_link(bob, doing.invite(alice, campaign), doing.unique("Bob"))
    sheet = doing.make_character(bob, campaign, "Ilse", strengths=("Short knife", "Old maps"), weakness="Heights")

    # Alice's connection goes before she presses.
    bob.goto(sheet)
    bob.evaluate("window.scrollTo(0, 120); document.querySelector('main a').focus({ preventScroll: true })")
    at = bob.evaluate("[window.scrollY, document.activeElement.textContent]")
    before = bob.locator("main").inner_text()
    award(alice, campaign, sheet, "3")
    desk.away = True
    desk.context.set_offline(True)
    expect(alice.locator("#offline")).to_contain_text("You’re offline. Last updated", timeout=WITHIN)
    button = alice.get_by_role("main").get_by_role("button").last
    expect(button).to_be_disabled()
    button.click(force=True)
    expect(alice.locator("#offline")).to_contain_text("was not sent. What you typed is still here.")
    expect(alice.locator("[name=reason]")).to_have_value("For the dry well")
    desk.context.set_offline(False)
    again = alice.get_by_role("button", name="Send again")
    expect(button).to_be_enabled(timeout=WITHIN)
    with alice.expect_navigation():
        again.click()
    desk.away = False

    # Bob's sheet has it, where he was, and once.
    expect(bob.locator("main")).not_to_have_text(before, timeout=WITHIN, use_inner_text=True)
    assert bob.evaluate("[window.scrollY, document.activeElement.textContent]") == at
    alice.goto(f"{campaign}ledger/")
    expect(alice.locator(".ledger > .entry").filter(has_text="For the dry well")).to_have_count(1)


def test_offline_the_table_says_so_and_never_that_something_was_lost_which_nobody_sent(
    server: Server, guest: MakeGuest
) -> None:
    laid = server.lay("scene", "pdq")
    one = guest("phone")
    bob = logged_in(one, server, laid["cookies"]["Bob"])
    bob.goto(f"{server.url}{laid['address']}")
    roll = bob.locator("#forecast > button").first
    expect(roll).to_be_enabled()
    one.away = True
    one.context.set_offline(True)
    expect(bob.locator("#offline")).to_contain_text("You’re offline.", timeout=WITHIN)
    expect(roll).to_be_disabled()
    with bob.expect_event("requestfailed"):  # the odds follow what one ticks
        bob.locator("#tray .lines input[type=checkbox]").first.check(force=True)
    bob.wait_for_timeout(200)
    assert not bob.locator("#notice .error").count()
    expect(bob.locator("#offline")).not_to_contain_text("was not sent")
    one.context.set_offline(False)
    expect(bob.locator("#offline")).to_be_hidden(timeout=4 * WITHIN)
    expect(roll).to_be_enabled()
