"""The table by keyboard alone: every stop can be seen, and a roll needs no mouse."""
from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Page, expect

from tests.browser import doing
from tests.browser.guests import Guest
from tests.browser.sampling import Sample

MOST_STOPS = 120


def at_sample(guest: Guest, sample: Sample) -> Page:
    """The sample's table, with its GM logged in."""
    doing.log_in(guest.page, sample.gm, sample.passwords[sample.gm])
    guest.open(sample.address)
    return guest.page


def tab_to(page: Page, selector: str) -> None:
    """Presses Tab until the focus is there."""
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        if page.evaluate("selector => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab never comes to {selector}.")


def test_the_skip_link_comes_first_and_leads_to_the_page(desk: Guest, sample: Sample) -> None:
    page = at_sample(desk, sample)
    page.keyboard.press("Tab")
    skip = page.get_by_role("link", name="Skip to content")
    expect(skip).to_be_focused()
    box = skip.bounding_box()
    assert box
    assert box["x"] >= 0
    assert box["y"] >= 0  # it has come into view
    page.keyboard.press("Enter")
    expect(page.locator("#main")).to_be_focused()
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.closest('main, aside') !== null")


def test_every_stop_can_be_seen(desk: Guest, sample: Sample) -> None:
    page = at_sample(desk, sample)
    unseen: list[Any] = []
    stops = set()
    for _ in range(MOST_STOPS):
        page.keyboard.press("Tab")
        # The outline may lie on what stands for the focused one: a label round its box.
        stop = page.evaluate("""() => {
          const it = document.activeElement;
          if (it === document.body) return null;
          const drawn = (each) => {
            const style = getComputedStyle(each);
            return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
          };
          const box = it.getBoundingClientRect();
          it.dataset.stop ||= String(Math.random());
          return {
            stop: it.dataset.stop, html: it.outerHTML.slice(0, 100),
            seen: [it, it.closest("label")].some((each) => each && drawn(each)) && box.width > 0
              && box.bottom > 0 && box.top < innerHeight,
          };
        }""")
        if stop is None or stop["stop"] in stops:
            break
        stops.add(stop["stop"])
        if not stop["seen"]:
            unseen.append(stop["html"])
    assert len(stops) > 20
    assert not unseen


def test_a_roll_by_keyboard_alone(desk: Guest, sample: Sample) -> None:
    page = at_sample(desk, sample)
    tab_to(page, "#tray [name=traits]")
    button = page.locator("#forecast button.primary")
    said = button.inner_text()
    page.keyboard.press("Space")
    expect(button).not_to_have_text(said)
    tab_to(page, "#tray [data-keep=more-options] summary")
    page.keyboard.press("Space")
    tab_to(page, "#tray [name=what]")
    page.keyboard.type("Put the bread on the table")
    tab_to(page, "#forecast button.primary")
    page.keyboard.press("Enter")
    expect(page.locator("#rolled")).to_contain_text("Put the bread on the table")


def test_escape_closes_the_menu(phone: Guest, sample: Sample) -> None:
    page = at_sample(phone, sample)
    menu = page.locator(".bar details")
    menu.locator("summary").focus()
    page.keyboard.press("Enter")
    expect(menu.get_by_role("link", name="Members")).to_be_visible()
    page.keyboard.press("Escape")
    expect(menu.get_by_role("link", name="Members")).to_be_hidden()
    expect(menu.locator("summary")).to_be_focused()


def test_why_is_asked_by_keyboard(desk: Guest, sample: Sample) -> None:
    page = at_sample(desk, sample)
    page.goto(f"{sample.address}characters/")
    page.get_by_role("main").locator("a[href*='/characters/']", has_text="Nell").first.click()
    page.get_by_role("link", name=re.compile("^why is")).first.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".because-place .ledger").first).to_be_visible()
