"""No page keeps anybody out: axe finds nothing serious, at both widths, by light and in the dark."""
from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page

from tests.browser import doing
from tests.browser.guests import DESK, PHONE, Guest
from tests.browser.sampling import Sample
from tests.browser.serving import Server
from tests.effort import LONG
from tests.gate import seldom

axe = Axe()
OUTSIDE = ("/", "/log-in/", "/sign-up/", "/password/", "/offline/")
SITE = ("/", "/campaigns/new/", "/account/")
COLOURS = ["color-contrast", "link-in-text-block"]  # the rules that a scheme may break
CAMPAIGN = (
    "", "characters/", "characters/new/", "characters/quick/", "ledger/", "ledger/20/", "ledger/verify/",
    "ledger/receipts/", "chronicle/", "scene/presence/", "odds/", "people/", "people/invite/", "settings/", "prepare/",
    "contests/start/conflict/",
)


# Each width and each scheme once; in a long run each width in each scheme.
LOOKS = [(viewport, scheme) for viewport, usual in ((DESK, "light"), (PHONE, "dark")) for scheme in ("light", "dark")
         if LONG or scheme == usual]


@pytest.fixture(scope="module", params=LOOKS, ids=[f"{viewport['width']}-{scheme}" for viewport, scheme in LOOKS])
def member(request: pytest.FixtureRequest, browser: Browser, server: Server, sample: Sample) -> Iterator[Guest]:
    """The sample's GM, with one screen and one scheme; nothing may go wrong on the way."""
    viewport, scheme = request.param
    context = browser.new_context(
        base_url=server.url, viewport=viewport, color_scheme=scheme, reduced_motion="reduce",
        storage_state=sample.cookies, service_workers="block",
    )
    guest = Guest(context, context.new_page())
    guest.watch()
    yield guest
    context.close()
    assert not guest.faults


UNFOLD = """document.querySelectorAll('main details:not([open]), aside details:not([open])').forEach((folded) => {
  folded.open = folded.dataset.wasFolded = true;
})"""
FOLD = """document.querySelectorAll('[data-was-folded]').forEach((folded) => {
  folded.open = false;
  delete folded.dataset.wasFolded;
})"""
# Contrast takes three quarters of axe's time. Words with the same elements, classes and colours around them have the
# same: of those the first, the last and one between are judged, in a long run all.
ALIKE = """() => {
  const looks = new Map(), alike = new Map();
  const look = (element) => {
    if (!element) return "";
    if (!looks.has(element)) {
      const { color, backgroundColor, backgroundImage, fontSize, fontWeight, opacity, position, textShadow } =
        getComputedStyle(element);
      looks.set(element, [look(element.parentElement), element.localName, element.getAttribute("class"),
        element.matches(":disabled, [aria-disabled=true]"), color, backgroundColor, backgroundImage, fontSize,
        fontWeight, opacity, position, textShadow].join(";"));
    }
    return looks.get(element);
  };
  for (const element of document.body.querySelectorAll("*")) {
    const words = [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE && node.data.trim());
    if (!words.length || !element.checkVisibility()) continue;
    const key = `${look(element)};${element.textContent.trim().length > 1}`;
    alike.set(key, [...alike.get(key) ?? [], element]);
  }
  for (const elements of alike.values()) {
    const judged = [elements[0], elements[elements.length >> 1], elements.at(-1)];
    for (const element of elements) if (!judged.includes(element)) element.dataset.isAlike = true;
  }
}"""
UNLIKE = """document.querySelectorAll('[data-is-alike]').forEach((element) => { delete element.dataset.isAlike; })"""
JUDGED = "axe.configure({ rules: [{ id: 'color-contrast', selector: ':not([data-is-alike])' }] })"
# Nothing is fetched again: what asks for that, films and sounds, is on no page. What two of the rules find is never
# serious, and they take a tenth of the time.
WRONG = """async (options) => (await axe.run({
  preload: false, rules: { "region": { enabled: false }, "hidden-content": { enabled: false } }, ...options
})).violations"""


