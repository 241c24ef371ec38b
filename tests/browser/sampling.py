"""The sample campaign, as `manage.py sample` makes it: a table with a history, on which tests can look around."""
from __future__ import annotations

import re
from dataclasses import dataclass

from playwright.sync_api import Browser, Page, StorageState

from tests.browser import doing
from tests.browser.serving import Server


@dataclass(frozen=True)
class Sample:
    """Its address, its accounts with their passwords, and the GM's log-in as a browser keeps it."""

    address: str
    passwords: dict[str, str]
    gm: str
    cookies: StorageState
    contest: str  # the address of a conflict that has just begun


def make(server: Server) -> tuple[str, dict[str, str]]:
    """Makes it, on a database that has no campaign; answers its address and the passwords."""
    output = server.manage("sample")
    address = re.search(r", at (/c/\S+)", output)
    assert address, output
    passwords = re.findall(r"^  (\S+) +(\S+) +\S", output, re.MULTILINE)
    return address[1], dict(passwords)


def sit_down(browser: Browser, server: Server, address: str, passwords: dict[str, str]) -> Sample:
    """Logs the GM in, and begins a conflict in the scene that is on."""
    gm = next(iter(passwords))
    context = browser.new_context(base_url=server.url, service_workers="block")
    page = context.new_page()
    doing.log_in(page, gm, passwords[gm])
    contest = begin_a_conflict(page, address)
    cookies = context.storage_state()
    context.close()
    return Sample(address, passwords, gm, cookies, contest)


def begin_a_conflict(page: Page, campaign: str, about: str = "Who holds the bread knife") -> str:
    """The first who is here and all players' characters against the others; answers the conflict's address."""
    page.goto(campaign)
    doing.from_the_menu(page, page.locator("a[href$='contests/start/conflict/']"))
    page.get_by_label("Title (what is at stake)").fill(about)
    page.locator("[name=c0_side]").select_option("one")
    page.get_by_role("button", name="Start the conflict").click()
    return doing.at_its_card(page)
