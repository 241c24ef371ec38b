"""A duel on four browsers, one a phone: three players against a villain and two squads, taps counted (PS-20)."""
from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_axe import serious
from tests.gate import seldom

MOST_TAPS = 4  # a player and turn
TURNS = 1  # the first has most to do: it begins with engaging
ASKED = ("Let it stand", "Assign the damage", "Engage", "End the duel here")  # as their buttons say
OF_NPCS = ("Engage for the NPCs", "Divide the NPCs’ dice", "Let it stand for the NPCs", "Assign the NPCs’ damage")


@seldom
def test_ps_20_three_players_against_a_villain_and_two_squads_within_four_taps(
    server: Server, guest: MakeGuest
) -> None:
    laid = server.lay("duelists", (0, 1, 3), ("Corvin Ashgrove, villain", "2 squads of 4 guards, good"),
                      ("Perpetua Vane", "Matteo Brand", "Bastien Coil", "Corvin Ashgrove"))
    campaign = f"{server.url}{laid['address']}"
    alice = logged_in(guest("desk"), server, laid["cookies"]["Alice"])
    players = [logged_in(guest(screen), server, laid["cookies"][name])
               for screen, name in zip(("phone", "desk", "desk"), laid["players"], strict=True)]
    doing.put_obstacle(alice, campaign, "The wet stairs", "average")
    challenged(players[0], campaign)
    contest = start(alice, campaign)
    taps: Counter[tuple[int, int]] = Counter()
    looked = False
    for _ in range(80):
        if (turn := doing.turn_of(alice, contest)) > TURNS:
            break
        acted = one_act(contest, alice, players, taps, turn)
        if not looked and players[0].locator(".split button").first.is_visible():
            looked = True
            for page in (alice, players[0]):
                assert not overflow(page) and not serious(page)
        assert acted, players[0].locator("#view .lead").inner_text()
    assert looked and {player for player, _ in taps} == {0, 1, 2} and max(turn for _, turn in taps) == TURNS
    assert max(taps.values()) <= MOST_TAPS, taps
    assert not overflow(players[0]) and not serious(players[0])
    doing.check_the_chain(players[0], campaign)


def challenged(page: Page, campaign: str) -> None:
    """A challenge from the tray shows its chances beside what counts, and they follow what is ticked."""
    page.goto(campaign)
    tray = doing.tray(page)
    chances = tray.locator("#forecast")
    expect(chances).to_contain_text("58.3%")  # 7 and more of two dice
    tray.get_by_label(re.compile("Acrobatics")).first.check()
    expect(chances).to_contain_text("83.3%")
    with page.expect_navigation():
        chances.locator("button.primary").click()


def start(alice: Page, campaign: str) -> str:
    """All who are here, the players against the GM's; sides stand ready. Answers the duel's own page."""
    alice.goto(f"{campaign}scene/presence/")
    for box in alice.get_by_role("main").get_by_role("checkbox").all():
        box.check()
    alice.get_by_role("main").get_by_role("button").last.click()
    alice.goto(f"{campaign}contests/start/duel/")
    alice.get_by_role("button", name="Start the duel").click()
    return doing.at_its_card(alice)


def one_act(contest: str, alice: Page, players: list[Page], taps: Counter[tuple[int, int]], turn: int) -> bool:
    """Whoever is asked does one thing, with one tap: the split in the middle, all else as it stands ready."""
    campaign = contest.partition("contests/")[0]
    if doing.is_asked(alice, campaign):
        alice.goto(contest)
        for name in OF_NPCS:
            button = alice.locator("#view, #acts").get_by_role("button", name=re.compile(f"^{name}")).first
            if button.is_visible():
                press(alice, button)
                return True
    for number, page in enumerate(players):
        if not doing.is_asked(page, campaign):
            continue
        page.goto(contest)
        buttons = [page.locator(".split button").nth(1)]
        buttons += [page.locator("#acts").get_by_role("button", name=re.compile(f"^{name}")).first for name in ASKED]
        if button := next((button for button in buttons if button.is_visible()), None):
            press(page, button)
            taps[number, turn] += 1
            return True
    return False


def press(page: Page, button: object) -> None:
    """One tap, and what it leads to."""
    with doing.answered(page):
        button.click()  # type: ignore[attr-defined]