def serious(page: Page, **rules: Any) -> list[str]:
    """What axe holds against the page, folded parts unfolded; they are folded again afterwards."""
    page.evaluate(UNFOLD)
    if not page.evaluate("'axe' in window"):  # once for a page that acts don’t load anew
        page.evaluate(axe.axe_script)
        page.evaluate(JUDGED)
    if not LONG:
        page.evaluate(ALIKE)
    # Only what is wrong is gathered and sent over: that halves the time.
    violations = page.evaluate(WRONG, {"resultTypes": ["violations"], **rules})
    page.evaluate(UNLIKE)
    page.evaluate(FOLD)
    return [
        f"{page.url}: {violation['help']} ({violation['id']}): "
        f"{[node['html'][:120] for node in violation['nodes'][:4]]}"
        for violation in violations if violation["impact"] in ("serious", "critical")
    ]


def in_this_look(page: Page) -> list[str]:
    """The same; in the dark, where each page was seen by light too, only of colours: the rest is no different."""
    dark = page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
    return serious(page, **({"runOnly": {"type": "rule", "values": COLOURS}} if dark else {}))


def test_outside(member: Guest, sample: Sample) -> None:
    member.context.clear_cookies()
    violations = []
    for address in OUTSIDE:
        member.open(address)
        violations += in_this_look(member.page)
    member.context.add_cookies(sample.cookies["cookies"])  # type: ignore[typeddict-item, arg-type]
    assert not violations


def test_the_house(member: Guest) -> None:
    violations = []
    for address in SITE:
        member.open(address)
        violations += in_this_look(member.page)
    assert not violations


def test_the_campaign(member: Guest, sample: Sample) -> None:
    violations = []
    for address in CAMPAIGN if LONG or member.page.viewport_size == DESK else CAMPAIGN[::3]:
        member.open(sample.address + address)
        violations += in_this_look(member.page)
    assert not violations


def test_a_sheet_and_its_builder(member: Guest, sample: Sample) -> None:
    member.open(f"{sample.address}characters/")
    member.page.get_by_role("main").locator("a[href*='/characters/']", has_text="Nell").first.click()
    violations = in_this_look(member.page)
    member.open(f"{member.page.url}edit/")
    assert not violations + in_this_look(member.page)


def test_a_contest(member: Guest, sample: Sample) -> None:
    member.open(sample.contest)
    assert not in_this_look(member.page)


@seldom
def test_what_the_evenings_add_up_to(member: Guest) -> None:
    page, pages = member.page, ("chronicle/", "experience/", "facts/")
    campaign = doing.found(page, doing.unique("Salt"), "questworlds")
    violations = []
    for address in pages:
        member.open(campaign + address)
        violations += in_this_look(page)
    member.open(f"{campaign}characters/new/")
    page.locator("#builder [name=name]").fill("Ilse")
    page.locator("#builder [name=part]").select_option("nobody")
    page.get_by_role("button", name="Save").last.click()
    page.get_by_role("heading", name="Ilse", exact=True).wait_for()
    member.open(f"{page.url}award/")
    page.get_by_label("How many").fill("3")
    page.get_by_label("Reason").fill("The map")
    page.get_by_role("button", name="Award points").click()
    member.open(f"{campaign}pools/story_points/")
    page.locator("[name=value]").fill("3")
    page.locator("[name=reason]").fill("A start")
    page.get_by_role("main").locator("form button").last.click()
    for fact in ("It rains", "The ferryman is an old friend"):
        member.open(f"{campaign}contests/start/plot/")
        page.get_by_label("New fact").fill(fact)
        page.get_by_role("button", name="Propose").click()
    page.get_by_role("button", name="Accept", exact=True).click()
    for address in pages:
        member.open(campaign + address)
        violations += in_this_look(page)
    assert page.get_by_text("Waits for the GM").count() and page.get_by_text("It rains").count()
    assert not violations


def test_axe_would_say_so(member: Guest) -> None:
    member.open("/")
    member.page.evaluate("""() => {
      const pale = document.createElement('button');
      pale.style.color = 'rgb(120, 120, 120)';
      pale.style.backgroundColor = 'rgb(140, 140, 140)';
      document.querySelector('main').append(pale, document.createElement('button'));
      pale.textContent = 'Pale';
    }""")
    said = " ".join(in_this_look(member.page))
    assert "color-contrast" in said
    assert "button-name" in said or member.page.evaluate("matchMedia('(prefers-color-scheme: dark)').matches")
