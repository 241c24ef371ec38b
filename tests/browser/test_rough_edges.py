"""Long names, large letters, impatient fingers, a lost connection."""
from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, Page, StorageState, expect

from tests.browser import doing
from tests.browser.conftest import MakeGuest, Sit
from tests.browser.guests import Guest, overflow
from tests.browser.sampling import Sample, begin_a_conflict
from tests.browser.serving import Server
from tests.effort import some
from tests.gate import seldom

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"
LONGER = "Rindfleischetikettierungsüberwachungsaufgabenübertragungsgesetz"
CAUGHT_UP = 20_000  # milliseconds: a browser waits some seconds before it asks again for a stream that broke off


@dataclass(frozen=True)
class Long:
    """A campaign in which everything has a long name."""

    address: str
    sheet: str
    contest: str
    cookies: StorageState


@pytest.fixture(scope="module")
def long(browser: Browser, server: Server) -> Iterator[Long]:
    context = browser.new_context(base_url=server.url, service_workers="block")
    context.set_default_timeout(10_000)
    page = context.new_page()
    doing.sign_up(page, doing.unique("Unterbeamtengesellschafterin"))
    address = doing.found(page, LONG)
    doing.make_character(page, address, LONG, strengths=(LONGER, "Öl"), weakness=f"{LONGER} und {LONG}"[:100])
    sheet = page.url
    doing.make_npc(page, address, f"{LONGER}, {LONG} good")
    doing.open_session(page, address, LONG)
    doing.set_scene(page, address, LONG, LONG, LONGER)
    tray = doing.tray(page)
    doing.say(tray, f"{LONG} {LONGER}")
    tray.locator("#forecast button.primary").click()
    contest = begin_a_conflict(page, address, LONG)
    yield Long(address, sheet, contest, context.storage_state())
    context.close()


def pages(long: Long) -> list[str]:
    """Where long names stand."""
    return [
        "/", "/campaigns/new/", long.address, long.sheet, f"{long.sheet}edit/", f"{long.address}characters/",
        f"{long.address}ledger/", f"{long.address}ledger/4/", f"{long.address}chronicle/", f"{long.address}odds/",
        f"{long.address}people/", f"{long.address}settings/", f"{long.address}contests/start/conflict/", long.contest,
    ]


@pytest.mark.parametrize("letters", some(["100%", "200%"], "200%"))
def test_nothing_reaches_over_the_edge_of_a_phone(guest: MakeGuest, long: Long, letters: str) -> None:
    page = guest("phone", storage_state=long.cookies, reduced_motion="reduce").page
    wide = {}
    for address in pages(long):
        page.goto(address)
        page.evaluate("size => { document.documentElement.style.fontSize = size }", letters)
        page.evaluate("document.querySelectorAll('main details, aside details').forEach((each) => each.open = true)")
        if over := overflow(page):
            wide[address] = over
    assert not wide


@seldom
@pytest.mark.parametrize("letters", some(["100%", "200%"], "200%"))
def test_the_sample_fits_a_phone(guest: MakeGuest, sample: Sample, letters: str) -> None:
    page = guest("phone", storage_state=sample.cookies, reduced_motion="reduce").page
    wide = {}
    for address in ("", "characters/mine/", "ledger/", "chronicle/", "odds/", "prepare/", sample.contest):
        page.goto(address if address.startswith("http") else sample.address + address)
        page.evaluate("size => { document.documentElement.style.fontSize = size }", letters)
        page.evaluate("document.querySelectorAll('main details, aside details').forEach((each) => each.open = true)")
        if over := overflow(page):
            wide[address] = over
    assert not wide


def test_whoever_rolls_has_their_own_sheet_in_the_tray(guest: MakeGuest, sample: Sample) -> None:
    page = guest("desk", storage_state=sample.cookies).page
    page.goto(sample.address)
    tray = doing.tray(page)
    tray.get_by_label("Who rolls").select_option(label="Ivo Lund")
    doing.say(tray, "Read the meter")  # while the other sheet is on its way
    tray.get_by_label(re.compile("Dams and what")).check()
    expect(tray.locator("#forecast button.primary")).to_contain_text("+6")
    tray.locator("#forecast button.primary").click()
    expect(page.locator("#rolled")).to_contain_text("Ivo Lund: Read the meter")


def test_somebody_elses_quality_sets_the_difficulty(guest: MakeGuest, sample: Sample) -> None:
    page = guest("desk", storage_state=sample.cookies).page
    page.goto(sample.address)
    tray = doing.tray(page)
    tray.get_by_label("Who rolls").select_option(label="Ivo Lund")
    tray.get_by_label(re.compile("Dams and what")).check()
    against = tray.get_by_label("Opposed by")
    against.select_option(label=against.locator("option", has_text="Expert [+4]").first.inner_text())
    expect(tray.locator("#forecast button.primary")).to_have_accessible_name("Roll 2d6 +6 against 11")


