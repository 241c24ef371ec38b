"""Open trays follow what hurts whoever rolls, and the GM's own follows like a player's: nobody reloads the page."""
from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import MakeGuest, logged_in
from tests.browser.serving import Server
from tests.browser.staging import OF_GAMES
from tests.browser.test_open_tray import TICKED, WORDS, kept, moved_on, never_again, odds
from tests.effort import some


@pytest.mark.parametrize("system", some(OF_GAMES, "danger_world", "pnc", "questworlds"))
def test_an_open_tray_follows_a_wound(guest: MakeGuest, server: Server, system: str) -> None:
    laid, lines, name = server.lay("scene", system), OF_GAMES[system], TICKED.get(system, "Knife")
    server.lay("move", laid["address"], "obstacle", lines)
    bob = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    bob.goto(f"{server.url}{laid['address']}")
    never_again(bob)
    tray = bob.locator("#tray")
    for ticked in ("Agility", "Speed") if system == "danger_world" else (name,):
        tray.get_by_label(re.compile(ticked)).first.check()
    tray.get_by_text("More options", exact=True).click()
    tray.get_by_label("What do you try?").fill(WORDS)
    expect(tray.locator("#forecast [data-rolls]")).to_contain_text("%")
    before = odds(tray)
    server.lay("move", laid["address"], "wound", lines)
    if system == "pnc":  # a wound bears on whatever one does: its row is there, ticked
        expect(tray.get_by_label(re.compile("A cut")).first).to_be_checked()
    moved_on(bob, before)
    kept(tray, name)
    assert bob.evaluate("window.first")


@pytest.mark.parametrize("system", some(OF_GAMES, "pdq_sharp", "questworlds"))
def test_the_gms_own_tray_follows_the_table(guest: MakeGuest, server: Server, system: str) -> None:
    """Another page of theirs does what moves: this one stands open at what they try as Ilse."""
    laid, lines, name = server.lay("scene", system), OF_GAMES[system], TICKED.get(system, "Knife")
    alice = logged_in(guest("desk"), server, laid["cookies"]["Alice"])
    alice.goto(f"{server.url}{laid['address']}")
    tray = alice.locator("#tray")
    tray.get_by_label("Who rolls").select_option(label="Ilse")
    expect(tray.locator(f"#applies[data-drawn-for='{tray.get_by_label('Who rolls').input_value()}']")).to_be_attached()
    expect(tray.locator("[aria-invalid]")).to_have_count(0)
    never_again(alice)
    tray.get_by_label(re.compile(name)).first.check()
    tray.get_by_text("More options", exact=True).click()
    tray.get_by_label("What do you try?").fill(WORDS)

    def moves(what: str) -> None:
        server.lay("move", laid["address"], what, lines)

    moves("obstacle")
    expect(tray.locator("[name=obstacle]").first).to_be_attached()
    kept(tray, name)
    moves("wound")
    expect(tray.get_by_role("status")).to_contain_text("Ilse")
    kept(tray, name)
    moves("character")
    expect(tray.get_by_label("Who rolls").locator("option", has_text="Wren")).to_be_attached()
    kept(tray, name)
    moves("scene")
    expect(tray.locator("[name=obstacle]")).to_have_count(0)
    expect(tray.get_by_label("Who rolls").locator("option:checked")).to_have_text("Ilse")
    kept(tray, name)
    assert alice.evaluate("window.first")


@pytest.mark.parametrize("system", some(OF_GAMES, "pdq", "questworlds"))
def test_what_is_not_chosen_yet_is_not_called_wrong(guest: MakeGuest, server: Server, system: str) -> None:
    """The table moves before anything is tapped: the tray follows, and complains of nothing."""
    laid = server.lay("scene", system)
    bob = logged_in(guest("phone"), server, laid["cookies"]["Bob"])
    bob.goto(f"{server.url}{laid['address']}")
    server.lay("move", laid["address"], "obstacle", OF_GAMES[system])
    expect(bob.locator("#tray [name=obstacle]").first).to_be_attached()
    expect(bob.locator("#tray").get_by_role("alert")).to_have_count(0)
    expect(bob.locator("#tray [aria-invalid]")).to_have_count(0)
