"""A roll at an open table changes no page: its answer is what is new, and nothing is fetched that is there already."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, Sit, logged_in
from tests.browser.serving import Server
from tests.browser.staging import OF_GAMES
from tests.browser.test_taps import in_the_way
from tests.effort import some

MOST_BYTES = 6 * 1024  # of the answers to a roll, as they go over the wire
WITH_A_CONTEST = 2 * 1024  # more, where the roll leaves a decision: its card comes along


def fetched(page: Page) -> list[Request]:
    """What the page asks for from here on."""
    asked: list[Request] = []
    page.on("request", lambda request: asked.append(request))
    return asked


def ready(bob: Page, campaign: str) -> None:
    """At the table, with a line ticked where the game wants one."""
    bob.goto(campaign)
    row = doing.tray(bob).get_by_label(re.compile("Knife"))
    if row.count():
        row.first.check()
    bob.wait_for_timeout(600)  # until the chances are there
    bob.evaluate("window.first = true")


@pytest.mark.parametrize("system", some(OF_GAMES, "pdq_sharp", "pnc", "questworlds"))
def test_a_roll_is_its_row_its_result_and_a_fresh_tray(sit: Sit, system: str) -> None:
    campaign, alice, bob = sit(system)
    in_the_way(alice, campaign)
    ready(bob, campaign)
    operation = doing.tray(bob).locator("[name=op_id]").input_value()
    story = bob.locator("#story .ledger").first.locator(":scope > li")
    rows, asked, length = story.count(), fetched(bob), bob.evaluate("history.length")
    doing.tray(bob).locator("#forecast button.primary").click()
    expect(bob).to_have_url(re.compile(r"(rolled=\d+#rolled|contest=[0-9a-f-]+#contest)$"))
    came = bob.locator("#rolled") if bob.url.endswith("#rolled") else bob.get_by_role("group", name="Your decision")
    expect(came).to_be_focused()
    expect(came).to_be_in_viewport()
    expect(story).to_have_count(rows + 1)
    assert doing.tray(bob).locator("[name=op_id]").input_value() != operation
    expect(alice.locator("#story .ledger").first).to_contain_text("Ilse")
    bob.wait_for_timeout(800)
    asked = [request for request in asked if "/static/" not in request.url]
    paths = [re.sub(r"\d+", "N", request.url.removeprefix(campaign).partition("?")[0]) for request in asked]
    assert paths in (["roll/"], ["roll/", "ledger/since/N/"])
    size = sum(request.sizes()["responseBodySize"] for request in asked)
    assert size <= MOST_BYTES + (WITH_A_CONTEST if bob.locator("#contest").count() else 0)
    assert bob.evaluate("[window.first, history.length]") == [True, length]
    shown = came.inner_text()
    bob.reload()
    expect(came).to_have_text(re.compile(re.escape(shown.split("\n")[0])))


def test_one_roll_after_the_other_and_a_double_click(sit: Sit, server: Server) -> None:
    campaign, _, bob = sit("pdq")
    server.lay("move", campaign, "obstacle", ())
    ready(bob, campaign)
    story = bob.locator("#story .ledger").first.locator(":scope > li")
    rows = story.count()
    for number in (1, 2):
        doing.say(doing.tray(bob), f"Knock {number}")
        doing.tray(bob).locator("#forecast button.primary").dblclick()
        expect(bob.locator("#rolled")).to_contain_text(f"Knock {number}")
        expect(story).to_have_count(rows + number)
    expect(doing.tray(bob).get_by_label("What do you try?")).to_have_value("")
    bob.wait_for_timeout(800)
    expect(story).to_have_count(rows + 2)
    expect(bob.locator("#dice-warning")).to_have_count(0)


def test_a_refusal_comes_into_the_tray(guest: MakeGuest, server: Server) -> None:
    """Typed text, the page and its address stay."""
    laid, phone = server.lay("scene", "pdq"), guest("phone")
    bob = logged_in(phone, server, laid["cookies"]["Bob"])
    phone.expect(422, "/roll/")
    phone.context.route(re.compile("/feed/"), lambda route: None)
    campaign = f"{server.url}{laid['address']}"
    server.lay("move", laid["address"], "obstacle", ())
    ready(bob, campaign)
    doing.say(doing.tray(bob), "Over the wet planks")
    server.lay("move", laid["address"], "obstacle", ())
    doing.tray(bob).locator("#forecast button.primary").click()
    alert = doing.tray(bob).get_by_role("alert")
    expect(alert).to_contain_text("The obstacle is now Fog over the bar")
    expect(alert).to_be_in_viewport()
    expect(doing.tray(bob).get_by_label("What do you try?")).to_have_value("Over the wet planks")
    assert bob.url == campaign and bob.evaluate("window.first")
    doing.tray(bob).locator("#forecast button.primary").click()
    expect(bob.locator("#rolled")).to_contain_text("Over the wet planks")
