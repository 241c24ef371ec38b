"""A table without an account, in a browser: from the landing page to a roll, on a phone."""
from __future__ import annotations

import re
from collections.abc import Callable

from playwright.sync_api import expect

from tests.browser.guests import Guest
from tests.browser.serving import Server
from tests.browser.test_dates import fine
from tests.browser.test_taps import Taps


def test_a_visitor_rolls_with_three_taps(server: Server, guest: Callable[..., Guest]) -> None:
    server.lay("trials")
    visitor = guest("phone")
    page = visitor.page
    page.goto("/")
    fine(page)
    count = Taps()
    count.tap(page.get_by_role("button", name="Try a table without an account"))
    page.wait_for_url("**/c/**")
    expect(page.locator("#trial")).to_contain_text("Trial table until")
    fine(page)
    count.tap(page.get_by_role("button", name=re.compile("^Roll 2d6 against 9")).last)
    expect(page.get_by_role("main").get_by_text(re.compile(r"^\d+ against 9: (success|failure)")).first).to_be_visible()
    assert count.taps <= 3
    visitor.expect(403, "/people/invite/")
    page.goto("/".join([*page.url.split("/")[:5], "people/invite/"]))
    expect(page.get_by_role("main")).to_contain_text("Nobody can be invited to a trial table.")
    fine(page)
    page.get_by_role("main").get_by_role("link", name="Sign up").click()
    expect(page.get_by_role("heading", name="Sign up")).to_be_visible()
    expect(page.locator("#trial")).to_have_count(0)
