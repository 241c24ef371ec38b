"""Importing a campaign on a phone: its page follows the worker by itself, and leads to the campaign."""
from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from bench import long_road
from tests.browser.doing import sign_up
from tests.browser.guests import Guest
from tests.browser.serving import Server
from tests.browser.test_dates import fine
from tests.gate import seldom


@seldom
def test_a_file_is_sent_stopped_sent_again_and_followed_to_its_end(
    server: Server, guest: Callable[..., Guest], tmp_path: Path,
) -> None:
    server.manage("trials")
    page = guest("phone").page
    sign_up(page, "Nadja")
    server.manage("operator", "Nadja")
    long_road.another(tmp_path.name)  # not the one of a try before
    file = tmp_path / "the-long-road.campaign.gz"
    long_road.write(file, 200)

    page.goto("/operator/import/")
    fine(page)
    page.locator("[name=file]").set_input_files(file)
    page.get_by_role("button", name="Import the campaign").click()
    expect(page.get_by_text("Your file waits to be read: 200 entries.")).to_be_visible()
    expect(page.get_by_text("No worker is at work on this server")).to_be_visible()
    fine(page)
    page.get_by_role("button", name="Stop the import").click()
    expect(page.get_by_role("status").filter(has_text="You stopped this import. Nothing was imported.")).to_be_visible()
    fine(page)

    page.get_by_role("link", name="Choose a file again").click()
    page.locator("[name=file]").set_input_files(file)
    page.get_by_role("button", name="Import the campaign").click()
    stop = page.get_by_role("button", name="Stop the import")
    stop.focus()
    with page.expect_response(lambda answer: "/import/" in answer.url):  # it asks by itself
        pass
    expect(stop).to_be_focused()
    server.manage("worker", "--once")
    expect(page.get_by_text("All 200 entries are checked and here.")).to_be_visible(timeout=15_000)
    fine(page)
    page.get_by_role("link", name="Go to").first.click()
    page.wait_for_url("**/c/**")
