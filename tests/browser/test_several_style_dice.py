"""After the dice of a duel, on a phone and without scripts: several style dice go in one Send, each is paid (PS-44)."""
from __future__ import annotations

import re

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.deciding import after_dice
from tests.browser.guests import Guest
from tests.browser.serving import Server
from tests.browser.test_a_duel import press
from tests.browser.test_a_duel_follows import looked_at, picture
from tests.gate import seldom

HELD, SENT = 3, 2


def composing(server: Server, guest: Guest) -> Page:
    """A duel's table after its dice, for a player who may add to them, as others may, with some style dice each."""
    table = after_dice(server, "pdq_sharp", "duel")
    server.lay("fill", table.address, "style_dice", HELD)
    for asked in table.players:
        page = logged_in(guest, server, asked)
        page.goto(f"{server.url}{table.address}")
        if page.locator(".composer").count():
            expect(have(page, HELD - SENT)).to_have_count(0)
            return page
    raise AssertionError("Nobody may add.")


def have(page: Page, many: int) -> Locator:
    """Those in the duel who have so many style dice."""
    return page.locator(".duelist .pool .notation").filter(has_text=re.compile(f"^{many}$"))


def test_ps_44_two_style_dice_are_put_on_trays_and_go_in_one_send(server: Server, guest: MakeGuest) -> None:
    page = composing(server, guest("phone"))
    chip, put = page.locator(".chips-held > .held-chip", has_text="A style die"), page.locator(".put")
    for left, tray in ((3, put.last), (2, put.first)):
        expect(chip).to_have_text(f"A style die {left} left")
        chip.tap()
        tray.tap()
    expect(chip).to_have_text("A style die 1 left")
    expect(page.locator(".placed .held-chip")).to_have_text(["× A style die +1"] * SENT)
    send = page.locator(".ellipsis .decision button:visible")
    expect(send).to_contain_text(re.compile("Send Style die .1 twice: .* given, .* taken"))
    looked_at(page, "several-placed")
    press(page, send)
    expect(have(page, HELD - SENT)).to_have_count(1)


@seldom
def test_ps_44_without_scripts_each_style_die_has_a_list_of_its_own(server: Server, guest: MakeGuest) -> None:
    page = composing(server, guest("phone", java_script_enabled=False))
    lists = page.locator("select[name^=use_style]")
    expect(lists).to_have_count(HELD)
    for place in range(SENT):
        lists.nth(place).select_option("flat|defence")
    page.get_by_role("button", name="See the chances").click()
    send = page.get_by_role("button", name=re.compile("^Send "))
    expect(send).to_contain_text("before:")
    picture(page, "several-plain")
    send.click()
    expect(have(page, HELD - SENT)).to_have_count(1)
