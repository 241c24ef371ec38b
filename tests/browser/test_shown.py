"""A tray that has heard of nothing while the GM put something on the scene."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.serving import Server
from tests.effort import some


@pytest.mark.parametrize("screen", some(["desk", "phone"], "phone"))
def test_an_old_tray_comes_back_with_the_numbers_of_now_and_then_rolls(
    guest: MakeGuest, server: Server, screen: str
) -> None:
    laid, bobs = server.lay("scene", "pdq_sharp"), guest(screen)
    campaign = f"{server.url}{laid['address']}"
    alice, bob = (
        logged_in(context, server, laid["cookies"][name]) for name, context in (("Alice", guest()), ("Bob", bobs)))
    bobs.expect(422, "/roll/")
    bobs.context.route(re.compile("/feed/"), lambda route: None)  # the news is on its way, and the press is quicker
    doing.put_obstacle(alice, campaign, "The wet stairs", "average")
    bob.goto(campaign)
    tray = doing.tray(bob)
    tray.get_by_label(re.compile("Knife")).first.check()
    button = tray.locator("#forecast button.primary")
    expect(tray.locator("#forecast")).to_contain_text("against 7")
    doing.put_obstacle(alice, campaign, "Fog over the bar", "good")
    expect(alice.get_by_role("region", name="Obstacles").get_by_text("Fog over the bar")).to_be_visible()
    button.click()
    expect(tray.get_by_role("alert")).to_have_text(
        "The obstacle is now Fog over the bar, good 9. Roll again to roll against it.")
    expect(tray.get_by_role("alert")).to_be_in_viewport()
    expect(bob.locator("#rolled")).to_have_count(0)
    expect(tray.get_by_label(re.compile("Knife")).first).to_be_checked()
    expect(tray.locator("#forecast")).to_contain_text("against 9")
    refused = bob.url
    button.click()
    expect(bob.locator("#rolled")).to_contain_text("9")
    bob.goto(refused)
    expect(bob).to_have_url(re.compile(f"^{re.escape(campaign)}(#tray)?$"))
