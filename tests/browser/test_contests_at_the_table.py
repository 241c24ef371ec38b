"""Contests on the table follow what others do, in two browsers, and take nothing from whoever is typing there."""
from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest
from tests.browser.guests import overflow
from tests.browser.serving import Server
from tests.browser.test_a_simple_contest import act, press

WITHIN = 4_000


def begin(page: Page, campaign: str, prize: str) -> str:
    """The GM frames a contest of Sefa's; answers its address."""
    page.goto(f"{campaign}contests/start/framed/")
    page.get_by_label("The prize").fill(prize)
    page.locator("[name=who]").select_option(label="Sefa")
    page.get_by_role("button", name="Start framing").click()
    return doing.at_its_card(page)


def test_contests_follow_leave_what_is_typed_and_unfold_in_their_place(server: Server, guest: MakeGuest) -> None:
    laid = server.lay("lay")
    campaign, pages = f"{server.url}{laid['address']}", {}
    for name, screen in (("Alice", "desk"), ("Bob", "phone")):
        seat = guest(screen)
        seat.context.add_cookies([{"name": "sessionid", "value": laid["cookies"][name], "url": server.url}])
        pages[name] = seat.page
    alice, bob = pages["Alice"], pages["Bob"]
    first = begin(alice, campaign, "Past the guard")
    bob.goto(campaign)
    bob.evaluate("() => { document.body.dataset.same = 'yes'; }")
    field = bob.locator("#acts [name=tactic]")
    field.fill("By the back door")
    field.focus()

    against = act(alice, "Set the resistance")
    against.get_by_label("Opponent").fill("Two watchmen and a dog")
    press(alice, against, "Set the resistance")
    expect(bob.locator("#view")).to_contain_text("Two watchmen and a dog", timeout=WITHIN)
    begin(alice, campaign, "Over the wall")
    line = bob.locator(".contest-line")
    expect(line).to_contain_text(re.compile("Over the wall.*Your turn", re.DOTALL), timeout=WITHIN)
    expect(field).to_have_value("By the back door")
    expect(field).to_be_focused()

    line.get_by_role("link").click()
    expect(line).to_contain_text(re.compile("Past the guard.*Your turn", re.DOTALL))
    expect(bob.get_by_role("region", name="Over the wall").locator("#view")).to_be_visible()
    expect(bob.locator("#view")).to_have_count(1)
    expect(bob.locator("body")).to_have_attribute("data-same", "yes")
    assert not overflow(bob)
    contest = first.rstrip("/").rpartition("/")[2]
    expect(line.get_by_role("link")).to_have_attribute("href", f"?contest={contest}#contest")


def test_what_is_folded_is_fetched_when_it_is_unfolded(server: Server, guest: MakeGuest) -> None:
    """It stays unfolded as others act, with what is typed there; without a script a contest's own page has it."""
    laid = server.lay("lay")
    campaign = f"{server.url}{laid['address']}"
    alice, bob, scriptless = guest("desk"), guest("phone"), guest("phone", java_script_enabled=False)
    for seat, name in ((alice, "Alice"), (bob, "Bob"), (scriptless, "Bob")):
        seat.context.add_cookies([{"name": "sessionid", "value": laid["cookies"][name], "url": server.url}])
    own = begin(alice.page, campaign, "Past the guard")
    for_bob = alice.page.locator("#acts .for-players")
    expect(for_bob.locator("form")).to_have_count(0)
    says = for_bob.locator("[id^=offer-choose-]")
    alice.page.goto(f"{campaign}#{says.get_attribute('id')}")  # whoever is led there can begin at once
    expect(says.locator(":focus")).to_have_count(1)
    says.locator("[name=tactic]").fill("By the front door")
    happened = alice.page.locator("#entries")
    happened.locator("summary").click()
    expect(happened.locator(".entry")).to_have_count(1)

    bob.page.goto(campaign)
    bob.page.locator("#acts [name=tactic]").fill("By the back door")
    press(bob.page, bob.page.locator("#acts [id^=offer-choose-]"), "Describe what you do")
    expect(happened.locator(".entry")).to_have_count(2, timeout=WITHIN)
    expect(happened).to_have_attribute("open", "")
    expect(says.locator("[name=tactic]")).to_have_value("By the front door")

    scriptless.page.goto(campaign)
    scriptless.page.get_by_text("Participants", exact=True).click()
    scriptless.page.locator("#entries summary").click()
    scriptless.page.locator("#entries").get_by_role("link").click()
    assert scriptless.page.url == own
    expect(scriptless.page.locator("#below .entry")).to_have_count(2)
