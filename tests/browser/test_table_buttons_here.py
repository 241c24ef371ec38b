"""Buttons of the table, and acts on a contest's own page, load no page: answers are small, and the stream stays."""
from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.serving import Server
from tests.browser.staging import OF_GAMES
from tests.effort import some

MOST_BYTES = 6 * 1024  # of the answers to a press, as they go over the wire
WITH_NEXT = 14 * 512  # where an act is asked anew, with its chance
WITH_TRAY = 13 * 512  # where the tray comes anew, with where each part of its number comes from


@contextmanager
def a_press(page: Page, most: int = MOST_BYTES) -> Iterator[None]:
    """One press at an open table: no page is loaded, nothing is fetched that its answer has, and it is small."""
    asked = list[Request]()

    def hears(request: Request) -> None:
        asked.append(request)

    page.evaluate("window.first = true")
    page.on("request", hears)
    with doing.answered(page):
        yield
    page.wait_for_timeout(900)
    page.remove_listener("request", hears)
    assert page.evaluate("window.first"), "a page was loaded"
    asked = [request for request in asked if "/static/" not in request.url]
    paths = [re.sub(r"[0-9a-f-]{36}|\d+", "N", request.url.partition("/c/")[2].partition("?")[0]) for request in asked]
    assert not [path for path in paths if path.endswith(("feed/", "live/")) or path.count("/") == 1], paths
    # What the browser keeps of the Ledger follows, an open tray that shows something else by now, and the chance of
    # what is asked next.
    answers = [path for path in paths if not path.endswith(("/ledger/since/N/", "/tray/", "/odds/"))]
    assert len(answers) == 1, paths
    # How often the Ledger is asked meanwhile is the clock's: a busy machine takes longer to answer.
    size = sum(request.sizes()["responseBodySize"] for request, path in zip(asked, paths, strict=True)
               if not path.endswith("/ledger/since/N/"))
    assert size <= most, (size, paths)


MOVES = 60  # pixels: what came stands above what was pressed


def chip(page: Page) -> Locator:
    """The first obstacle that one tap adds."""
    return page.locator("#present .to-put button").first


@pytest.mark.parametrize("system", some(sorted(OF_GAMES.keys() - {"danger_world"}), "questworlds"))
def test_the_gm_adds_and_removes_without_a_page(server: Server, guest: MakeGuest, system: str) -> None:
    laid = server.lay("scene", system)
    alice = logged_in(guest("desk"), server, laid["cookies"]["Alice"])
    bob = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    for page in (alice, bob):
        doing.at_an_open_table(page, f"{server.url}{laid['address']}")
    with a_press(alice, WITH_TRAY):
        chip(alice).click()
    cross = alice.locator("#present [aria-label^=Remove]")
    expect(cross).to_have_count(1)
    expect(bob.locator("#tray [name=obstacle]").first).to_be_attached()
    with a_press(alice, WITH_TRAY):
        cross.click()
    expect(cross).to_have_count(0)
    alice.locator(".add-npc summary").click()
    alice.locator("#npc-line").fill("The ferryman")
    with a_press(alice, WITH_TRAY):
        alice.get_by_role("button", name="Add to the scene", exact=True).click()
    expect(alice.locator("#present .here")).to_contain_text("The ferryman")
    expect(alice.locator("#npc-line")).to_have_value("")


@pytest.mark.parametrize("screen", some(["phone", "desk"], "phone"))
def test_the_gms_page_stays_where_it_was_after_an_act(server: Server, guest: MakeGuest, screen: str) -> None:
    laid = server.lay("scene", "pnc")
    alice = logged_in(guest(screen, **({"viewport": {"width": 1280, "height": 500}} if screen == "desk" else {})),
                      server, laid["cookies"]["Alice"])
    doing.at_an_open_table(alice, f"{server.url}{laid['address']}")
    chip(alice).evaluate("(button) => button.scrollIntoView({block: 'center', behavior: 'instant'})")
    assert alice.evaluate("scrollY") > 0, "it is further down"
    before = chip(alice).bounding_box()
    with a_press(alice):
        chip(alice).click()
    expect(alice.locator("#present [aria-label^=Remove]")).to_have_count(1)
    after = chip(alice).bounding_box()
    assert before and after and abs(after["y"] - before["y"]) <= MOVES


