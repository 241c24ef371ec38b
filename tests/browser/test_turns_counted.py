"""Taps of a turn without extras in a duel, and of a whole group contest: a player on a phone, the GM at a desk."""
from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import Locator, Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_a_duel import ASKED, OF_NPCS, start
from tests.browser.test_axe import serious
from tests.browser.test_more_games import led
from tests.browser.test_taps import Taps
from tests.gate import seldom

TURNS = 3
A_TURN, ENGAGING = 3, 1  # taps of a player: the split, what becomes of the dice, the damage; the first finds its foe
OF_A_GROUP = {"Alice": 6, "Bob": 3, "Dana": 3}


def usual(page: Page, names: tuple[str, ...]) -> Locator:
    """The button of what is asked, as it stands open: a split in the middle, else one of these names."""
    named = page.locator("main").get_by_role("button", name=re.compile("|".join(f"^{name}" for name in names)))
    return page.locator(".split button").nth(1).or_(named)


def acted(page: Page, campaign: str, names: tuple[str, ...], taps: Taps) -> bool:
    """Does what is asked at the table, if anything is; the Now bar leads there where it is not in sight."""
    if not doing.is_asked(page, campaign):
        return False
    page.goto(campaign)
    button = usual(page, names).locator("visible=true")
    if not button.count():
        led(page, taps)
    with doing.answered(page):
        taps.tap(button.first)
    return True


@seldom
def test_ps_20_a_turn_without_extras_takes_three_taps(server: Server, guest: MakeGuest) -> None:
    laid = server.lay("duelists", (0,), ("Corvin Ashgrove, villain",), ("Perpetua Vane", "Corvin Ashgrove"))
    campaign = f"{server.url}{laid['address']}"
    alice, bob = (logged_in(guest(screen), server, laid["cookies"][name])
                  for screen, name in (("desk", "Alice"), ("phone", "Bob")))
    contest, counted = start(alice, campaign), Counter[int]()
    for _ in range(40):
        if not 1 <= (turn := doing.turn_of(alice, contest)) <= TURNS:
            break
        taps = Taps()
        if acted(bob, campaign, ASKED, taps):
            counted[turn] += taps.taps
        else:
            assert acted(alice, campaign, OF_NPCS, Taps()), "the GM is asked where no player is"
    assert counted[1] <= A_TURN + ENGAGING and counted[1] >= 2, counted
    assert all(counted[after] <= A_TURN for after in counted if after > 1), counted


def test_qw_42_a_group_contest_takes_the_gm_six_taps_and_each_player_three(server: Server, guest: MakeGuest) -> None:
    laid = server.lay("table", "questworlds", None, False)
    campaign = f"{server.url}{laid['address']}"
    people = {name: logged_in(guest("desk" if name == "Alice" else "phone"), server, laid["cookies"][name])
              for name in OF_A_GROUP}
    taps = {name: Taps() for name in people}
    alice = people["Alice"]
    alice.goto(campaign)
    taps["Alice"].tap(alice.locator("details.menu > summary").first)
    taps["Alice"].tap(alice.locator("a[href$='contests/start/group/']"))
    alice.get_by_label("The prize").fill("Past the tollhouse")
    with alice.expect_navigation():
        taps["Alice"].tap(alice.get_by_role("button", name=re.compile("^(Start|Begin)")))
    for name in ("Bob", "Dana"):
        assert acted(people[name], campaign, ("Describe what you do",), taps[name])
    alice.goto(campaign)
    chip = alice.get_by_role("button", name=re.compile("^Base "))
    if not chip.locator("visible=true").count():
        led(alice, taps["Alice"])
    assert not overflow(alice) and not serious(alice)
    with doing.answered(alice):
        taps["Alice"].tap(chip.locator("visible=true").first)
    for _ in range(2):
        for name in ("Bob", "Dana"):
            acted(people[name], campaign, ("Roll ", "Let it stand"), taps[name])
            assert not overflow(people[name])
    if acted(alice, campaign, ("Finish the contest",), taps["Alice"]):
        expect(alice.locator("#story")).to_contain_text("The contest is done: Past the tollhouse")
    alice.goto(campaign)
    assert not alice.locator("#now li[data-of]").count(), "nothing of it is left to do"
    assert all(taps[name].taps <= most for name, most in OF_A_GROUP.items()), {n: t.taps for n, t in taps.items()}
