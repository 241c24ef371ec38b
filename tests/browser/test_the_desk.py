"""The GM's desk in a browser: cards and plan on paper, and the rows of a large matrix."""
from __future__ import annotations

from math import ceil
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rules.registry import SYSTEMS
from tests.browser.conftest import MakeGuest
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_paper import pages
from tests.effort import some

CUT = """() => [...document.querySelectorAll(".npc-card")].flatMap((card) => {
  const box = card.getBoundingClientRect(), outside = [...card.querySelectorAll("h2, p, span, b")].filter((each) => {
    const own = each.getBoundingClientRect();
    return own.width && (own.bottom > box.bottom + 1 || own.right > box.right + 1);
  });
  return outside.map((each) => `${card.querySelector("h2").textContent}: ${each.textContent}`);
})"""
SIDES = """() => {
  const box = document.querySelector(".npc-cards").getBoundingClientRect();
  return [box.left, document.documentElement.clientWidth - box.right];
}"""
WIDE = {"A4": 695, "Letter": 718}  # of the paper within its margins, in pixels


def desk(guest: MakeGuest, server: Server, *given: Any) -> tuple[dict[str, Any], Page]:
    """A desk that lies ready, and its GM's page."""
    laid, here = server.lay("desk", *given), guest()
    here.context.add_cookies([{"name": "sessionid", "value": laid["cookies"]["Alice"], "url": server.url}])
    return {**laid, "at": f"{server.url}{laid['address']}prepare/"}, here.page


@pytest.mark.parametrize("system", some(SYSTEMS, "pnc", "questworlds"))
def test_npcs_are_cards_eight_on_a_page_and_nothing_is_cut(guest: MakeGuest, server: Server, system: str) -> None:
    laid, page = desk(guest, server, system, 0, 0, 13)
    page.goto(f"{laid['at']}cards/")
    assert page.locator(".npc-card").count() == laid["npcs"] > 8
    page.emulate_media(media="print")
    for size, wide in WIDE.items():
        page.set_viewport_size({"width": wide, "height": 1000})
        left, right = page.evaluate(SIDES)
        assert abs(left - right) <= 1, "the cards are in the middle of the paper"
        assert pages(page, size, f"cards-{system}") == ceil(laid["npcs"] / 8)
        assert page.evaluate(CUT) == []
    assert "NPC cards" not in page.locator("body").inner_text()


@pytest.mark.parametrize("system", some(SYSTEMS, "danger_world", "pdq_sharp"))
def test_the_plan_prints_with_the_abilities_of_those_in_it(guest: MakeGuest, server: Server, system: str) -> None:
    laid, page = desk(guest, server, system, 0, 0, 3)
    page.goto(f"{laid['at']}plan/")
    where = page.get_by_text("The button Print, on this page")
    expect(where).to_be_hidden()
    page.emulate_media(media="print")
    expect(where).to_be_visible()  # who prints this page reads where the other is
    page.emulate_media(media="null")
    page.get_by_role("main").get_by_role("link", name="Print").click()
    page.wait_for_url("**/plan/paper/")
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 695, "height": 1000})
    said = page.get_by_role("main").inner_text()
    assert all(words in said for words in ("The moot", "Bring the map.", "The lamp bridge", "Fog on the water.",
                                         "She lies."))
    abilities = page.locator(".with-abilities dd").all_inner_texts()
    assert len(abilities) == 6 and all(abilities)
    assert not overflow(page) and [pages(page, size, f"plan-{system}") for size in WIDE] == [1, 1]
    assert not [words for words in ("Print", "Open this scene", "Edit") if words in said]


def test_the_rows_of_a_large_matrix_come_by_themselves_and_then_at_a_press(guest: MakeGuest, server: Server) -> None:
    """The first row does not wait for the others: how soon it is there `python -m bench.matrix` measures."""
    laid, page = desk(guest, server, "questworlds", 12, 60, 2)
    page.goto(f"{laid['at']}matrix/")
    rows = page.locator("table.matrix tbody[id^=row]")
    expect(rows.nth(15)).to_be_visible()
    page.get_by_role("link", name="More rows").click()
    expect(rows.nth(30)).to_be_visible()
    assert page.locator("table.matrix thead th").count() == 13
