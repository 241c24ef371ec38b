"""The moment after a pair of a scored contest, on a phone: a parting shot and an assist in two taps and the words."""
from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_axe import serious
from tests.browser.test_long_contests import a_round

WITHIN = 10_000
MOST_TABLES = 20
PRIZE = "His chain of office"


def with_a_won_pair(server: Server) -> tuple[dict[str, Any], dict[str, Any]]:
    """A table on which somebody has won their pair while another goes on, as about every second does."""
    for _ in range(MOST_TABLES):
        laid = server.lay("lay")
        if won := server.lay("won", laid["address"], "Captain Vey high; Clerk tiny; Page tiny"):
            return laid, won
    raise AssertionError("Nobody won a pair before the others.")


def row(page: Page, title: str) -> Locator:
    return page.locator(".meanwhile details").filter(has=page.locator("summary b", has_text=title))


def act_in(page: Page, title: str, words: str) -> int:
    """Unfolds a row, says it in words, and presses its button; answers how many taps that took."""
    one = row(page, title)
    one.locator("summary").first.click()
    one.get_by_role("textbox").fill(words)
    with doing.answered(page):
        one.get_by_role("button", name=title, exact=True).click()
    return 2


def test_qw_45_and_48_a_parting_shot_and_an_assist_are_two_taps_and_the_words(
    server: Server, guest: MakeGuest
) -> None:
    laid, won = with_a_won_pair(server)
    campaign, contest = f"{server.url}{laid['address']}", f"{server.url}{won['contest']}"
    alice, page = (logged_in(guest(screen), server, laid["cookies"][name])
                   for screen, name in (("desk", "Alice"), ("phone", won["who"])))
    page.goto(contest)
    assert not overflow(page) and not serious(page)
    assert act_in(page, "Assist someone", "A rope across") == 2
    expect(page.locator("#story, .story, main").first).to_contain_text("against", timeout=WITHIN)
    a_round(page, "Let it stand")
    page.goto(contest)
    assert act_in(page, "Parting shot", PRIZE) == 2
    alice.goto(contest)
    agree = alice.get_by_role("button", name=re.compile(f"Agree, and roll for .*{PRIZE}"))
    expect(agree).to_be_visible()
    with doing.answered(alice):
        agree.click()
    page.goto(contest)
    expect(page.get_by_text(re.compile("has the last word|overreaches|changes nothing|a .* against a")).first
           ).to_be_attached(timeout=WITHIN)
    assert not row(page, "Parting shot").count()
    assert not page.get_by_role("button", name="Roll the parting shot").count(), "the dice fell with the GM’s tap"
    a_round(page, "Let it stand")
    doing.check_the_chain(alice, campaign)
