"""What is asked of somebody stands on whatever page of the campaign they are, in two browsers at once."""
from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import Sit
from tests.browser.guests import overflow
from tests.browser.test_an_evening import offer, offered, send

WITHIN = 2_000  # milliseconds, until the other browser shows it


def asked(page: Page, text: str, button: str) -> None:
    """The bar asks for this, with its one button, and the tab and the phone's bar count it."""
    bar = page.locator("#now")
    expect(bar).to_contain_text(text, timeout=WITHIN)
    expect(bar.get_by_role("link")).to_have_count(1)
    expect(bar.get_by_role("link", name=re.compile(f"^{button}"))).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(page.locator(".bar .badge")).to_have_text("1")
    assert not overflow(page)


def test_the_phone_shows_the_one_button_on_whatever_page_it_is(sit: Sit) -> None:
    campaign, alice, bob = sit("pdq")

    bob.goto(f"{campaign}people/")
    expect(bob.locator("#now")).to_be_hidden()
    alice.goto(f"{campaign}contests/start/conflict/")
    alice.get_by_label("Title (what is at stake)").fill("Knives at the well")
    alice.get_by_role("button", name="Start the conflict").click()
    doing.at_its_card(alice)
    asked(bob, "Your turn: attack Old Marrow, or another action", "Act")

    bob.locator("#now").get_by_role("link").click()
    bob.wait_for_url("**/?contest=*#offer-attack-*")
    form = offer(bob, "Attack")
    expect(form.locator(":focus")).to_have_count(1)
    send(bob, offer(bob, "Pass"), "Pass")
    expect(bob.locator("#contest")).to_be_focused()
    expect(bob.locator("#now")).to_contain_text("Waiting for the GM")

    bob.goto(f"{campaign}characters/")
    expect(bob).not_to_have_title(re.compile(r"^\(1\) "))
    blow = offered(alice, "Attack", "Old Marrow").first
    blow.evaluate("each => { each.open = true; }")
    blow.get_by_label("Ilse").check()
    send(alice, blow, "Attack")
    asked(bob, "Your turn: react to Old Marrow", "React")
    expect(alice.locator("#now")).to_contain_text("Waiting for Ilse: react to Old Marrow")

    bob.goto("/")
    expect(bob.get_by_role("main")).to_contain_text("Your turn")
