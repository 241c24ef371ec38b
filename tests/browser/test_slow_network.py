"""Whoever is quicker than the network loses nothing of what they typed and ticked."""
from __future__ import annotations

import time

import pytest
from playwright.sync_api import APIResponse, Route, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import Guest
from tests.browser.serving import Server
from tests.effort import LONG

STEPS = 20


@pytest.mark.parametrize("seconds", [0.3, 1.5] if LONG else [1.5])
def test_a_roll_behind_the_screen_stays_there(desk: Guest, seconds: float) -> None:
    """The tray draws another sheet when somebody else rolls; by then the GM has filled in the rest."""
    page = desk.page
    doing.sign_up(page, doing.unique("Alice"))
    campaign = doing.found(page, doing.unique("The Slow Road "))
    for name in ("Old Marrow", "Young Marrow"):
        doing.make_npc(page, campaign, f"{name}, Grudges expert")
    doing.open_session(page, campaign)
    doing.set_scene(page, campaign, "The dry well", "Old Marrow", "Young Marrow")

    def late(route: Route) -> None:
        time.sleep(seconds)
        route.continue_()

    desk.context.route("**/tray/", late)
    page.goto(campaign)
    tray = doing.tray(page)
    tray.get_by_label("Who rolls").select_option(label="Young Marrow")
    doing.say(tray, "Listens at the door")
    tray.get_by_label("Behind the screen").check()
    tray.locator("#forecast button.primary").click()
    expect(page.locator("#rolled")).to_contain_text("Young Marrow: Listens at the door")
    expect(doing.ledger(page).first).to_contain_text("Sealed. Hidden from everyone it wasn’t shared with.")


def test_chances_that_come_when_their_form_is_gone_are_dropped(server: Server, guest: MakeGuest) -> None:
    """Another device attacks while the chances of the attack are on their way: the guest’s console stays silent."""
    laid, held = server.lay("table", "pdq"), list[tuple[Route, APIResponse]]()
    bob = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    server.lay("begin", laid["address"], "conflict")
    doing.at_an_open_table(bob, f"{server.url}{laid['address']}")
    attack = bob.locator("#acts [id^=offer-attack-]")
    for _ in range(STEPS):
        if attack.count():
            break
        assert server.lay("step", laid["address"]), "It is never Bob’s turn."
        doing.caught_up(bob)
    bob.context.route("**/odds/", lambda route: held.append((route, route.fetch())))
    with bob.expect_request("**/odds/"):
        attack.locator("input[type=checkbox]").first.evaluate("(box) => box.click()")
    while not held:
        bob.wait_for_timeout(50)
    server.lay("act", laid["address"], "Bob", "attack")
    expect(attack).to_have_count(0)
    for route, answer in held:
        route.fulfill(response=answer)
    doing.caught_up(bob)
    bob.wait_for_timeout(500)


def test_who_looks_at_a_contest_that_is_undone_is_led_to_the_table(server: Server, guest: MakeGuest) -> None:
    """The GM takes a contest away whose page a player has open: who did nothing is told, and has failed at nothing."""
    laid = server.lay("table", "pnc")
    contest = server.lay("begin", laid["address"], "competition")
    bob = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    alice = logged_in(guest("desk"), server, laid["cookies"]["Alice"])
    bob.goto(f"{server.url}{laid['address']}contests/{contest}/")
    bob.wait_for_function("() => window.streams")
    doing.at_an_open_table(alice, f"{server.url}{laid['address']}")
    alice.locator(f"form[action$='{contest}/undo/'] button").first.evaluate("(button) => button.click()")
    expect(bob).to_have_url(f"{server.url}{laid['address']}")
    expect(bob.locator("#notice")).to_contain_text("This contest is gone")
