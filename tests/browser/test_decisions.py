"""One decision component in all games: dice drawn large, answers of one height and two lines at most, all in view."""
from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.deciding import AFTER_DICE, after_dice
from tests.browser.guests import overflow
from tests.browser.looks import shapes
from tests.browser.serving import Server
from tests.effort import LONG

DIE, MOST_LINES = 63.5, 2
# Three games in every run, all in a long one.
MOMENTS = [(system, kind) for system, kind in AFTER_DICE
           if LONG or kind in ("check", "duel")]
SEEN = """() => {
  const all = (choice) => [...document.querySelectorAll(choice)].filter((part) => part.getClientRects().length);
  const lines = (part) => {
    const words = document.createRange();
    words.selectNodeContents(part);
    const boxes = [...words.getClientRects()].filter((box) => box.width > 1)
      .sort((one, other) => one.bottom - other.bottom);
    const begins = (box, place) => !place || box.top + box.height / 2 > boxes[place - 1].bottom;
    return boxes.filter(begins).length;
  };
  const [decision] = all(".decision");
  return decision && {
    answers: [...decision.querySelectorAll(":scope > .answer > button")].filter((part) => part.getClientRects().length)
      .map((part) => ({...part.getBoundingClientRect().toJSON(), lines: lines(part), words: part.textContent.trim(),
        does: part.querySelectorAll(".does b").length, follows: part.querySelectorAll(".leads-to, .follows").length})),
    others: document.querySelectorAll(".decision button:not(.answer > button)").length,
    named: decision.getAttribute("role") === "group" && decision.getAttribute("aria-label"),
    dice: all(":is(.came, .compose-tray) .die").map((die) =>
      die.getBoundingClientRect().width),
    said: all(".came .outcome, .arrow, .hinted, .aside-note")
      .map((part) => part.textContent.trim()),
    high: innerHeight,
  };
}"""


def holds(page: Page, kind: str, *, phone: bool, dice: bool = True) -> None:
    """What holds of a decision that is left to whoever looks."""
    seen: Any = page.evaluate(SEEN)
    said = f"{kind}: {seen}"
    assert seen and seen["named"] and not seen["others"], said
    answers = seen["answers"]
    assert answers and all(answer["does"] == 1 and answer["follows"] for answer in answers), said
    assert max(answer["height"] for answer in answers) - min(answer["height"] for answer in answers) < 1.5, said
    assert all(answer["top"] >= 0 and answer["bottom"] <= seen["high"] for answer in answers), f"not in view: {said}"
    assert bool(seen["dice"]) is dice and all(die >= DIE for die in seen["dice"]), f"small dice: {said}"
    assert seen["said"], f"no sentence: {said}"
    if phone:
        assert all(answer["lines"] <= MOST_LINES for answer in answers), f"too many lines: {said}"
    assert not overflow(page)


@pytest.mark.parametrize(("system", "kind"), MOMENTS, ids=[kind for _, kind in MOMENTS])
def test_a_decision_after_the_dice_is_one_component(server: Server, guest: MakeGuest, system: str, kind: str) -> None:
    phone, desk = guest("phone"), guest(viewport={"width": 1280, "height": 900})
    table = after_dice(server, system, kind)
    for asked in table.players:
        page = logged_in(phone, server, asked)
        page.goto(f"{server.url}{table.address}")
        if page.locator(".decision").count():
            break
    holds(page, kind, phone=True)
    logged_in(desk, server, asked).goto(f"{server.url}{table.address}")
    holds(desk.page, kind, phone=False)
    drawn = shapes(desk.page)["decision"]
    desk.expect(404, "/c/salt-road/")  # the page’s campaign never was
    desk.page.goto(f"/styleguide/?game={system}")
    assert shapes(desk.page)["decision"] == drawn, "it is the kit’s"


def test_an_offer_for_a_foible_is_answered_by_the_same_component(server: Server, guest: MakeGuest) -> None:
    """On the page of style dice, where no die is thrown."""
    laid, page = server.lay("table", "pdq_sharp"), guest("phone")
    at = server.lay("act", laid["address"], "Alice", "offer")
    for name in ("Bob", "Dana"):
        logged_in(page, server, laid["cookies"][name]).goto(f"{server.url}{at}")
        if page.page.locator(".decision").count():
            break
    holds(page.page, "style dice", phone=True, dice=False)
