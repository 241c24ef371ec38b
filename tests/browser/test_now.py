"""What is asked of somebody stands on whatever page of the campaign they are, in two browsers at once."""
from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, Sit, logged_in
from tests.browser.guests import overflow
from tests.browser.looks import measured
from tests.browser.serving import Server
from tests.browser.test_an_evening import offer, offered, send

WITHIN = 2_000  # milliseconds, until the other browser shows it
LINE, PRESS = 48, 44  # pixels


def asked(page: Page, text: str, button: str) -> None:
    """The bar asks for this, with its one button, and the tab and the phone's bar count it."""
    bar = page.locator("#now")
    expect(bar).to_contain_text(text, timeout=WITHIN)
    expect(bar.get_by_role("link")).to_have_count(1)
    expect(bar.get_by_role("link", name=re.compile(f"^{button}"))).to_be_visible()
    expect(page).to_have_title(re.compile(r"^\(1\) "))
    expect(page.locator(".bar .badge")).to_have_text("1")
    assert not overflow(page)


def test_the_phone_shows_the_one_button_on_whatever_page_it_is(sit: Sit) -> None:
    campaign, alice, bob = sit("pdq")

    bob.goto(f"{campaign}people/")
    expect(bob.locator("#now")).to_be_hidden()
    alice.goto(f"{campaign}contests/start/conflict/")
    alice.get_by_label("Title (what is at stake)").fill("Knives at the well")
    alice.get_by_role("button", name="Start the conflict").click()
    doing.at_its_card(alice)
    asked(bob, "Your turn: attack Old Marrow, or another action", "Act")

    bob.locator("#now").get_by_role("link").click()
    bob.wait_for_url("**/?contest=*#offer-attack-*")
    form = offer(bob, "Attack")
    expect(form.locator(":focus")).to_have_count(1)
    send(bob, offer(bob, "Pass"), "Pass")
    expect(bob.locator("#contest")).to_be_focused()
    expect(bob.locator("#now")).to_contain_text("Waiting for the GM")

    bob.goto(f"{campaign}characters/")
    expect(bob).not_to_have_title(re.compile(r"^\(1\) "))
    blow = offered(alice, "Attack", "Old Marrow").first
    blow.evaluate("each => { each.open = true; }")
    blow.get_by_label("Ilse").check()
    send(alice, blow, "Attack")
    asked(bob, "Your turn: react to Old Marrow", "React")
    expect(alice.locator("#now")).to_contain_text("Waiting for Ilse: react to Old Marrow")

    bob.goto("/")
    expect(bob.get_by_role("main")).to_contain_text("Your turn")


def waits_for_five(server: Server, guest: MakeGuest) -> tuple[str, str]:
    """A table of PDQ whose GM is asked five things, the first by Bob: its address, and the GM's session."""
    laid = server.lay("table", "pdq", {}, False)
    bob, table = logged_in(guest("phone"), server, laid["cookies"]["Bob"]), f"{server.url}{laid['address']}"
    bob.goto(table)
    with doing.answered(bob):
        bob.locator("#tray").get_by_role("button", name="Ask the GM for the difficulty").click()
    server.lay("owe", laid["address"], 4)
    return table, laid["cookies"]["Alice"]


def test_five_things_that_wait_are_a_line_on_a_phone_and_the_others_unfold(server: Server, guest: MakeGuest) -> None:
    table, session = waits_for_five(server, guest)
    alice = logged_in(guest("phone"), server, session)
    bar = alice.locator("#now")
    for page in (table, f"{table}people/"):
        alice.goto(page)
        assert bar.bounding_box()["height"] <= LINE, "it is one line"  # type: ignore[index]
        expect(bar.get_by_role("link")).to_have_count(1)
        expect(bar.get_by_role("link", name=re.compile("^Answer"))).to_be_visible()
        expect(bar.get_by_text("4 more", exact=True)).to_be_visible()
        expect(bar.locator(".answers")).to_be_hidden()
        assert not overflow(alice)

        bar.locator("summary").focus()
        alice.keyboard.press("Enter")
        rows = bar.locator("li")
        expect(rows.filter(visible=True)).to_have_count(5)
        expect(bar.get_by_role("button", name="master 13")).to_be_visible()
        ways = bar.get_by_role("link", name=re.compile("^Assign"))
        expect(ways).to_have_count(4)
        assert all(way.bounding_box()["height"] >= PRESS for way in ways.all())  # type: ignore[index]
        assert not overflow(alice) and not measured(alice)["small"]
    ways.nth(2).tap()
    alice.wait_for_url("**/to-place/**")
    expect(alice.get_by_role("main")).to_contain_text("3 damage")


def test_what_is_unfolded_stays_so_and_the_others_need_no_script(server: Server, guest: MakeGuest) -> None:
    """One press of an answer leaves the others where they were; the last that is left is alone on the line."""
    table, session = waits_for_five(server, guest)
    alice = logged_in(guest("phone"), server, session)
    bar = alice.locator("#now")
    alice.goto(table)
    bar.locator("summary").tap()
    with doing.answered(alice):
        bar.get_by_role("button", name="master 13").tap()
    expect(bar.get_by_text("3 more", exact=True)).to_be_visible()
    expect(bar.get_by_role("link", name=re.compile("^Assign")).filter(visible=True)).to_have_count(4)

    plain = logged_in(guest("phone", java_script_enabled=False), server, session)
    plain.goto(table)
    bar = plain.locator("#now")
    expect(bar.get_by_role("link").filter(visible=True)).to_have_count(1)
    bar.locator("summary").tap()
    expect(bar.get_by_role("link").filter(visible=True)).to_have_count(4)


def test_a_desk_shows_all_that_waits_and_the_gms_table_how_many(server: Server, guest: MakeGuest) -> None:
    table, session = waits_for_five(server, guest)
    alice = logged_in(guest("desk"), server, session)
    bar = alice.locator("#now")
    for page, rows in ((f"{table}people/", 5), (table, 1)):
        alice.goto(page)
        expect(bar.get_by_text("5 things need you")).to_be_visible()
        expect(bar.locator("summary")).to_be_hidden()
        expect(bar.locator("li").filter(visible=True)).to_have_count(rows)
