"""How many taps and typed fields it takes: each is counted on a phone and at a desk, and fails above its number."""
from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import doing
from tests.browser.guests import Guest, overflow
from tests.browser.test_a_framed_evening import a_concept_will_do
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
    page.get_by_role("button", name="Put it on the scene").click()
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


def test_the_gm_answers_with_one_tap(desk: Guest, phone: Guest) -> None:
    """Where nothing is in the way yet: three taps of the player, one of the GM, and nobody leaves the table."""
    alice, bob, of_alice, of_bob = desk.page, phone.page, Taps(), Taps()
    doing.sign_up(alice, doing.unique("Alice"))
    campaign = doing.found(alice, doing.unique("Salt and Iron "), "questworlds")
    doing.sign_up_by_the_link(bob, doing.invite(alice, campaign), doing.unique("Bob"))
    a_concept_will_do(bob, campaign)
    doing.open_session(alice, campaign)
    doing.set_scene(alice, campaign, "The dry well", "Ottilie")
    bob.goto(campaign)
    tray = doing.tray(bob)
    of_bob.tap(tray.locator("input[name=ability]").first)
    with bob.expect_navigation():
        of_bob.tap(tray.locator("#forecast button.primary"))
    alice.goto(campaign)
    with alice.expect_navigation():
        of_alice.tap(alice.get_by_role("button", name="Base 14"))
    assert alice.url.startswith(f"{campaign}#")
    bob.goto(campaign)
    roll = bob.locator("#acts").get_by_role("button", name="Roll ")
    expect(roll).to_be_visible()
    with bob.expect_navigation():
        of_bob.tap(roll)
    assert bob.url.startswith(f"{campaign}#")
    assert (of_alice.taps, of_bob.taps) == (1, 3)
    for page in (alice, bob):
        assert not overflow(page)
        assert not serious(page)