def test_a_line_that_is_refused_stays_where_it_was_typed(server: Server, guest: MakeGuest) -> None:
    laid, desk = server.lay("scene", "pdq"), guest("desk")
    alice = logged_in(desk, server, laid["cookies"]["Alice"])
    desk.expect(422, "/prepare/")
    alice.goto(f"{server.url}{laid['address']}")
    alice.evaluate("window.first = true")
    alice.locator(".add-npc summary").click()
    line = alice.locator("#npc-line")
    line.evaluate("(field) => field.removeAttribute('maxlength')")
    line.fill("The ferryman " * 30)
    with doing.answered(alice):
        alice.get_by_role("button", name="Add to the scene", exact=True).click()
    expect(line).to_be_focused()
    expect(line).to_be_in_viewport()
    expect(line).to_have_attribute("aria-invalid", "true")
    expect(alice.locator("#npc-line_error")).to_be_visible()
    assert line.input_value().startswith("The ferryman The") and alice.evaluate("window.first")
    line.fill("The ferryman")
    with doing.answered(alice):
        alice.get_by_role("button", name="Add to the scene", exact=True).click()
    expect(alice.locator("#npc-line_error")).to_have_count(0)
    expect(alice.locator("#present .here")).to_contain_text("The ferryman")
    assert alice.evaluate("window.first")


def test_an_exchange_is_undone_without_a_page(server: Server, guest: MakeGuest) -> None:
    laid = server.lay("table", "pdq")
    alice = logged_in(guest("desk"), server, laid["cookies"]["Alice"])
    server.lay("begin", laid["address"], "conflict")
    for _ in range(3):
        server.lay("step", laid["address"])
    doing.at_an_open_table(alice, f"{server.url}{laid['address']}")
    with a_press(alice, WITH_NEXT):
        alice.locator("#story").get_by_role("button", name=re.compile("^Undo “")).first.click()
    expect(alice.locator("#story")).to_contain_text("Undone by entry")


def test_what_players_see_and_the_x_card_change_the_table_and_load_no_page(
    server: Server, guest: MakeGuest
) -> None:
    laid = server.lay("scene", "pdq")
    alice, bob = (logged_in(guest(screen), server, laid["cookies"][name])
                  for name, screen in (("Alice", "desk"), ("Bob", "phone")))
    for page in (alice, bob):
        doing.at_an_open_table(page, f"{server.url}{laid['address']}")
    person = alice.locator("#present .at-person").filter(has_text="Old Marrow")
    person.locator("summary").click()
    for label in ("Name and picture", "Hidden", "Everything"):
        chip = person.get_by_role("button", name=label, exact=True)
        with a_press(alice):
            chip.click()
        expect(chip).to_have_attribute("aria-pressed", "true")
    expect(bob.locator("#present a.name").filter(has_text="Old Marrow")).to_have_count(1)
    doing.caught_up(bob)
    with a_press(bob):
        bob.get_by_role("button", name="X-card").click()
    for page in (alice, bob):
        expect(page.locator("#stopped")).to_be_visible()
    doing.caught_up(alice)
    with a_press(alice):
        alice.get_by_role("button", name="Go on with the scene").click()
    for page in (alice, bob):
        expect(page.locator("#stopped")).to_have_count(0)


def test_an_act_on_a_contests_own_page_stays_on_it(server: Server, guest: MakeGuest) -> None:
    """It changes there; a refusal comes to its field, with what was typed."""
    laid, phone = server.lay("table", "questworlds"), guest("phone")
    page = logged_in(phone, server, laid["cookies"]["Bob"])
    phone.expect(422, "/contests/")
    server.lay("begin", laid["address"], "framed")
    page.goto(f"{server.url}{laid['address']}")
    page.goto(f"{server.url}{page.locator('#contest-below a[href*=contests]').last.get_attribute('href')}")
    own = page.url
    page.wait_for_timeout(600)
    form = page.locator("#acts [id^=offer-choose-]")
    form.locator("[name=ability]").first.evaluate("(each) => { each.checked = true; each.selectedIndex = 1; }")
    tactic = form.locator("[name=tactic]")
    tactic.evaluate("(each) => each.removeAttribute('maxlength')")
    tactic.fill("By the back door " * 60)
    with a_press(page):
        form.get_by_role("button", name="Describe what you do", exact=True).click()
    expect(tactic).to_be_focused()
    expect(tactic).to_be_in_viewport()
    expect(page.locator(".not-done[role=alert]")).to_be_attached()
    assert tactic.input_value().startswith("By the back door By")
    tactic.fill("By the back door")
    with a_press(page):
        form.get_by_role("button", name="Describe what you do", exact=True).click()
    expect(page.locator(".not-done")).to_have_count(0)
    expect(page.locator("#view")).to_contain_text("By the back door")
    assert page.url == own
    server.lay("step", laid["address"])
    expect(page.locator("#view")).not_to_contain_text("The situation changed")
