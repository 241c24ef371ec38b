"""The pictures of the README and the welcome page: drawn with `SCREENSHOT=1`, and looked at before they are kept."""
from __future__ import annotations

import io
import os
import re

import pytest
from PIL import Image
from playwright.sync_api import Browser, Page, expect

from tests.browser import doing, sampling
from tests.browser.serving import set_up
from tests.databases import ROOT

PICTURE = ROOT / "docs" / "table.png"
WELCOME = ROOT / "static" / "img"  # table-light.webp and table-dark.webp
MOST_BYTES = 300_000
MOST_BYTES_OF_WELCOME = 60_000  # a first visit is to be light


def choose(page: Page, quality: str, words: str, difficulty: str) -> None:
    """Fills the tray, and waits until the odds have followed."""
    tray = doing.tray(page)
    button = tray.locator("#forecast button.primary")
    expect(tray.get_by_label(re.compile(quality))).to_be_visible()  # who rolls is another since
    page.wait_for_load_state("networkidle")
    said = button.inner_text()
    doing.say(tray, words)
    tray.get_by_label(re.compile(quality)).check()
    difficulties = tray.locator("[name=difficulty]")
    label = difficulties.locator("option", has_text=difficulty).inner_text()
    difficulties.select_option(label=label)
    expect(button).not_to_have_text(said)


@pytest.mark.skipif(os.environ.get("SCREENSHOT") != "1", reason="draws docs/table.png; asked for by SCREENSHOT=1")
def test_the_table_of_the_sample(browser: Browser, tmp_path_factory: pytest.TempPathFactory) -> None:
    server = set_up(tmp_path_factory.mktemp("picture"))
    address, passwords = sampling.make(server)
    server.start()
    try:
        context = browser.new_context(
            base_url=server.url, viewport={"width": 1280, "height": 800}, color_scheme="light", reduced_motion="reduce"
        )
        page = context.new_page()
        gm, _ = passwords  # who says how difficult it is
        doing.log_in(page, gm, passwords[gm])
        page.goto(address)
        doing.tray(page).get_by_label("Who rolls").select_option(label="Nell Garraway")
        choose(page, "Bicycle and bad roads", "Carry the first sack to the first door", "Good")
        page.locator("#forecast button.primary").click()
        expect(page.locator("#rolled")).to_contain_text("Carry the first sack")
        choose(page, "Knows every door", "Ask the clerk which name comes first", "Expert")
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0); document.getElementById('tray').scrollTo(0, 0)")
        page.evaluate("document.fonts.ready")
        PICTURE.parent.mkdir(exist_ok=True)
        page.screenshot(path=PICTURE)
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme=theme)  # type: ignore[arg-type]
            drawn = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
            drawn.save(WELCOME / f"table-{theme}.webp", quality=70, method=6)
        context.close()
    finally:
        server.stop()
    assert PICTURE.stat().st_size < MOST_BYTES
    assert all((WELCOME / f"table-{theme}.webp").stat().st_size < MOST_BYTES_OF_WELCOME for theme in ("light", "dark"))
