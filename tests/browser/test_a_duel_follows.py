"""A turn of a duel on a phone: chances follow the ticks, and three techniques are three taps (PS-11, PS-22)."""
from __future__ import annotations

import os
import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_a_duel import ASKED, OF_NPCS, press, start
from tests.browser.test_axe import serious
from tests.gate import seldom

MOST_TAPS = 5
PICTURES = os.environ.get("PICTURES", "")


def picture(page: Page, name: str) -> None:
    """A picture for whoever wants to look."""
    if PICTURES:
        page.screenshot(path=f"{PICTURES}/{name}.png", full_page=True)


def looked_at(page: Page, name: str) -> None:
    """It fits, it can be heard, and it is kept as a picture at both widths."""
    picture(page, f"{name}-390")
    assert not overflow(page) and not serious(page)
    size = page.viewport_size
    assert size
    page.set_viewport_size({"width": 1280, "height": 900})
    picture(page, f"{name}-1280")
    assert not overflow(page)
    page.set_viewport_size(size)


@seldom
def test_ps_22_the_chances_follow_the_ticks_and_a_turn_with_three_techniques_is_five_taps(
    server: Server, guest: MakeGuest
) -> None:
    laid = server.lay("duelists", (0,), ("Corvin Ashgrove, villain",), ("Perpetua Vane", "Corvin Ashgrove"))
    campaign = f"{server.url}{laid['address']}"
    alice, bob = (logged_in(guest(screen), server, laid["cookies"][name])
                  for screen, name in (("desk", "Alice"), ("phone", "Bob")))
    contest = start(alice, campaign)
    until_split(contest, alice, bob)
    followed = bob.locator(".followed")
    expect(bob.locator(".split table").first).to_be_visible()
    expect(followed.locator("table")).to_have_count(0)
    looked_at(bob, "split")
    assumes(bob)
    taps = 0
    for box in bob.locator("[name=techniques]").all()[:3]:
        bob.locator(f"label[for='{box.get_attribute('id')}']").first.click()
        taps += 1
    expect(followed.locator("table")).to_be_visible()
    expect(followed).to_contain_text("more over the lowest")
    expect(bob.locator(".split table").first).to_be_hidden()
    looked_at(bob, "split-ticked")
    press(bob, bob.locator(".split button").nth(1))
    taps += 1
    for _ in range(6):
        gms(contest, alice)
        bob.goto(contest)
        if bob.locator(".ellipsis").count() or bob.locator(".split button").first.is_visible():
            break
    taps += past_the_damage(contest, alice, bob)
    assert taps <= MOST_TAPS


def assumes(page: Page) -> None:
    """On a phone a card shows the chances against the split that the foe is assumed to choose, and those alone."""
    cells = page.locator(".split").first.locator(".level-0 tr").first.locator("td:visible")
    expect(cells).to_have_count(1)
    usual = cells.inner_text()
    page.locator(".assumed label").last.click()
    expect(cells).to_have_count(1)
    expect(cells).not_to_have_text(usual)


def past_the_damage(contest: str, alice: Page, bob: Page) -> int:
    """The player's taps from the dice until the next turn, or until one side is left."""
    taps = 0
    for _ in range(12):
        bob.goto(contest)
        if bob.locator("#view .chip").first.inner_text() != "Turn 1":
            return taps
        stand = bob.locator("[id^=offer-stand-] button").first
        if stand.is_visible():
            composed(bob)
        button = stand.or_(bob.locator("#acts").get_by_role("button", name=re.compile("^Assign the damage"))).first
        if button.is_visible():
            press(bob, button)
            taps += 1
        else:
            gms(contest, alice)
    raise AssertionError("the turn does not end")


def composed(bob: Page) -> None:
    """At most eight controls, and what is chosen is reckoned together."""
    assert bob.locator(".ellipsis :is(select, button, .as-what):visible").count() <= 8
    looked_at(bob, "composer")
    if bob.locator(".held-chip").count():
        assert all(re.search(" with |style die", chip) for chip in bob.locator(".held-chip").all_inner_texts())
        bob.locator(".held-chip").first.tap()
        bob.locator(".put:enabled").first.tap()
        send, total = bob.locator(".ellipsis .decision button:visible"), bob.locator(".compose-tray .sum > b").first
        expect(send).to_contain_text(re.compile("Send .* given, .* taken"))
        before = total.inner_text()
        looked_at(bob, "composer-chosen")
        bob.locator(".placed .held-chip").first.tap()
        expect(total).not_to_have_text(before)
        bob.locator(".as-what label").last.tap()
        bob.locator(".held-chip").first.tap()
        bob.locator(".put:enabled").first.tap()
        expect(bob.locator(".compose-tray .arrow").first).to_contain_text(re.compile("touches|gets through|misses"))
        expect(bob.locator(".compose-tray .sum").first).to_contain_text("to throw")
        looked_at(bob, "composer-die")
        bob.locator(".placed .held-chip").first.tap()
        expect(bob.locator(".compose-tray .sum").first).not_to_contain_text("to throw")


def gms(contest: str, alice: Page) -> None:
    """The GM does what the NPCs are waited for."""
    alice.goto(contest)
    for name in OF_NPCS:
        button = alice.locator("#view, #acts").get_by_role("button", name=re.compile(f"^{name}")).first
        if button.is_visible():
            press(alice, button)
            return


def until_split(contest: str, alice: Page, bob: Page) -> None:
    """Both find their foes, until the player divides their dice."""
    for _ in range(10):
        bob.goto(contest)
        if bob.locator(".split button").first.is_visible():
            return
        alice.goto(contest)
        for page, names in ((alice, OF_NPCS[:1]), (bob, ASKED)):
            named = re.compile("|".join(f"^{name}" for name in names))
            button = page.locator("#acts").get_by_role("button", name=named)
            if button.first.is_visible():
                press(page, button.first)
                break