def test_without_scripts_another_sheet_is_shown_first(guest: MakeGuest, sample: Sample) -> None:
    desk = guest("desk", storage_state=sample.cookies, java_script_enabled=False)
    desk.expect(422, "/roll/")
    page = desk.page
    page.goto(sample.address)
    tray = doing.tray(page)
    tray.get_by_role("checkbox").first.check()
    tray.get_by_label("Who rolls").select_option(label="Ivo Lund")
    tray.locator("#forecast button.primary").click()
    expect(page.locator("#rolled")).to_have_count(0)
    expect(tray.get_by_label(re.compile("Dams and what"))).to_be_visible()


@pytest.mark.parametrize("screen", some(["desk", "phone"], "phone"))
def test_the_button_is_in_view_until_a_contest_is_under_way(sit: Sit, screen: str) -> None:
    """Whoever is in one has its acts before them, and no other button lies over these."""
    campaign, alice, bob = sit("pdq", screen)
    bob.goto(campaign)
    button = doing.tray(bob).locator("#forecast button.primary")
    expect(button).to_be_in_viewport(ratio=1)
    begin_a_conflict(alice, campaign)
    bob.goto(campaign)
    expect(bob.locator("#acts button").first).to_be_visible()
    assert button.evaluate("each => getComputedStyle(each.parentElement).position") == "static"


def test_whoever_has_the_turn_comes_first(guest: MakeGuest, sample: Sample) -> None:
    page = guest("desk", storage_state=sample.cookies).page
    page.goto(sample.contest)
    turn = page.locator("#below .turn.current .name").first.inner_text()
    expect(page.locator("#acts summary").first).to_contain_text(turn)


def test_a_double_click_makes_one_entry(guest: MakeGuest, sample: Sample) -> None:
    page = guest("desk", storage_state=sample.cookies).page
    page.goto(sample.address)
    tray = doing.tray(page)
    doing.say(tray, "Knock twice")
    tray.locator("#forecast button.primary").dblclick()
    expect(page.locator("#rolled")).to_contain_text("Knock twice")
    page.goto(f"{sample.address}ledger/")
    expect(doing.ledger(page).filter(has_text="Knock twice")).to_have_count(1)


def test_going_back_and_rolling_again_rolls_again(guest: MakeGuest, sample: Sample) -> None:
    page = guest("desk", storage_state=sample.cookies).page
    page.goto(sample.address)
    for words in ("The first knock", "The second knock"):
        tray = doing.tray(page)
        doing.say(tray, words)
        tray.locator("#forecast button.primary").click()
        expect(page.locator("#rolled")).to_contain_text(words)
    page.goto(f"{sample.address}ledger/")
    expect(doing.ledger(page).filter(has_text=re.compile("The (first|second) knock"))).to_have_count(2)


def roll(page: Page, words: str) -> None:
    """Makes a roll on the table that is open."""
    tray = doing.tray(page)
    doing.say(tray, words)
    tray.locator("#forecast button.primary").click()
    expect(page.locator("#rolled")).to_contain_text(words)


def two_at_the_sample(guest: MakeGuest, sample: Sample) -> tuple[Guest, Guest]:
    """Two browsers at the sample's table, the second with a stream that flows."""
    here, there = (guest("desk", storage_state=sample.cookies) for _ in range(2))
    here.open(sample.address)
    there.open(sample.address)
    roll(here.page, "Is anyone there?")
    expect(there.page.locator("#story .ledger").first).to_contain_text("Is anyone there?", timeout=2_000)
    return here, there


def test_a_browser_that_was_offline_catches_up(guest: MakeGuest, sample: Sample) -> None:
    here, there = two_at_the_sample(guest, sample)
    there.away = True
    there.context.set_offline(True)
    roll(here.page, "Something happens meanwhile")
    there.context.set_offline(False)
    expect(there.page.locator("#story .ledger").first).to_contain_text("Something happens meanwhile", timeout=CAUGHT_UP)


def test_a_server_that_comes_back_is_found_again(guest: MakeGuest, sample: Sample, server: Server) -> None:
    here, there = two_at_the_sample(guest, sample)
    here.away = there.away = True
    server.stop()
    server.start()
    roll(here.page, "Where were we?")
    expect(there.page.locator("#story .ledger").first).to_contain_text("Where were we?", timeout=CAUGHT_UP)


CUT = """() => [...document.querySelectorAll("main :is(button, a.button, summary)")].filter((one) => {
  const {top, bottom, height} = one.getBoundingClientRect();
  return one.checkVisibility() && height > 20 && top < -4 && bottom > 4;
}).map((one) => one.textContent.trim())"""


@pytest.mark.parametrize("screen", some(["desk", "phone"], "desk"))
def test_where_a_contest_begins_no_button_is_cut_in_half(sit: Sit, screen: str) -> None:
    campaign, alice, _ = sit("pdq", "phone", screen)
    begin_a_conflict(alice, campaign)
    expect(alice.locator("#contest")).to_be_in_viewport()
    assert not alice.evaluate(CUT)
    expect(alice.locator("#acts button:not([type=button])").first).to_be_in_viewport()
