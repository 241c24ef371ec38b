"""How many taps and typed fields it takes: each is counted on a phone and at a desk, and fails above its number."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import doing
from tests.browser.guests import Guest, overflow
from tests.browser.test_a_simple_contest import a_concept_will_do
from tests.browser.test_axe import serious

NPC = {
    "pdq": "Old Marrow, Grudges expert", "pnc": "Old Marrow, Grudges good", "questworlds": "Old Marrow, Grudges 17",
    "danger_world": "Old Marrow, agility 4, speed 3, strength 4",
}

ROWS = {
    "pdq": ["Grudges"], "pnc": ["Grudges"], "questworlds": ["Grudges"], "danger_world": ["Agility", "Speed"],
}
MOST = {"danger_world": 3}  # two stats are chosen


class Taps:
    """Counts what a person does."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, what: Locator) -> None:
        what.click()
        self.taps += 1


def in_the_way(page: Page, campaign: str) -> None:
    """An obstacle on the scene, as its form opens."""
    page.goto(f"{campaign}obstacles/put/")
    page.get_by_label("What stands in the way").fill("The wet wall")
    page.get_by_role("button", name="Add to the scene").click()
    expect(page.get_by_text("The wet wall").first).to_be_visible()


@pytest.mark.parametrize("system", sorted(NPC))
@pytest.mark.parametrize("screen", ["desk", "phone"])
def test_a_routine_roll_takes_two_taps(guest: object, system: str, screen: str) -> None:
    here: Guest = guest(screen)  # type: ignore[operator]
    page, count = here.page, Taps()
    doing.sign_up(page, doing.unique("Alice"))
    campaign = doing.found(page, doing.unique("The wet wall "), system)
    doing.make_npc(page, campaign, NPC[system])
    doing.open_session(page, campaign)
    doing.set_scene(page, campaign, "The dry well", "Old Marrow")
    in_the_way(page, campaign)
    page.goto(campaign)
    tray = page.locator("#tray")
    for row in ROWS[system]:
        count.tap(tray.get_by_label(row))
    with page.expect_navigation():
        count.tap(tray.locator("#forecast button.primary"))
    assert count.taps <= MOST.get(system, 2)
    assert not overflow(page)
    assert not serious(page)


def asked_of_the_gm(desk: Guest, phone: Guest) -> tuple[Page, Page, str]:
    """Alice at a desk, Bob on a phone with a character in a scene in which nothing is in the way."""
    alice, bob = desk.page, phone.page
    doing.sign_up(alice, doing.unique("Alice"))
    campaign = doing.found(alice, doing.unique("Salt and Iron "), "questworlds")
    doing.sign_up_by_the_link(bob, doing.invite(alice, campaign), doing.unique("Bob"))
    a_concept_will_do(bob, campaign)
    doing.open_session(alice, campaign)
    doing.set_scene(alice, campaign, "The dry well", "Ottilie")
    bob.goto(campaign)
    return alice, bob, campaign


def asks(bob: Page, count: Taps, when_answered: bool = True) -> None:
    """Bob chooses what he uses, and asks."""
    tray = doing.tray(bob)
    count.tap(tray.locator("input[name=ability]").first)
    box = tray.get_by_label("Roll when answered")
    expect(box).to_be_checked()
    if not when_answered:
        box.uncheck()
    with bob.expect_navigation():
        count.tap(tray.locator("#forecast button.primary"))


def answers(alice: Page, campaign: str, count: Taps) -> None:
    """Alice answers with the base."""
    alice.goto(campaign)
    with alice.expect_navigation():
        count.tap(alice.get_by_role("button", name="Base 14"))
    assert alice.url.partition("?")[0].partition("#")[0] == campaign


def test_the_gm_answers_with_one_tap(desk: Guest, phone: Guest) -> None:
    """Where nothing is in the way yet: two taps of the player, one of the GM. Bob is on another page by then."""
    alice, bob, campaign = asked_of_the_gm(desk, phone)
    of_alice, of_bob = Taps(), Taps()
    asks(bob, of_bob)
    bob.goto(f"{campaign}people/")
    with bob.expect_navigation(url=re.compile(r"rolled=\d+")):
        answers(alice, campaign, of_alice)
    expect(bob.locator("#rolled")).to_be_focused()
    assert (of_alice.taps, of_bob.taps) == (1, 2)
    for page in (alice, bob):
        assert not overflow(page)
        assert not serious(page)
    expect(bob.locator("#now form")).to_have_count(0)


@pytest.mark.parametrize("reason", ["wants to", "is typing"])
def test_whoever_wants_to_or_is_typing_rolls_by_hand(desk: Guest, phone: Guest, reason: str) -> None:
    """The tick is taken off, which is remembered; or what is being typed would be lost."""
    alice, bob, campaign = asked_of_the_gm(desk, phone)
    asks(bob, Taps(), when_answered=reason == "is typing")
    if reason == "is typing":
        bob.goto(f"{campaign}search/")
        bob.get_by_role("main").get_by_role("searchbox").fill("The dry w")
    answers(alice, campaign, Taps())
    press = bob.locator("#now form button")
    expect(press).to_be_visible()
    bob.wait_for_timeout(500)
    if reason == "is typing":
        expect(bob.get_by_role("main").get_by_role("searchbox")).to_have_value("The dry w")
    with bob.expect_navigation(url=re.compile(r"rolled=\d+")):
        press.click()
    expect(bob.locator("#rolled")).to_be_focused()
