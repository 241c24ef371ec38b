"""One decision component in all games: dice drawn large, answers of one height and two lines at most, all in view."""
from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import overflow
from tests.browser.serving import Server

KINDS = [("pdq_sharp", "duel"), ("pdq_sharp", "flashy"), ("danger_world", "check"), ("questworlds", "scored"),
         ("questworlds", "chained"), ("questworlds", "extended"),
         ("questworlds", "framed"), ("pnc", "roll")]
MOST_LINES = {"chained": 3}  # of an answer on a phone: whose consequence it is stands in it
STEPS, DIE, TABLES = 16, 63.5, 8  # a table may fall so that nothing is left to decide
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
    dice: all(":is(.came, .compose-tray, .ellipsis .dice-tray, .thrown) .die").map((die) =>
      die.getBoundingClientRect().width),
    said: all(".came .outcome, .arrow, .hinted")
      .map((part) => part.textContent.trim()),
    high: innerHeight,
  };
}"""


def holds(page: Page, kind: str, *, phone: bool) -> None:
    """What holds of a decision that is left to whoever looks."""
    seen: Any = page.evaluate(SEEN)
    said = f"{kind}: {seen}"
    assert seen and seen["named"] and not seen["others"], said
    answers = seen["answers"]
    assert answers and all(answer["does"] == 1 and answer["follows"] for answer in answers), said
    assert max(answer["height"] for answer in answers) - min(answer["height"] for answer in answers) < 1.5, said
    assert all(answer["top"] >= 0 and answer["bottom"] <= seen["high"] for answer in answers), f"not in view: {said}"
    assert seen["dice"] and all(die >= DIE for die in seen["dice"]), f"small dice: {said}"
    assert seen["said"], f"no sentence: {said}"
    if phone:
        assert all(answer["lines"] <= MOST_LINES.get(kind, 2) for answer in answers), f"too many lines: {said}"
    assert not overflow(page)


@pytest.mark.parametrize(("system", "kind"), KINDS, ids=[kind for _, kind in KINDS])
def test_a_decision_after_the_dice_is_one_component(server: Server, guest: MakeGuest, system: str, kind: str) -> None:
    phone, desk = guest("phone"), guest(viewport={"width": 1280, "height": 900})
    for _ in range(TABLES):
        laid = server.lay("table", system, {"long": "all"} if system == "questworlds" else {})
        server.lay("begin", laid["address"], kind)
        for _ in range(STEPS):
            asked = server.lay("waiting", laid["address"])
            if [who for who, action, _ in asked if action in ("stand", "impasse_stand") and who != "the GM"]:
                for name in ("Bob", "Dana"):
                    page = logged_in(phone, server, laid["cookies"][name])
                    page.goto(table := f"{server.url}{laid['address']}")
                    if page.locator(".decision").count():
                        break
                holds(page, kind, phone=True)
                logged_in(desk, server, laid["cookies"][name]).goto(table)
                return holds(desk.page, kind, phone=False)
            if server.lay("step", laid["address"]) is None:
                break
    raise AssertionError("Nothing was left to decide.")
