"""How many taps and typed fields it takes: each is counted on a phone and at a desk, and fails above its number."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser import doing
from tests.browser.conftest import Sit
from tests.browser.guests import overflow
from tests.browser.test_axe import serious
from tests.effort import some

ROWS = {"pdq": ["Knife"], "pnc": ["Knife"], "questworlds": ["Knife"], "danger_world": ["Agility", "Speed"]}
MOST = {"danger_world": 3}  # two stats are chosen
MARROW = {"danger_world": [("stat", "Agility", 4), ("stat", "Speed", 3), ("stat", "Strength", 4)]}


class Taps:
    """Counts what a person does."""

    def __init__(self) -> None:
        self.taps = 0

    def tap(self, what: Locator) -> None:
        what.click()
        self.taps += 1


# Where a roll leads: what came of it stands large, or its contest does where something is left to decide.
CAME, WHERE = re.compile(r"rolled=\d+|contest=.+#contest"), ":is(#rolled, #contest, #contest-acts .decision):focus"


def in_the_way(page: Page, campaign: str) -> None:
    """An obstacle on the scene, as its form opens."""
    page.goto(f"{campaign}obstacles/put/")
    page.get_by_label("Obstacle").fill("The wet wall")
    page.get_by_role("button", name="Add to the scene").click()
    expect(page.get_by_role("region", name="Obstacles").get_by_text("The wet wall")).to_be_visible()


@pytest.mark.parametrize("system", some(sorted(ROWS), "danger_world", "questworlds"))
@pytest.mark.parametrize("screen", some(["desk", "phone"], "phone"))
def test_a_routine_roll_takes_two_taps(sit: Sit, system: str, screen: str) -> None:
    """The GM's tray opens with the NPC who is here, against what is in the way."""
    campaign, page, _ = sit(system, of_alice=screen, marrow=MARROW.get(system, ()))
    count = Taps()
    in_the_way(page, campaign)
    page.goto(campaign)
    tray = page.locator("#tray")
    for row in ROWS[system]:
        count.tap(tray.get_by_label(row).first)
    with page.expect_navigation():
        count.tap(tray.locator("#forecast button.primary"))
    assert count.taps <= MOST.get(system, 2)
    assert not overflow(page)
    assert not serious(page)


def asks(bob: Page, campaign: str, count: Taps, when_answered: bool = True) -> None:
    """Bob chooses what he uses, and asks."""
    bob.goto(campaign)
    tray = doing.tray(bob)
    count.tap(tray.locator("input[name=ability]").first)
    box = tray.get_by_label("Roll as soon as the GM answers")
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


def test_the_gm_answers_with_one_tap(sit: Sit) -> None:
    """Where nothing is in the way yet: two taps of the player, one of the GM. Bob is on another page by then."""
    campaign, alice, bob = sit("questworlds")
    of_alice, of_bob = Taps(), Taps()
    asks(bob, campaign, of_bob)
    bob.goto(f"{campaign}people/")
    with bob.expect_navigation(url=CAME):
        answers(alice, campaign, of_alice)
    expect(bob.locator(WHERE)).to_have_count(1)
    assert (of_alice.taps, of_bob.taps) == (1, 2)
    for page in (alice, bob):
        assert not overflow(page)
        assert not serious(page)
    expect(bob.locator("#now form")).to_have_count(0)


@pytest.mark.parametrize("reason", ["wants to", "is typing"])
def test_whoever_wants_to_or_is_typing_rolls_by_hand(sit: Sit, reason: str) -> None:
    """The tick is taken off, which is remembered; or what is being typed would be lost."""
    campaign, alice, bob = sit("questworlds")
    asks(bob, campaign, Taps(), when_answered=reason == "is typing")
    if reason == "is typing":
        bob.goto(f"{campaign}search/")
        bob.get_by_role("main").get_by_role("searchbox").fill("The dry w")
    answers(alice, campaign, Taps())
    press = bob.locator("#now form button")
    expect(press).to_be_visible()
    bob.wait_for_timeout(500)
    if reason == "is typing":
        expect(bob.get_by_role("main").get_by_role("searchbox")).to_have_value("The dry w")
    with bob.expect_navigation(url=CAME):
        press.click()
    expect(bob.locator(WHERE)).to_have_count(1)
