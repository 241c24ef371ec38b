"""A handout: the GM shows a picture, and it stands large on a player's phone that lies open."""
from __future__ import annotations

import os
import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Sit
from tests.characters.test_portrait import picture
from tests.effort import some

KEEP = os.environ.get("KEEP_PICTURES", "")  # a folder to look at the pages in


@pytest.mark.parametrize("scheme", some(["light", "dark"], "dark"))
def test_a_picture_stands_large_on_an_open_table_and_stays_folded(sit: Sit, scheme: str) -> None:
    address, alice, bob = sit("pdq")
    bob.emulate_media(color_scheme=scheme)  # type: ignore[arg-type]
    bob.goto(address)
    alice.goto(address)
    alice.get_by_text("Scene", exact=True).click()
    alice.get_by_role("link", name="Show a handout").click()
    alice.get_by_label("Title").fill("The cellar under the abbey")
    alice.get_by_label("Text").fill("Three doors, **one** of them wet.")
    alice.get_by_label("Picture").set_input_files(
        {"name": "cellar.png", "mimeType": "image/png", "buffer": picture()})
    alice.get_by_label("Everyone").check()
    alice.get_by_role("button", name="Show handout").click()
    expect(alice.get_by_text("Shown to everyone")).to_be_visible()
    shown = bob.locator(".handout")
    expect(shown.get_by_role("img")).to_be_visible()
    expect(shown).to_contain_text("one of them wet")
    if KEEP:
        bob.screenshot(path=Path(KEEP, f"handout-{scheme}.png"))
    assert bob.evaluate("document.documentElement.scrollWidth") <= 390
    shown.locator("summary").click()
    expect(shown.get_by_role("img")).to_be_hidden()
    bob.reload()
    expect(shown.get_by_role("img")).to_be_hidden()
    shown.locator("summary").click()
    shown.get_by_role("link", name="All handouts").click()
    expect(bob.locator(".ledger")).to_contain_text(re.compile("The cellar under the abbey.*one of them wet", re.DOTALL))
    box = bob.locator(".ledger img").bounding_box()
    assert box and box["width"] > 200, "and the picture is large there, too"
