"""More that is counted: a blow and its answer, a decision after the dice, what a GM prepares, one's own sheet."""
from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import Sit
from tests.browser.guests import Guest, overflow
from tests.browser.test_an_evening import offered, pass_by
from tests.browser.test_axe import serious
from tests.browser.test_taps import Taps

ROUNDS = 12


def fits(page: Page) -> None:
    assert not overflow(page)
    assert not serious(page)


def test_a_blow_takes_three_taps_and_a_reaction_two(sit: Sit) -> None:
    """With one's best, against the one foe: a player on a phone, from the table, and the GM at a desk."""
    campaign, alice, bob = sit("pdq")
    alice.goto(campaign)
    doing.from_the_menu(alice, alice.locator("a[href$='contests/start/conflict/']"))
    alice.get_by_label("Title (what is at stake)").fill("Knives at the well")
    for number, side in enumerate(("one", "two")):
        alice.locator(f"[name=c{number}_side]").select_option(side)
    alice.get_by_role("button", name="Start the conflict").click()
    doing.at_its_card(alice)
    struck = answered = False
    for _ in range(ROUNDS):
        bob.goto(campaign)
        taps = Taps()
        if offered(bob, "Attack").count() and not struck:
            blow = offered(bob, "Attack").first
            raise_it = bob.get_by_role("link", name="Act", exact=True)
            if not blow.get_by_role("button", name="Attack", exact=True).is_visible() and raise_it.is_visible():
                taps.tap(raise_it)
            if not blow.get_by_label("Old Marrow").is_checked():
                taps.tap(blow.get_by_label("Old Marrow"))
            taps.tap(blow.get_by_label(re.compile("Knife")).first)
            with bob.expect_navigation():
                taps.tap(blow.get_by_role("button", name="Attack", exact=True))
            assert taps.taps <= 3
            struck = True
        elif offered(bob, "React").count():
            react = offered(bob, "React").first
            taps.tap(react.get_by_label(re.compile("Knife")).first)
            with bob.expect_navigation():
                taps.tap(react.get_by_role("button", name="React", exact=True))
            assert taps.taps <= 2
            answered = True
        elif offered(alice, "React", "Old Marrow").count():
            react = offered(alice, "React", "Old Marrow").first
            taps.tap(react.get_by_label(re.compile("Knife")).first)
            with alice.expect_navigation():
                taps.tap(react.get_by_role("button", name="React", exact=True))
            assert taps.taps <= 2
        elif offered(alice, "Attack", "Old Marrow").count():
            move = offered(alice, "Attack", "Old Marrow").first
            if move.get_attribute("open") is None:
                move.locator("summary").first.click()
            if not move.get_by_label("Ilse").is_checked():
                taps.tap(move.get_by_label("Ilse"))
            taps.tap(move.get_by_label(re.compile("Knife")).first)
            with alice.expect_navigation():
                taps.tap(move.get_by_role("button", name="Attack", exact=True))
            assert taps.taps <= 3
        elif offered(bob, "Attack").count():
            pass_by(bob, "")
        alice.reload()
        if struck and answered:
            break
    assert struck and answered
    fits(bob)


def test_what_is_asked_for_is_rolled_and_decided_on_the_table(sit: Sit) -> None:
    """The GM asks; two taps roll it on whatever page one is, and one decides after the dice."""
    campaign, alice, bob = sit("questworlds")
    bob.goto(f"{campaign}people/")
    for _ in range(ROUNDS):
        alice.goto(f"{campaign}rolls/ask/")
        if not alice.get_by_label("Knife").is_visible():
            alice.get_by_text("Suggested traits", exact=True).click()
        alice.get_by_label("Knife").check()
        alice.get_by_label("Resistance").fill("1M")
        alice.get_by_role("button", name="Ask for the roll").click()
        taps = Taps()
        expect(bob.locator("#now a.button")).to_be_visible(timeout=2_000)
        taps.tap(bob.locator("#now a.button"))
        with bob.expect_navigation(url=re.compile(r"rolled=|#contest")):
            taps.tap(bob.locator("#forecast button.primary"))
        assert taps.taps == 2
        fits(bob)
        stand = bob.get_by_role("button", name=re.compile("^Let it stand")).first
        if stand.count():
            with bob.expect_navigation():
                stand.click()
            return
        bob.goto(f"{campaign}people/")
    raise AssertionError("Nothing was left to decide.")


def test_what_a_gm_prepares_and_where_ones_sheet_is(desk: Guest, phone: Guest) -> None:
    alice, bob = desk.page, phone.page
    doing.sign_up(alice, doing.unique("Alice"))
    campaign = doing.found(alice, doing.unique("Prepared "))
    for kind, line in (("NPC", "Old Marrow, Grudges expert"), ("Resistance", "The old gate, good")):
        alice.goto(f"{campaign}prepare/")
        taps = Taps()
        chip = alice.locator(".kinds").get_by_text(kind, exact=True)
        if not alice.locator(".kinds").get_by_label(kind, exact=True).is_checked():
            taps.tap(chip)
        alice.locator("form.quick-line [name=line]").fill(line)
        with alice.expect_navigation():
            taps.tap(alice.locator("form.quick-line button").last)
        assert taps.taps <= 2
        expect(alice.get_by_text(line.partition(",")[0]).first).to_be_visible()
    doing.sign_up_by_the_link(bob, doing.invite(alice, campaign), doing.unique("Bob"))
    doing.make_character(bob, campaign, "Ilse", strengths=("Old maps", "Short knife"), weakness="Heights")
    bob.goto("/")
    taps = Taps()
    taps.tap(bob.get_by_role("link", name="Ilse", exact=True))
    expect(bob.get_by_role("heading", name="Ilse", exact=True)).to_be_visible()
    assert taps.taps == 1
