"""A sample of each game is one press from Home; one rolls in it at once, and throws it away."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from rules.registry import SYSTEMS
from tests.browser import doing
from tests.browser.guests import Guest, overflow
from tests.browser.test_axe import serious
from tests.effort import some

LINES = "input:is([name=ability], [name=features], [name=traits], [name=stats], [name=fortes])"


def rows(tray: Locator) -> Locator:
    """The lines of a sheet that a tray offers."""
    return tray.locator(LINES)


@pytest.mark.parametrize("game", some(sorted(SYSTEMS), "pdq_sharp"))
@pytest.mark.parametrize("screen", some(["desk", "phone"], "phone"))
def test_a_sample_is_played_and_thrown_away(guest: object, game: str, screen: str) -> None:
    here: Guest = guest(screen)  # type: ignore[operator]
    page, name = here.page, SYSTEMS[game].name
    doing.sign_up(page, doing.unique("Alice"))
    page.get_by_role("button", name=f"Open the sample of {name}", exact=True).click()
    page.wait_for_url("**/c/**")
    expect(page.get_by_text("Sample campaign.")).to_be_visible()
    assert not overflow(page)
    assert not serious(page)
    tray, before = doing.tray(page), doing.ledger(page).count()
    for row in range(2 if game == "danger_world" else 1):
        rows(tray).nth(row).check()
    with page.expect_navigation():
        tray.locator("#forecast button.primary").click()
    expect(page.locator("#acts, #rolled, .card-here").first).to_be_visible()
    assert doing.ledger(page).count() > before
    campaign = re.match(r".*/c/[^/]+/", page.url)
    assert campaign
    doing.check_the_chain(page, campaign[0])
    # The page that is left may still ask how far the campaign is, and what is new in it.
    here.expect(404, "/head/")
    here.expect(404, "/ledger/since/")
    page.goto(campaign[0])
    page.get_by_role("button", name="Delete sample").click()
    expect(page.get_by_role("heading", name="Your campaigns")).to_be_visible()
    expect(page.get_by_role("heading", name="Try a sample campaign")).to_be_visible()
