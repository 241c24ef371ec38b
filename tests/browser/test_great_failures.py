"""While great failures of PnC wait for the GM: all that one needs is in sight on a phone, and the table is short.

What is done already is a line there for as long as something is asked that one fills in, in each game.
"""
from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_first_screen import BOXES, DESK, TALL, measured, pictured
from tests.gate import seldom

MOST_IN_A_FIGHT, STEPS = 2000, 12
MORE_FAILURES = 12
HIT, FAILURE = {"20": 16, "6": 2}, {"20": 1, "6": 6}  # what the dice show


@seldom
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


# The first thing that is filled in of what is asked, and what lies over the page’s end.
FIRST_FIELD = """() => {
  const seen = (choice) => [...document.querySelectorAll(choice)].find((one) => one.checkVisibility());
  const { top, bottom } = seen("#contest-acts .next :is(fieldset, .field)").getBoundingClientRect();
  return { top, bottom, dock: seen("#contest-acts .next .dock").getBoundingClientRect().top };
}"""


def laid_with(server: Server, system: str, kind: str, wanted: set[tuple[str, str]], faces: dict[str, Any]) -> Any:
    """A table at which this is asked, of whom and what; each act falls as its `faces` say, all others hit."""
    laid = server.lay("table", system)
    server.lay("begin", laid["address"], kind)
    for number in range(2 * STEPS):
        asked = [(who, action) for who, action, _ in server.lay("waiting", laid["address"])]
        if number > 1 and wanted <= {*asked}:
            return laid
        server.lay("step", laid["address"], ["backfire"], faces.get(asked[0][1], HIT))
    raise AssertionError(f"{wanted} is never asked")


def first_field_in_sight(page: Page, state: str) -> None:
    """What is filled in first lies above the dock, whole; what is done is below a line."""
    field = page.evaluate(FIRST_FIELD)
    assert field["top"] > 0 and field["bottom"] <= field["dock"], f"{state}: {field}"
    expect(page.locator(".put-by:has(+ #done)")).to_be_visible()
    expect(page.locator("#done")).to_be_hidden()


def test_a_gm_who_attacks_next_has_the_target_in_sight_while_a_great_failure_and_a_mulligan_wait(
    server: Server, guest: MakeGuest
) -> None:
    missed = {"defend": FAILURE, "strike": FAILURE}
    laid = laid_with(server, "pnc", "fight", {("the GM", "attack"), ("the GM", "backfire")}, missed)
    page = logged_in(guest("phone"), server, laid["cookies"]["Alice"])
    page.goto(f"{server.url}{laid['address']}")
    pictured(page, "pnc-done-is-a-line")
    first_field_in_sight(page, "a great failure waits, a mulligan may be spent")
    assert not page.evaluate(BOXES)["covered"]
    lines = page.locator(".card-here .put-by label")
    assert "may spend a mulligan point" in lines.first.inner_text()
    lines.last.tap()
    expect(page.locator("#done .die").first).to_be_visible()
    at_a_desk = logged_in(guest("desk", viewport=DESK), server, laid["cookies"]["Alice"])
    at_a_desk.goto(f"{server.url}{laid['address']}")
    expect(at_a_desk.locator("#done .die").first).to_be_visible()
    expect(at_a_desk.locator(".card-here .put-by label").first).to_be_hidden()
    for name in ("Bob", "Dana"):  # who rolls again or attacks
        of_player = logged_in(guest("phone"), server, laid["cookies"][name])
        of_player.goto(f"{server.url}{laid['address']}")
        if of_player.locator("#contest-acts .next fieldset").count():
            first_field_in_sight(of_player, name)
        else:
            expect(of_player.locator("#done .die").first).to_be_visible()


@seldom
@pytest.mark.parametrize("action", ["attack", "take_damage"])
def test_in_a_conflict_of_pdq_what_is_done_is_a_line_too(server: Server, guest: MakeGuest, action: str) -> None:
    hit = {"6": 6} if action == "take_damage" else {"6": 3}
    laid = laid_with(server, "pdq", "conflict", {("the GM", action)}, {"attack": hit, "defend": {"6": 1}})
    page = logged_in(guest("phone"), server, laid["cookies"]["Alice"])
    page.goto(f"{server.url}{laid['address']}")
    pictured(page, f"pdq-done-is-a-line-{action}")
    first_field_in_sight(page, action)


def test_an_act_that_is_folded_away_keeps_its_button_in_now(server: Server, guest: MakeGuest) -> None:
    """Its own button lies under the thumb while it is open; then the bar needs none."""
    laid = server.lay("table", "pdq")
    server.lay("begin", laid["address"], "conflict")
    page = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    page.goto(f"{server.url}{laid['address']}")
    link, act = page.locator("#now li[data-of] > a.button"), page.locator("#contest-acts details.next")
    expect(act.locator(".dock button").first).to_be_visible()
    expect(link).to_be_hidden()
    act.locator("summary").first.tap()
    expect(act.locator(".dock button").first).to_be_hidden()
    expect(link).to_be_visible()
