"""From sign-up to an invited player's first roll: taps and typed fields of both are counted."""
from __future__ import annotations

import re
from dataclasses import dataclass

import pytest
from playwright.sync_api import Locator, Page, expect

from rules.registry import SYSTEMS
from tests.browser import doing
from tests.browser.guests import Guest, overflow
from tests.browser.test_axe import serious
from tests.browser.test_samples import rows
from tests.effort import some

MOST = {"gm": (10, 3), "player": (8, 3)}


@dataclass
class Count:
    """What one person does."""

    taps: int = 0
    fields: int = 0

    def tap(self, what: Locator) -> None:
        what.click()
        self.taps += 1

    def fill(self, page: Page, label: str, text: str) -> None:
        page.get_by_label(label, exact=True).fill(text)
        self.fields += 1

    def sign_up(self, page: Page, name: str) -> None:
        for label, text in (("Name", name), ("Password", doing.PASSWORD), ("The same password again", doing.PASSWORD)):
            self.fill(page, label, text)
        self.tap(page.get_by_role("main").get_by_role("button", name="Sign up"))


def fits(page: Page) -> None:
    assert not overflow(page)
    assert not serious(page)


def the_gm_prepares(page: Page, count: Count, game: str) -> str:
    """From sign-up to an obstacle on the first scene; answers the link that was copied."""
    page.goto("/sign-up/")
    count.sign_up(page, doing.unique("Alice"))
    count.tap(page.get_by_role("main").get_by_role("link", name="New campaign"))
    count.tap(page.locator(f"label:has(input[name=system][value={game}])"))
    count.tap(page.get_by_role("button", name="Create campaign"))
    page.wait_for_url("**/c/**")
    fits(page)
    count.tap(page.get_by_role("button", name="Create invitation link"))
    link = page.get_by_label("Address").input_value()
    count.tap(page.get_by_role("button", name="Copy link"))
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    with page.expect_navigation():
        count.tap(page.get_by_role("button", name="Open session and scene"))
    with page.expect_navigation():
        count.tap(page.locator("button[name=chip]").first)
    return link


def the_player_rolls(page: Page, count: Count, link: str, game: str) -> None:
    """From the link to the dice."""
    page.goto(link)
    count.tap(page.get_by_role("main").get_by_role("link", name="Sign up"))
    count.sign_up(page, doing.unique("Bob"))
    count.tap(page.get_by_role("button", name="Join"))
    page.wait_for_url("**/c/**")
    fits(page)
    with page.expect_navigation():
        count.tap(page.locator(".castings button").first)
    tray = page.locator("#tray")
    for row in range(2 if game == "danger_world" else 1):
        count.tap(rows(tray).nth(row))
    with page.expect_navigation():
        count.tap(tray.locator("#forecast button.primary"))


@pytest.mark.parametrize("game", some(SYSTEMS, "questworlds"))
def test_from_sign_up_to_an_invited_players_first_roll(desk: Guest, phone: Guest, game: str) -> None:
    of_alice, of_bob = Count(), Count()
    link = the_gm_prepares(desk.page, of_alice, game)
    the_player_rolls(phone.page, of_bob, link, game)
    bob = phone.page
    expect(bob.locator("#acts, #rolled, .card-here").first).to_be_visible()
    expect(bob.locator("ul.here")).to_contain_text(SYSTEMS[game].sheet.ready_made[0].name)
    assert of_alice.taps <= MOST["gm"][0] and of_alice.fields <= MOST["gm"][1]
    assert of_bob.taps <= MOST["player"][0] and of_bob.fields <= MOST["player"][1]


def test_a_gm_alone_tries_a_roll_at_once(desk: Guest) -> None:
    """One tap from the checklist leads to a tray where two more roll, and nothing of it is in the campaign."""
    page = desk.page
    doing.sign_up(page, doing.unique("Alice"))
    campaign = doing.found(page, doing.unique("Salt and Iron "), "questworlds")
    page.goto(f"{campaign}ledger/")
    before = doing.ledger(page).count()
    page.goto(campaign)
    page.get_by_role("button", name="Try a roll now").click()
    page.wait_for_url(re.compile("#tray$"))
    tray = page.locator("#tray")
    rows(tray).first.check()
    with page.expect_navigation():
        tray.locator("#forecast button.primary").click()
    expect(page.locator("#acts, #rolled, .card-here").first).to_be_visible()
    page.goto(f"{campaign}ledger/")
    expect(doing.ledger(page)).to_have_count(before)
