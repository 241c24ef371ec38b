"""An act of a contest at an open table loads no page: its answer is what is new there, and the stream stays open."""
from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Request, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.serving import Server
from tests.browser.test_first_screen import KINDS
from tests.effort import LONG

STEPS = 20
MOST_BYTES = 6 * 1024  # of the answers to an act, as they go over the wire
# A round of a scored contest that leaves nothing to decide is over at once: then its answer has the next round’s form,
# too, with each ability, the exact chances of each tactic, and those against each tactic of the foe (1.7 kB).
WITH_THE_NEXT_ROUND = 7 * 1024
# In a fight the dice for the order lead to the form of an attack, or to a tray that follows who is first.
AT_ONCE = ("scored", "fight")
SELDOM = ("challenge", "check", "framed", "scored")  # in a long run: what these are like is seen in each
CASES = [*((*kind, {}) for kind in KINDS if LONG or kind[1] not in SELDOM), ("questworlds", "scored", {"points": 0})]
MINE = "#contests form.next, #acts form.next, #acts .next form, #acts .decision form"
LEAST = """(form) => {
  for (const field of form.elements) {
    const typed = field.matches("textarea:required, input:required:not([type=radio], [type=checkbox])");
    if (typed && !field.value) field.value = field.type === "number" ? field.min || 1 : "A rope over the beam";
    if (field.type === "radio" && !form.querySelector(`[name="${field.name}"]:checked`)) field.checked = true;
  }
}"""


def until_it_is_mine(page: Page, server: Server, table: str) -> Locator:
    """Others act until something is asked of whoever looks; answers its form."""
    mine = page.locator(MINE).first
    for _ in range(STEPS):
        doing.caught_up(page)
        page.wait_for_timeout(600)
        if mine.count():
            mine.evaluate(LEAST)
            return mine
        assert server.lay("step", table), "It is never mine."
    raise AssertionError("It is never mine.")


def checks_before(url: str, since: str) -> bool:
    """Whether this is the chain of entries up to what the page had already: that is checked a moment late."""
    checked = re.search(r"/ledger/since/(\d+)/", url)
    return checked is not None and int(checked[1]) < int(since)


@pytest.mark.parametrize(("system", "kind", "settings"), CASES, ids=[
    f"{kind}{'-at-once' if settings else ''}" for _, kind, settings in CASES])
def test_an_act_loads_no_page(
    server: Server, guest: MakeGuest, system: str, kind: str, settings: dict[str, Any]
) -> None:
    """Without story points a round of a scored contest is over with its dice; with them only where none would help."""
    laid = server.lay("table", system, {"long": "all", **settings} if system == "questworlds" else {})
    page, table = logged_in(guest("phone"), server, laid["cookies"]["Bob"]), f"{server.url}{laid['address']}"
    server.lay("begin", laid["address"], kind)
    if kind == "check":
        server.lay("step", laid["address"])  # which two stats go together, its first form doesn't require
    doing.at_an_open_table(page, table)
    form = until_it_is_mine(page, server, laid["address"])
    since, asked = page.locator("#since").input_value(), list[Request]()
    page.evaluate("window.first = true")
    page.on("request", lambda request: asked.append(request))
    with doing.answered(page):
        form.evaluate("(form) => form.requestSubmit([...form.elements].find((each) => each.type === 'submit'))")
    expect(page.locator("#since")).not_to_have_value(since)
    expect(page.locator(":focus")).to_have_count(1)
    page.wait_for_timeout(900)
    assert page.evaluate("window.first"), "a page was loaded"
    asked = [request for request in asked if "/static/" not in request.url and not checks_before(request.url, since)]
    paths = {re.sub(r"[0-9a-f-]{36}|\d+", "N", request.url.removeprefix(table).partition("?")[0]) for request in asked}
    assert not {"", "feed/"} & paths and not any("live" in path for path in paths), paths
    size = sum(request.sizes()["responseBodySize"] for request in asked)
    goes_on = kind in AT_ONCE and page.locator(MINE).count() > page.locator("#acts .decision form").count()
    assert not settings or goes_on
    assert size <= (WITH_THE_NEXT_ROUND if goes_on or kind == "fight" else MOST_BYTES), (size, paths)


def test_a_refusal_comes_to_its_field(server: Server, guest: MakeGuest) -> None:
    """What was typed, the page and the stream stay; the field that is wrong has the focus, in sight."""
    laid, phone = server.lay("table", "questworlds"), guest("phone")
    page, table = logged_in(phone, server, laid["cookies"]["Bob"]), f"{server.url}{laid['address']}"
    phone.expect(422, "/contests/")
    server.lay("begin", laid["address"], "framed")
    page.goto(table)
    page.evaluate("window.first = true")
    words = "By the back door " * 60
    form = page.locator("#acts [id^=offer-choose-]")
    form.locator("[name=ability]").first.evaluate("(each) => { each.checked = true; each.selectedIndex = 1; }")
    form.locator("[name=tactic]").evaluate(
        "(each, words) => { each.removeAttribute('maxlength'); each.value = words; }", words)
    with doing.answered(page):
        form.get_by_role("button", name="Describe what you do", exact=True).click()
    wrong = page.locator("#acts [aria-invalid=true]")
    expect(wrong).to_be_focused()
    expect(wrong).to_be_in_viewport()
    expect(page.locator(".not-done[role=alert]")).to_be_attached()
    assert wrong.input_value().startswith("By the back door By") and page.evaluate("window.first")
    wrong.fill("By the back door")
    with doing.answered(page):
        form.get_by_role("button", name="Describe what you do", exact=True).click()
    expect(page.locator(".not-done")).to_have_count(0)
    expect(page.locator("#acts [aria-invalid=true]")).to_have_count(0)
    assert page.evaluate("window.first")


def test_what_now_asks_is_answered_without_a_page(server: Server, guest: MakeGuest) -> None:
    """The GM's chip, then the player's Roll in the bar: both tables stay open, and the result has the focus."""
    laid = server.lay("table", "pdq", {}, False)
    alice, bob = (logged_in(guest(screen), server, laid["cookies"][name])
                  for name, screen in (("Alice", "desk"), ("Bob", "phone")))
    for page in (alice, bob):
        page.goto(f"{server.url}{laid['address']}")
        page.evaluate("window.first = true")
    doing.say(doing.tray(bob), "Over the wet planks")
    bob.wait_for_timeout(900)
    bob.locator("[data-when-answered]").uncheck()
    with doing.answered(bob):
        bob.locator("#forecast [data-asks]").first.click()
    chip = alice.locator("#now .chip-button").first
    expect(chip).to_be_attached()
    with doing.answered(alice):
        chip.evaluate("(each) => each.form.requestSubmit(each)")
    expect(alice.locator("#now .chip-button")).to_have_count(0)
    roll = bob.locator("#now").get_by_role("button", name=re.compile("^Roll"))
    expect(roll).to_be_visible()
    with doing.answered(bob):
        roll.click()
    expect(bob.locator("#rolled")).to_be_focused()
    assert [alice.evaluate("window.first"), bob.evaluate("window.first")] == [True, True]
