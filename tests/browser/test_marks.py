"""Marking what is selected in a text, without typing brackets (QW-71)."""
from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import Browser

SCRIPT = Path(__file__).parents[2] / "static/js/marks.js"
PAGE = """<textarea data-marks></textarea>
<p data-mark-buttons hidden><button data-mark="1">Ability</button><button data-mark="2">Keyword</button></p>"""


@pytest.mark.parametrize(("text", "selected", "button", "marked"), [
    ("a naive smuggler", "smuggler", "2", "a naive [[smuggler]]"),
    ("a naive smuggler", " naive ", "1", "a [naive] smuggler"),
    ("a  naive  smuggler", "  naive  ", "1", "a  [naive]  smuggler"),
    ("a naive smuggler", " ", "1", "a naive smuggler"),
])
def test_qw_71_marking_a_selection_leaves_the_blanks_round_it(
    browser: Browser, text: str, selected: str, button: str, marked: str
) -> None:
    page = browser.new_page()
    page.set_content(PAGE)
    page.add_script_tag(path=SCRIPT)
    area = page.locator("textarea")
    area.fill(text)
    start = text.index(selected)
    area.evaluate("(area, [from, to]) => area.setSelectionRange(from, to)", [start, start + len(selected)])
    page.locator(f"[data-mark='{button}']").click()
    assert area.input_value() == marked
    page.close()
