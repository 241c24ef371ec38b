"""All pages of all samples, on a phone and at a desk: nothing small, covered or off its middle, one look each."""
from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.browser import doing
from tests.browser.crawling import crawled
from tests.browser.looks import KIT, USUAL, faults, shapes
from tests.browser.sampling import Sample
from tests.browser.serving import Server
from tests.browser.test_axe import CAMPAIGN, serious
from tests.effort import LONG
from tests.gate import seldom
from tests.pictures import GAMES, PAGES, SCREENS

HREFS = "(links) => links.map((link) => link.pathname)"
# No game has a word of its own on these: one sample shows them, in a long run all.
OF_ANY_GAME = {"chronicle/", "shown/", "prepare/plan/", "dates/", "safety/", "people/"}

ALL_SCREENS = {**SCREENS, 768: {"viewport": {"width": 768, "height": 1024}, "has_touch": True, "is_mobile": True,
                                "reduced_motion": "reduce"}}
# Links are followed on a phone; in a long run in all games, at all widths.
CRAWLS = [("pdq", "player", 390), *((game, "gm", width) for game in GAMES for width in ALL_SCREENS if LONG),
          *(("pdq", "player", width) for width in (768, 1280) if LONG)]


def pages_of(game: str) -> list[str]:
    """The pages of the game's sample that are looked at."""
    return [place for place in PAGES if LONG or game == "pdq" or place not in OF_ANY_GAME]


def table_of(page: Page, game: str, sample: Sample) -> str:
    """The address of the game's sample: the one that is laid out, or one from Home."""
    if game == "pdq":
        return sample.address
    page.goto("/")
    page.locator(f"form[action$='/{game}/'] button").click()
    page.wait_for_url("**/c/**")
    return "/c/" + page.url.partition("/c/")[2].partition("#")[0].partition("?")[0]


def more_of(page: Page, table: str) -> list[str]:
    """The builder, the forms that begin a contest, and a contest's own page."""
    page.goto(table)
    starts = page.locator("a[href*='/contests/start/']").evaluate_all(HREFS)
    page.goto(f"{table}chronicle/")
    contests = page.locator(f"main a[href^='{table}contests/']").evaluate_all(HREFS)
    return [f"{table}characters/new/", *dict.fromkeys(starts), *contests[:1]]


def kit_of(page: Page, game: str) -> dict[str, list[str]]:
    """The one look that each component has in this game."""
    page.goto(f"/styleguide/?game={game}")
    kit = shapes(page)
    assert kit.keys() == KIT.keys(), f"the kit lacks {KIT.keys() - kit.keys()}"
    assert all(len(seen) == 1 for seen in kit.values()), kit
    return kit


def looked_at(page: Page, kit: dict[str, list[str]], *, phone: bool) -> list[str]:
    """What is wrong with how the page looks, and what looks otherwise than in the kit."""
    others = [f"{page.url}: {name} is {other}, in the kit {kit.get(name)}"
              for name, seen in shapes(page).items() for other in seen if other not in kit.get(name, ())]
    return faults(page, phone=phone) + others


@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_a_sample_holds_to_the_look(browser: Browser, server: Server, sample: Sample, game: str) -> None:
    wrong: list[str] = []
    address, more = "", list[str]()

    def console_says(said: ConsoleMessage) -> None:
        if said.type == "error" and not said.text.startswith("Failed to load resource"):  # a game has no matrix
            wrong.append(f"the console: {said.text}")

    for width, screen in SCREENS.items():
        phone = width < 500
        context = browser.new_context(
            base_url=server.url, storage_state=sample.cookies, service_workers="block", **screen)
        page = context.new_page()
        page.on("console", console_says)
        address = address or table_of(page, game, sample)
        kit, more = kit_of(page, game), more or more_of(page, address)
        page.goto(f"{address}characters/")
        sheet = page.locator("main .cards a, main .shelf a, main li a").first.get_attribute("href") or ""
        places = [*(f"{address}{place}" for place in pages_of(game)), sheet]
        for at in (*places, *(more if phone or LONG else more[:1])):
            page.goto(at)
            page.evaluate("document.fonts.ready")
            if at == address and not phone:
                usual = page.evaluate(USUAL)
                wrong += [] if usual["seen"] else [f"{game}: the usual button is out of sight: {usual}"]
            wrong += looked_at(page, kit, phone=phone)  # which scrolls
            heard = game == "pdq" and at.removeprefix(address) in CAMPAIGN  # by test_axe, on the same table
            wrong += serious(page) if phone and not heard and (at in places or LONG) else []
        context.close()
    assert not wrong, "\n".join(wrong)


@seldom
@pytest.mark.parametrize(("game", "who", "width"), CRAWLS)
def test_whatever_a_link_leads_to_holds_to_the_look(
    browser: Browser, server: Server, sample: Sample, game: str, who: str, width: int
) -> None:
    """All shapes of pages; the samples of the other games are their GM's alone."""
    context = browser.new_context(base_url=server.url, service_workers="block", **ALL_SCREENS[width])
    page = context.new_page()
    name = list(sample.passwords)[who == "player"]
    doing.log_in(page, name, sample.passwords[name])
    table = table_of(page, game, sample)
    kit = kit_of(page, game)
    wrong = [fault for _ in crawled(page, table, f"{table}search/?q=the")
             for fault in looked_at(page, kit, phone=width < 500)]
    context.close()
    assert not wrong, "\n".join(wrong)
