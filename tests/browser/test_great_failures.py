"""While great failures of PnC wait for the GM: all that one needs is in sight on a phone, and the table is short."""
from __future__ import annotations

from playwright.sync_api import expect

from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_first_screen import BOXES, STEPS, TALL, measured, pictured

MOST_IN_A_FIGHT = 2000
MORE_FAILURES = 12
HIT, FAILURE = {"20": 16, "6": 2}, {"20": 1, "6": 6}  # what the dice show


def test_a_gms_phone_is_short_when_a_great_failure_waits_beside_an_attack(server: Server, guest: MakeGuest) -> None:
    """The most that a fight asks of a GM: the NPC was crippled, then a great failure turned on the next attacker."""
    laid = server.lay("table", "pnc")
    server.lay("begin", laid["address"], "fight")
    faces = HIT
    for _ in range(STEPS):
        asked = {action for who, action, _ in server.lay("waiting", laid["address"]) if who == "the GM"}
        if asked >= {"attack", "backfire"}:
            break
        faces = FAILURE if server.lay("step", laid["address"], [], faces)["action"] == "strike" else faces
    else:
        raise AssertionError("no great failure waits beside an attack")
    page = logged_in(guest("phone"), server, laid["cookies"]["Alice"])
    page.goto(f"{server.url}{laid['address']}")
    assert page.evaluate(BOXES)["tall"] <= MOST_IN_A_FIGHT and not overflow(page)
    for _ in range(MORE_FAILURES):  # of which the GM says nothing yet
        server.lay("step", laid["address"], [], FAILURE)
    here = [page, *(logged_in(guest("phone"), server, laid["cookies"][name]) for name in ("Bob", "Dana"))]
    for _ in range(3):  # whoever's turn it is
        for seat in here:
            seat.goto(f"{server.url}{laid['address']}")
            assert seat.evaluate(BOXES)["tall"] < TALL and not overflow(seat)
        server.lay("step", laid["address"], [], FAILURE)
    page.goto(f"{server.url}{laid['address']}")
    page.locator(".scene .menu summary").tap()
    page.get_by_role("link", name="Ask for a roll").click()
    expect(page.get_by_role("heading", name="Ask for a roll")).to_be_visible()


def test_a_great_failure_waits_and_nothing_that_is_chosen_lies_under_the_dock(server: Server, guest: MakeGuest) -> None:
    """For whoever attacks next; the usual act is in sight."""
    laid = server.lay("table", "pnc")
    server.lay("begin", laid["address"], "fight")
    here = {name: logged_in(guest("phone"), server, laid["cookies"][name]) for name in ("Bob", "Dana")}
    seen: set[str] = set()
    for number in range(4 * STEPS):
        asked = {action: who for who, action, _ in server.lay("waiting", laid["address"])}
        if "backfire" in asked and "attack" in asked:
            for name, page in here.items():
                page.goto(f"{server.url}{laid['address']}")
                if page.locator("[id^=offer-attack-]").count():
                    pictured(page, f"pnc-great-failure-{name}-{number}")
                    assert measured(page, f"{name}, a great failure waits, {number}")["buttons"], name
                    seen.add(name)
        if len(seen) == len(here) or not server.lay("step", laid["address"], ["backfire"], FAILURE):
            break
    assert seen == {*here}, seen
