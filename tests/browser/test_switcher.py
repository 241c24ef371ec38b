"""One's own characters, where a member plays several: chips on tray and sheet, by keys, and without scripts."""
from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.staging import OF_GAMES
from tests.browser.test_axe import serious
from tests.effort import some

PRESS = {"phone": 43.5, "desk": 39.5}


def chips(page: Page) -> Locator:
    return page.get_by_role("navigation", name="Your characters").get_by_role("link")


def current(page: Page, name: str) -> None:
    """This one is marked, and no other."""
    expect(chips(page).and_(page.locator("[aria-current=page]"))).to_have_text([name])


def laid(server: Server, system: str) -> tuple[str, str]:
    """A scene with Ilse, and Wren, who is Bob's, too: its address, and Bob's cookie."""
    scene = server.lay("scene", system)
    server.lay("move", scene["address"], "character", OF_GAMES[system])
    return f"{server.url}{scene['address']}", scene["cookies"]["Bob"]


@pytest.mark.parametrize("screen", some(["phone", "desk"], "phone"))
def test_the_tray_and_the_sheet_go_from_one_to_the_next(guest: MakeGuest, server: Server, screen: str) -> None:
    address, cookie = laid(server, "questworlds")
    page = logged_in(guest(screen), server, cookie)
    page.goto(address)
    current(page, "Ilse")
    for chip in chips(page).all():
        box = chip.bounding_box()
        assert box and box["height"] >= PRESS[screen]
    page.evaluate("window.first = true")
    chips(page).filter(has_text="Wren").focus()
    page.keyboard.press("Enter")
    current(page, "Wren")
    expect(chips(page).filter(has_text="Wren")).to_be_focused()
    assert page.evaluate("window.first"), "the page stays, the tray alone is another’s"
    assert not overflow(page) and not serious(page)
    page.reload()
    current(page, "Wren")
    page.goto(f"{address}characters/")
    page.get_by_role("main").get_by_role("link", name="Wren").first.click()
    current(page, "Wren")
    chips(page).filter(has_text="Ilse").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Ilse")
    current(page, "Ilse")
    assert not overflow(page) and not serious(page)


def test_without_scripts_a_chip_is_a_link(guest: MakeGuest, server: Server) -> None:
    address, cookie = laid(server, "pdq")
    page = logged_in(guest("phone", java_script_enabled=False), server, cookie)
    page.goto(address)
    chips(page).filter(has_text="Wren").click()
    current(page, "Wren")
    expect(page.locator("#tray [name=character]")).to_have_attribute("value", page.url.partition("character=")[2][:36])
