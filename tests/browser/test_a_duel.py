"""A duel on four browsers, one a phone: three players against a villain and two squads, taps counted (PS-20)."""
from __future__ import annotations

import re
from collections import Counter

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest
from tests.browser.guests import overflow
from tests.browser.test_axe import serious

MOST_TAPS = 4  # a player and turn
TURNS = 1  # the first has most to do: it begins with engaging
ASKED = ("Let it stand", "Place the damage", "Engage", "End it here")  # as their buttons say
OF_NPCS = ("NPCs find their foes", "Divide the NPCs’ dice", "Let it stand for the NPCs", "Place the NPCs’ damage")


def seated(guest: MakeGuest, alice: Page, campaign: str) -> list[Page]:
    """Three players who each take a ready-made character; the first has a phone."""
    pages = []
    for number, screen in ((1, "phone"), (2, "desk"), (4, "desk")):
        page = guest(screen).page
        doing.sign_up_by_the_link(page, doing.invite(alice, campaign), doing.unique("Bob"))
        page.goto(f"{campaign}characters/new/?ready={number}")
        expect(page.get_by_text("This sheet is complete.")).to_be_visible()
        page.get_by_role("button", name="Save").last.click()
        page.wait_for_url("**/characters/*-*/")
        pages.append(page)
    return pages


def test_ps_20_three_players_against_a_villain_and_two_squads_within_four_taps(guest: MakeGuest) -> None:
    alice = guest("desk").page
    doing.sign_up(alice, doing.unique("Alice"))
    campaign = doing.found(alice, doing.unique("The Gilded Compass "), "pdq_sharp")
    players = seated(guest, alice, campaign)
    for line in ("Corvin Ashgrove, villain", "2 squads of 4 guards, good"):
        alice.goto(f"{campaign}characters/quick/")
        alice.locator("[name=line]").fill(line)
        alice.get_by_label("Hidden from players").uncheck()
        alice.get_by_role("button", name="Add NPC").click()
        alice.wait_for_url("**/characters/*-*/")
    doing.open_session(alice, campaign)
    doing.set_scene(alice, campaign, "The water stairs", "Perpetua Vane", "Matteo Brand", "Bastien Coil",
                    "Corvin Ashgrove")
    doing.put_obstacle(alice, campaign, "The wet stairs", "average")
    challenged(players[0], campaign)
    contest = start(alice, campaign)
    taps: Counter[tuple[int, int]] = Counter()
    looked = False
    for _ in range(80):
        turn = int(alice.locator("#view .chip").first.inner_text().removeprefix("Turn ") or 0)
        if turn > TURNS:
            break
        acted = one_act(contest, alice, players, taps, turn)
        if not looked and players[0].locator(".split button").first.is_visible():
            looked = True
            for page in (alice, players[0]):
                assert not overflow(page) and not serious(page)
        assert acted, players[0].locator("#view .lead").inner_text()
        alice.goto(contest)
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
    tray.get_by_label("Acrobatics, good").check()
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
    for name in OF_NPCS:
        button = alice.locator("#view, #acts").get_by_role("button", name=re.compile(f"^{name}")).first
        if button.is_visible():
            press(alice, button)
            return True
    for number, page in enumerate(players):
        page.goto(contest)
        buttons = [page.locator(".split button").nth(1)]
        buttons += [page.locator("#acts").get_by_role("button", name=re.compile(f"^{name}")).first for name in ASKED]
        if button := next((button for button in buttons if button.is_visible()), None):
            press(page, button)
            taps[number, turn] += 1
            return True
    return False


def press(page: Page, button: object) -> None:
    """One tap, and the page that comes of it."""
    with page.expect_navigation():
        button.click()  # type: ignore[attr-defined]
