"""Sheets to hold: on one page of either size, whole, for a hero of twelve lines with breakouts; and an empty one.

The recap of a session prints alone.
"""
from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from rules.registry import SYSTEMS
from tests.browser.conftest import Sit
from tests.browser.guests import Guest, overflow
from tests.browser.serving import Server
from tests.effort import some

MARGIN = "13mm"  # as print.css has it: a browser that is told of none would use the whole page
KEEP = os.environ.get("KEEP_PAPER", "")  # a folder to look at the pages in


def pages(page: Page, size: str, name: str) -> int:
    """How many pages the page is on paper of this size."""
    pdf = page.pdf(format=size, margin=dict.fromkeys(("top", "right", "bottom", "left"), MARGIN), print_background=True)
    if KEEP:
        Path(KEEP, f"{name}-{size}.pdf").write_bytes(pdf)
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


def cut(page: Page) -> list[str]:
    """What of the sheet reaches over the right edge of a page, or isn't whole in its own line."""
    page.emulate_media(media="print")
    page.set_viewport_size({"width": 695, "height": 1020})  # A4 within its margins
    outside: Any = page.evaluate("""() =>
      [...document.querySelectorAll("article :is(h1, h2, .name, .notation, dd, text)")].filter((each) => {
        const whole = getComputedStyle(each).overflow === "visible" || each.scrollWidth <= each.clientWidth + 1;
        const box = each.getBoundingClientRect();
        return box.width && (box.right > innerWidth + 1 || !whole);
      }).map((each) => each.textContent)""")
    page.emulate_media(media="null")
    return list(outside)


@pytest.mark.parametrize("system", some(SYSTEMS, "pdq_sharp", "questworlds"))
def test_a_sheet_is_one_page_to_hold(guest: object, server: Server, system: str) -> None:
    here: Guest = guest()  # type: ignore[operator]
    laid = server.lay("hero", system)
    here.context.add_cookies([{"name": "sessionid", "value": laid["cookies"]["Bob"], "url": server.url}])
    for name, address in (("sheet", laid["sheet"]), ("blank", f"{laid['address']}characters/blank/")):
        here.open(address)
        assert [pages(here.page, size, f"{system}-{name}") for size in ("A4", "Letter")] == [1, 1]
        assert not cut(here.page)
        here.page.emulate_media(media="print")
        said = here.page.locator("body").inner_text()
        assert "The Salt Parliament" in said and "Player" in said and "As of" in said
        assert not [words for words in ("You play", "why", "None yet", "Nothing is", "Add a note") if words in said]
        assert here.page.locator(".room li:visible").count() >= 6
        here.page.emulate_media(media="null")
    here.open(laid["sheet"])
    assert here.page.get_by_role("button", name="Print").is_visible()


def test_a_recap_prints_alone_and_whole(sit: Sit) -> None:
    campaign, alice, bob = sit("pdq")
    bob.goto(f"{campaign}chronicle/")
    bob.get_by_role("link", name="Write the recap").click()
    bob.locator("[name=title]").fill("The ferry")
    bob.locator("[name=recap]").fill("\n\n".join(f"{number}. They went by water, and nobody saw them. " * 6
                                                   for number in range(1, 6)))
    bob.get_by_role("main").get_by_role("button").last.click()
    alice.goto(f"{campaign}chronicle/")
    button = alice.get_by_role("button", name="Print").first
    alice.evaluate("window.print = () => { document.body.dataset.printed = location.hash }")
    button.click()
    assert alice.evaluate("document.body.dataset.printed") == "#session-1"
    assert [pages(alice, size, "recap") for size in ("A4", "Letter")] == [1, 1]
    alice.emulate_media(media="print")
    alice.set_viewport_size({"width": 695, "height": 1020})
    said = alice.locator("main").inner_text()
    assert "The ferry" in said and "5. They went by water" in said and not overflow(alice)
    not_on_paper = ("Print", "Change the recap", "Attendance", "Each single entry", "journal")
    assert not [words for words in not_on_paper if words in said]


def test_a_journal_is_printed_with_the_recap_unless_the_gm_leaves_it_out(sit: Sit) -> None:
    campaign, alice, bob = sit("pdq")
    bob.goto(f"{campaign}chronicle/")
    bob.get_by_role("link", name="Write your journal").click()
    bob.get_by_label("Your text").fill("The rope held.")
    bob.get_by_role("button", name="Save your journal").click()
    expect(bob.locator(".journal")).to_contain_text("The rope held.")

    def printed() -> str:
        alice.goto(f"{campaign}chronicle/#session-1")
        alice.emulate_media(media="print")
        said = alice.locator("main").inner_text()
        alice.emulate_media(media="null")
        return said

    assert "The rope held." in printed() and "Leave out" not in printed()
    alice.get_by_role("button", name="Leave out of the Chronicle").click()
    expect(alice.get_by_text("Left out of the Chronicle")).to_be_visible()
    assert "The rope held." not in printed()
    alice.get_by_role("button", name="Put back into the Chronicle").click()
    expect(alice.get_by_role("button", name="Leave out of the Chronicle")).to_be_visible()
    assert "The rope held." in printed()
