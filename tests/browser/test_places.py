"""Where at the table things stand: at a desk what one does is at the right, on a phone it follows what it is about."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import MakeGuest, Sit, logged_in
from tests.browser.guests import DESK, PHONE, overflow
from tests.browser.serving import Server
from tests.browser.test_contests_under_way import KIND, begun
from tests.browser.test_more_games import fits, press, under_the_thumb
from tests.browser.test_taps import Taps
from tests.effort import some

STEPS, DOCK = 12, 150
LONG = "Cross the pier at low water without a lamp while the watch and both its dogs look on"


def box(place: Locator) -> dict[str, float]:
    bounds = place.bounding_box()
    assert bounds, place
    return dict(bounds)  # type: ignore[arg-type]


def beside(page: Page, one: str, other: str) -> bool:
    """Whether the other begins right of where the one ends."""
    first = box(page.locator(one))
    return box(page.locator(other))["x"] >= first["x"] + first["width"]


@pytest.mark.parametrize("system", some(KIND, "questworlds"))
def test_what_one_may_do_stands_beside_the_contest_at_a_desk_and_below_it_on_a_phone(
    sit: Sit, system: str
) -> None:
    campaign, alice, bob = sit(system)
    begun(alice, campaign, system)
    for page in (alice, bob):
        for size in (DESK, PHONE):
            page.set_viewport_size(size)  # type: ignore[arg-type]
            page.goto(campaign)
            expect(page.locator("#acts")).to_have_count(1)
            assert beside(page, "#contests", "#acts") == (size == DESK)
            view, acts = box(page.locator("#view")), box(page.locator("#acts"))
            assert size == DESK or acts["y"] >= view["y"] + view["height"]
            page.locator("#view").evaluate("each => each.scrollIntoView()")
            assert size == PHONE or box(page.locator("#acts"))["y"] >= 0, "what one may do is beside it from its start"
            fits(page)


@pytest.mark.parametrize("system", some(KIND, "danger_world", "pdq", "pnc"))
def test_what_is_asked_next_is_under_the_thumb(sit: Sit, system: str) -> None:
    """In each game, whoever is asked first; in a low window it stands where it belongs."""
    campaign, alice, bob = sit(system)
    begun(alice, campaign, system)
    bob.goto(campaign)
    asked = bob.locator(".next .dock button:not([type=button])")
    assert under_the_thumb(asked.first)
    bob.evaluate("scrollTo(0, document.documentElement.scrollHeight)")
    assert under_the_thumb(asked.first)
    fits(bob)
    bob.set_viewport_size({"width": PHONE["width"], "height": 500})
    expect(asked.first).to_have_css("position", "static")
    assert asked.first.evaluate("each => getComputedStyle(each.closest('.dock')).position") == "static"


def test_what_a_player_asks_stands_once(sit: Sit) -> None:
    """At the GM's desk it is answered at the right, and the bar counts it; on a phone the bar has the answers."""
    campaign, alice, bob = sit("pdq")
    bob.goto(campaign)
    tray = bob.locator("#tray")
    tray.get_by_text("More options", exact=True).click()
    tray.get_by_label("What do you try?").fill(LONG)
    tray.get_by_label("Roll as soon as the GM answers").uncheck()
    press(bob, Taps(), tray.get_by_role("button", name="Ask the GM for the difficulty"))
    waits = tray.locator(".asked")
    expect(waits).to_contain_text("Waiting for the GM")
    expect(bob.locator("#now")).to_have_text(re.compile(f"Waiting for the GM: .*{LONG}"))
    alice.goto(campaign)
    chip = alice.get_by_role("button", name="master 13", exact=True)
    asked = alice.locator(".request")
    expect(asked).to_be_visible()
    assert beside(alice, "#now", ".request")
    expect(alice.locator("#now .answers")).to_be_hidden()
    fits(alice, bob)
    alice.set_viewport_size(PHONE)  # type: ignore[arg-type]
    alice.goto(campaign)
    expect(alice.locator("#now .answers")).to_be_visible()
    expect(asked).to_be_hidden()
    fits(alice)
    alice.locator("#now").get_by_role("link", name=re.compile("^Answer")).click()
    expect(asked.get_by_label("Keep as an obstacle in this scene")).to_be_visible()
    fits(alice)
    press(alice, Taps(), chip.and_(alice.locator(".request button")))
    expect(waits).to_have_count(0)
    expect(bob.locator("#now")).to_contain_text(f"Your turn: roll {LONG}, master 13")


def test_the_chronicle_stands_in_the_phones_bottom_bar_and_the_ledger_under_more(
    server: Server, guest: MakeGuest
) -> None:
    """At both widths all of the places can be reached; on a phone the story is a tap away, the trail two."""
    laid = server.lay("table", "questworlds")
    page = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    page.goto(f"{server.url}{laid['address']}")
    assert page.viewport_size == PHONE
    bar = page.get_by_role("navigation", name="The campaign, in short")
    bottom = box(bar)
    assert bottom["y"] + bottom["height"] == PHONE["height"] and bottom["width"] == PHONE["width"]
    more = bar.locator("summary", has_text="More")
    for name, first in (("Chronicle", None), ("Ledger", more)):
        place = bar.get_by_role("link", name=name, exact=True)
        if first:
            expect(place).to_be_hidden()
            first.tap()
        expect(place).to_be_visible()
        place.tap()
        expect(page.get_by_role("heading", level=1)).to_have_text(name)
        lit = bar.locator("[aria-current]")
        expect(lit).to_have_text(name)
        assert lit.is_visible() is not bool(first) and not overflow(page)


@pytest.mark.parametrize(("system", "kind"), [("pdq", "conflict"), ("pnc", "fight")])
def test_the_chance_of_an_attack_is_over_its_button_before_anything_is_tapped(
    server: Server, guest: MakeGuest, system: str, kind: str
) -> None:
    laid = server.lay("table", system)
    server.lay("begin", laid["address"], kind)
    page = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    for _ in range(STEPS):
        page.goto(f"{server.url}{laid['address']}")
        if page.locator(".next [id^=odds-attack]").count():
            break
        assert server.lay("step", laid["address"], [], {"20": 4}), "it was never Bob’s turn"
    chance = page.locator(".next [id^=odds-attack] .odds")
    expect(chance).to_be_visible()
    assert under_the_thumb(page.locator(".next .dock button:not([type=button])").first)
    assert box(page.locator(".next .dock"))["height"] <= DOCK and not overflow(page)
