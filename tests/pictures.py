"""Pictures of the pages of all samples, of each component, and of contests that wait for a player, in four looks, and
what a ruler says of them: `make pictures`.

They go to build/pictures, with a table of each page's first heading, its height, what sticks out at its sides, and
how many of its targets are smaller than a thumb.
"""
from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

from playwright.sync_api import Browser, Page, sync_playwright

from tests.browser import doing, looks, sampling
from tests.browser.chromium import launched_with
from tests.browser.deciding import AFTER_DICE, TURNS, after_dice, on_a_turn
from tests.browser.serving import Server, set_up
from tests.databases import ROOT

OUT = ROOT / "build" / "pictures"
GAMES = ("pdq", "pdq_sharp", "questworlds", "danger_world", "pnc")
PAGES = ("", "characters/", "chronicle/", "ledger/", "odds/", "shown/", "prepare/",
         "prepare/matrix/", "prepare/plan/", "settings/", "dates/", "safety/", "people/")
OUTSIDE = {"/": "landing", "/log-in/": "log-in", "/sign-up/": "sign-up", "/nothing/": "not-found"}  # before one logs in
OWN = {"/account/": "account", "/operator/": "operator"}  # of one’s own; the first of the sample keeps the server
SCREENS: dict[int, Any] = {
    390: {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True, "reduced_motion": "reduce"},
    1280: {"viewport": {"width": 1280, "height": 900}, "reduced_motion": "reduce"},
}


def samples(page: Page, played: str, only: str) -> Iterator[tuple[str, str]]:
    """The tables of all games, or of one, each with the game's name: that which was played, the others from Home."""
    for game in (only,) if only else GAMES:
        if game != "pdq":
            page.goto("/")
            page.locator(f"form[action$='/{game}/'] button").click()
            page.wait_for_url("**/c/**")
        yield game, played if game == "pdq" else page.url.partition("#")[0].removeprefix(page.url.partition("/c/")[0])


def draw(browser: Browser, server: Server, only: str) -> Iterator[str]:
    """Draws all pages of each sample as its GM sees them; answers a line for each picture."""
    played, passwords = sampling.make(server)
    server.start()
    server.manage("operator", next(iter(passwords)))
    server.manage("trials")
    context = browser.new_context(base_url=server.url, **SCREENS[1280])
    page = context.new_page()
    if not only:
        guest = browser.new_context(base_url=server.url, **SCREENS[390])
        yield from _all({1280: page, 390: guest.new_page()}, OUTSIDE)
        guest.close()
    doing.log_in(page, *next(iter(passwords.items())))
    phone = browser.new_context(base_url=server.url, storage_state=context.storage_state(), **SCREENS[390]).new_page()
    if not only:
        yield from _all({1280: page, 390: phone}, OWN)
    for game, table in samples(page, played, only):
        page.goto(f"{table}characters/")
        sheet = page.locator("main .cards a, main .shelf a, main li a").first.get_attribute("href") or ""
        for at in (*(f"{table}{place}" for place in PAGES), sheet, "/", f"/styleguide/?game={game}"):
            yield from _looks({1280: page, 390: phone}, game, at, _called(at))
    context.close()
    phone.context.close()
    yield from draw_contests(browser, server, only)


def draw_contests(browser: Browser, server: Server, only: str) -> Iterator[str]:
    """Draws tables whose contest waits for a player, on a turn or after the dice, as the player and the GM see them."""
    for called, lay, kinds in (("turn", on_a_turn, TURNS), ("after-dice", after_dice, AFTER_DICE)):
        for game, kind in kinds:
            if only in ("", game):
                table = lay(server, game, kind)
                asked = max(table.players, key=lambda cookie: _asks(browser, server, table.address, cookie))
                for who, cookie in (("player", asked), ("gm", table.cookies["Alice"])):
                    pages = {width: _seated(browser, server, cookie, width) for width in SCREENS}
                    yield from _looks(pages, game, table.address, f"{kind}-{called}-{who}")
                    for page in pages.values():
                        page.context.close()


def _all(pages: dict[int, Page], places: dict[str, str]) -> Iterator[str]:
    """Pages that are of no game."""
    for at, called in places.items():
        yield from _looks(pages, "site", at, called)


def _seated(browser: Browser, server: Server, cookie: str, width: int) -> Page:
    """Somebody's page of this width, with a session that was laid."""
    context = browser.new_context(base_url=server.url, **SCREENS[width])
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": server.url}])
    return context.new_page()


def _asks(browser: Browser, server: Server, address: str, cookie: str) -> int:
    """How much the table asks of somebody."""
    page = _seated(browser, server, cookie, 1280)
    page.goto(address)
    asked = page.locator("#now li:not(.ready)").count()
    page.context.close()
    return asked


def _called(at: str) -> str:
    """What a picture of the page at this address is called."""
    known = {"/": "home"}.get(at) or ("styleguide" if at.startswith("/styleguide/") else "")
    return known or re.sub(r"^c_[^_]+_?|[0-9a-f-]{36}", "", at.strip("/").replace("/", "_")) or "table"


def _looks(pages: dict[int, Page], game: str, at: str, called: str) -> Iterator[str]:
    for (width, page), theme in product(pages.items(), ("light", "dark")):
        page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
        page.goto(at)
        page.evaluate("document.fonts.ready")
        page.screenshot(path=OUT / f"{game}-{called}-{width}-{theme}.png", full_page=True)
        if theme == "light":
            measured = looks.measured(page)
            yield (f"{game:13}{called:26}{width:5}  heading {measured['top']:5}  "
                   f"height {measured['height']:5}  sticks out {measured['over']:3}  "
                   f"small targets {measured['small']:3} of {measured['targets']:3}  {measured['which']}")


def main(only: str = "") -> None:
    """Draws them; with the name of a game, that one's alone."""
    OUT.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as driver:
        server = set_up(Path(folder))
        try:
            browser = driver.chromium.launch(**launched_with())
            lines = []
            for line in draw(browser, server, only):
                print(line, flush=True)
                lines.append(line)
            (OUT / "measured.txt").write_text("\n".join(lines) + "\n")
        finally:
            server.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
