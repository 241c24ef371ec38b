"""All pages of all samples, on a phone and at a desk: nothing small, covered or off its middle, one look each."""
from __future__ import annotations

import pytest
from playwright.sync_api import Browser, ConsoleMessage, Page

from tests.browser.looks import KIT, faults, shapes
from tests.browser.sampling import Sample
from tests.browser.serving import Server
from tests.browser.test_axe import CAMPAIGN, serious
from tests.effort import LONG
from tests.pictures import GAMES, PAGES, SCREENS

# No game has a word of its own on these: one sample shows them, in a long run all.
OF_ANY_GAME = {"chronicle/", "shown/", "prepare/plan/", "dates/", "safety/", "people/"}


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


@pytest.mark.parametrize("game", GAMES)
def test_every_page_of_a_sample_holds_to_the_look(browser: Browser, server: Server, sample: Sample, game: str) -> None:
    wrong: list[str] = []
    address = ""

    def console_says(said: ConsoleMessage) -> None:
        if said.type == "error" and not said.text.startswith("Failed to load resource"):  # a game has no matrix
            wrong.append(f"the console: {said.text}")

    for width, screen in SCREENS.items():
        context = browser.new_context(
            base_url=server.url, storage_state=sample.cookies, service_workers="block", **screen)
        page = context.new_page()
        page.on("console", console_says)
        address = address or table_of(page, game, sample)
        page.goto(f"/styleguide/?game={game}")
        kit = shapes(page)
        wrong += [f"the kit lacks {name}" for name in KIT.keys() - kit.keys()]
        wrong += [f"the kit has {name} in {seen}" for name, seen in kit.items() if len(seen) > 1]
        page.goto(f"{address}characters/")
        sheet = page.locator("main .cards a, main .shelf a, main li a").first.get_attribute("href") or ""
        for at in (*(f"{address}{place}" for place in pages_of(game)), sheet):
            page.goto(at)
            page.evaluate("document.fonts.ready")
            wrong += faults(page, phone=width < 500)
            wrong += [f"{width} {at}: {name} is {other}, in the kit {kit.get(name)}"
                      for name, seen in shapes(page).items() for other in seen if other not in kit.get(name, ())]
            heard = game == "pdq" and at.removeprefix(address) in CAMPAIGN  # by test_axe, on the same table
            wrong += serious(page) if width < 500 and not heard else []
        context.close()
    assert not wrong, "\n".join(wrong)
