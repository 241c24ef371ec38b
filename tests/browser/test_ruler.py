"""The ruler of looks sees each fault: a page that has it is named, and one that has none is not."""
from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import MakeGuest
from tests.browser.looks import faults

TALL = "min-height: 44px; min-width: 44px; box-sizing: border-box"
FINE = f"<main><h1>Odds</h1><p><button style='{TALL}'>Roll</button></p></main>"
# What is said of a page, and how the page is made that has it.
FAULTS = {
    "lies covered: button “Roll” under i.": f"{FINE}<i style='position: fixed; inset: 0'></i>",
    "words off the middle of their fold: More":
        f"{FINE}<main><details style='border-top: 1px solid; padding-top: 20px'><summary style='{TALL}; display: flex; "
        "align-items: center'>More</summary></details></main>",
    "figures that hang: h2.MAIN": f"{FINE}<main><h2 style='font-family: Alegreya'>Session 1</h2></main>",
    "a wide hyphen: label.MAIN": f"{FINE}<main><label style='font-variant-numeric: tabular-nums'>E-mail</label></main>",
    "two of these chances look alike: Height 2, Height 1":
        f"{FINE}<figure class='odds'><svg role='img' width='90' height='9' aria-label='Height 2, Height 1'>"
        "<rect fill='tan' width='40' height='9'/><rect fill='tan' x='50' width='40' height='9'/></svg></figure>",
    "has 2 first headings": f"{FINE}<h1>Table</h1>",
    "sticks out by": f"{FINE}<div style='width: 600px; height: 1px'></div>",
    "a word is broken: Straightforward":
        f"{FINE}<label style='display: block; width: 4em; overflow-wrap: anywhere'>Straightforward</label>",
    "more than one button is loud": "<style>:root { --accent: rgb(9, 99, 99) }</style><body class='at-table'><main>"
        f"<h1>Odds</h1><button style='{TALL}; background: var(--accent)'>Roll</button> "
        f"<button style='{TALL}; background: var(--accent)'>Bid</button></main></body>",
    "too small for a thumb: summary.":
        f"{FINE}<main><details><summary style='line-height: 39px'>More</summary></details></main>",
    "its first heading is at": f"<div style='height: 141px'></div>{FINE}",
    "shifts by": f"<div id='late' style='height: 300px'></div>{FINE}<div style='height: 400px; background: tan'></div>"
        "<script>requestAnimationFrame(() => setTimeout(() => { late.remove() }, 300))</script>",
}
PAGE = "<!doctype html><meta name='viewport' content='width=device-width'><body style='margin: 0'>{}</body>"


def shown(guest: MakeGuest, page: str) -> Page:
    """A phone that shows this page, as a server sent it."""
    phone = guest("phone").page
    phone.route("**/ruler/", lambda route: route.fulfill(content_type="text/html", body=PAGE.format(page)))
    phone.goto("/ruler/")
    return phone


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_is_seen_and_no_other(guest: MakeGuest, fault: str) -> None:
    page = shown(guest, FAULTS[fault])
    expect(page.locator("#late")).to_have_count(0)
    page.evaluate("new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
    (said,) = faults(page, phone=True)
    assert fault in said


def test_a_page_without_a_fault_is_fine(guest: MakeGuest) -> None:
    assert not faults(shown(guest, FINE), phone=True)
